/// Machine states stored by legacy versions: bytes of version 3, which had no stays, and JSON of version 4, which did
/// not store whether a stay had a second fix.
package enum LegacyState {
    /// Three at the café and one at home (`GatheringStorageTests.machine(after: 300)`).
    package static let gathered = Self.bytes([
        "0380d18686e36808020101c0a0ab86e3680180d18686e3685b9b4b3789114840e24a2e1078262740000000000000204000000000000000",
        "0000d00f5b9b4b3789114840e24a2e107826274080c0e285e36801000101a0dfe285e368040101c0a0ab86e3680180d18686e368cf32e4",
        "448611484066666666662627400000000000002040000000000000000000d00fcf32e44486114840666666666626274080c0e285e36801",
        "000101a0dfe285e368060101c0a0ab86e3680180d18686e3685b9b4b3789114840ea819ebc542627400000000000002040000000000000",
        "000000d00f5b9b4b3789114840ea819ebc5426274080c0e285e36801000101a0dfe285e368080101c0a0ab86e3680180d18686e368d109",
        "ad48fd14484066666666662627400000000000002040000000000000000000d00fd109ad48fd144840666666666626274080c0e285e368",
        "0100010006050300000002808080c097d2c1950b00a0dfe285e3685b9b4b3789114840666666666626274000060204060208e0dbf885e3",
        "6806020406020806020406020800010006020406000001020800020800e0dbf885e368",
    ])

    /// Three who drive off and one who is left behind, at second 700, shortly before the notification
    /// (`DepartureStoryTests.ride`).
    package static let riding = Self.bytes([
        "03d0cab786e36808020101be98db86e36801fec8b686e3686980fe93bb1248403f681a6bdd322740000000000000204000000000405502",
        "3940a09c016980fe93bb1248403f681a6bdd322740fec8b686e36801000101a4fee485e368040101aed2db86e36801ee82b786e368e15e",
        "24d5c7124840859b210f5d332740000000000000204000000000404c023940a09c01e15e24d5c7124840859b210f5d332740ee82b786e3",
        "6801000101a4fee485e3680601019c8cdc86e36801dcbcb786e3685a3d4a16d4124840cbce28b3dc332740000000000000204000000000",
        "4043023940a09c015a3d4a16d4124840cbce28b3dc332740dcbcb786e36801000101a4fee485e368080101f0bf8089e36801b0f4b686e3",
        "68a8c64b378911484066666666662627400000000000002040010000000000000000a09c01a8c64b3789114840666666666626274090d7",
        "e285e368010001000605030000020004000000a0bb12484000000060dd32274000000060af124840000000c05d32274002808080c8d5d6",
        "c1950b00a4fee485e36875d1b17a88114840666666666626274000060204060208e4fafa85e36808020406080006020406020801cee6b5",
        "86e36800000602040602080000004089114840000000606626274008020406080001cee6b586e368000001b0f4b686e3680602040601e1",
        "5e24d5c7124840859b210f5d332740dcbcb786e3680102080000",
    ])

    /// The same ride in version 4.
    package static let ridingReadably = [
        #"{"absence":{"doubts":[],"members":["4"]},"at":"2027-01-15T08:11:37.000Z","clusters":[{"apart":[],"member"#,
        #"s":["1","2","3"]}],"cooldowns":[],"gathering":{"absent":["4"],"absentSince":"2027-01-15T08:11:22.407Z",""#,
        #"begin":"2027-01-15T08:03:20.370Z","bond":["1","2","3"],"departures":[{"companions":["1","2","3","4"],"fi"#,
        #"xesBeyond":0,"heard":"2027-01-15T08:11:31.480Z","isRipe":false,"place":{"lat":48.137001037597656,"lon":1"#,
        #"1.574999809265137},"rest":["1","2","3"],"seen":"2027-01-15T08:11:31.480Z","since":"2027-01-15T08:11:22.4"#,
        #"07Z","state":"undecided","user":"4"}],"elsewhere":{"place":{"lat":48.14672340656194,"lon":11.60031935963"#,
        #"867},"since":"2027-01-15T08:11:36.110Z"},"hasMoved":false,"id":"402372167183892480","isAbsenceSpoken":fa"#,
        #"lse,"participants":["1","2","3","4"],"place":{"lat":48.13697751696137,"lon":11.575},"since":"2027-01-15T"#,
        #"08:00:20.370Z","together":["1","2","3"],"told":[],"toldAbsent":["4"],"toldTogether":["1","2","3"]},"memb"#,
        #"ers":[{"counts":true,"isSharing":true,"linkedSince":"2027-01-15T08:00:20.370Z","position":{"accuracy":8,"#,
        #""at":"2027-01-15T08:11:28.703Z","interval":10000,"isBeyondStay":true,"isStationary":false,"longStay":{"p"#,
        #"lace":{"lat":48.13695500604808,"lon":11.575116673484445},"since":"2027-01-15T08:00:00.000Z","until":"202"#,
        #"7-01-15T08:10:18.000Z"},"place":{"lat":48.14634942938648,"lon":11.599345538114106},"rest":{"place":{"lat"#,
        #"":48.14634942938648,"lon":11.599345538114106},"since":"2027-01-15T08:11:28.703Z"},"speed":25.00911331176"#,
        #"7578,"stay":{"place":{"lat":48.145227525383234,"lon":11.59642405807972},"since":"2027-01-15T08:11:18.000"#,
        #"Z"},"usableUntil":"2027-01-15T08:16:28.703Z"},"standing":"usable","user":"1"},{"counts":true,"isSharing""#,
        #":true,"linkedSince":"2027-01-15T08:00:20.370Z","position":{"accuracy":8,"at":"2027-01-15T08:11:32.407Z","#,
        #""interval":10000,"isBeyondStay":true,"isStationary":false,"longStay":{"place":{"lat":48.13695500604808,""#,
        #"lon":11.574883321300149},"since":"2027-01-15T08:00:00.000Z","until":"2027-01-15T08:10:12.000Z"},"place":"#,
        #"{"lat":48.14672340656194,"lon":11.60031935963867},"rest":{"place":{"lat":48.14672340656194,"lon":11.6003"#,
        #"1935963867},"since":"2027-01-15T08:11:32.407Z"},"speed":25.008975982666016,"stay":{"place":{"lat":48.145"#,
        #"601442083716,"lon":11.597397867590189},"since":"2027-01-15T08:11:22.000Z"},"usableUntil":"2027-01-15T08:"#,
        #"16:32.407Z"},"standing":"usable","user":"2"},{"counts":true,"isSharing":true,"linkedSince":"2027-01-15T0"#,
        #"8:00:20.370Z","position":{"accuracy":8,"at":"2027-01-15T08:11:36.110Z","interval":10000,"isBeyondStay":t"#,
        #"rue,"isStationary":false,"longStay":{"place":{"lat":48.137089954689145,"lon":11.574999997392297},"since""#,
        #":"2027-01-15T08:00:01.000Z","until":"2027-01-15T08:10:16.000Z"},"place":{"lat":48.1470973837374,"lon":11"#,
        #".601293181163234},"rest":{"place":{"lat":48.1470973837374,"lon":11.601293181163234},"since":"2027-01-15T"#,
        #"08:11:36.110Z"},"speed":25.008838653564453,"stay":{"place":{"lat":48.14597544260323,"lon":11.59837167710"#,
        #"0658},"since":"2027-01-15T08:11:26.000Z"},"usableUntil":"2027-01-15T08:16:36.110Z"},"standing":"usable","#,
        #""user":"3"},{"counts":true,"isSharing":true,"position":{"accuracy":8,"at":"2027-01-15T08:11:31.480Z","in"#,
        #"terval":10000,"isBeyondStay":false,"isStationary":true,"place":{"lat":48.137,"lon":11.575},"rest":{"plac"#,
        #"e":{"lat":48.137,"lon":11.575},"since":"2027-01-15T08:00:01.480Z"},"speed":0,"stay":{"place":{"lat":48.1"#,
        #"37000016868114,"lon":11.574999997392297},"since":"2027-01-15T08:00:01.000Z"},"usableUntil":"2027-01-15T0"#,
        #"8:56:31.480Z"},"standing":"usable","user":"4"}],"partings":[{"at":"2027-01-15T08:11:28.000Z","onePlace":"#,
        #"{"lat":48.1463508605957,"lon":11.599345207214355},"otherPlace":{"lat":48.14597702026367,"lon":11.5983715"#,
        #"05737305},"pair":{"one":"1","other":"3"}}],"transitions":[],"version":4}"#,
    ].joined()

    private static func bytes(_ lines: [String]) -> [UInt8] {
        let digits = lines.joined().compactMap { $0.hexDigitValue.map(UInt8.init) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
