import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite struct FixReadingTests {
    /// Malformed fields of a fix, the field named in the error, and the sequence number in the error.
    static let malformed: [(fields: String, field: String, sequence: Int64?)] = [
        (#""lat":1,"lon":1"#, "seq", nil),
        (#""seq":0,"lat":1,"lon":1"#, "seq", 0),
        (#""seq":-4,"lat":1,"lon":1"#, "seq", -4),
        (#""seq":1.5,"lat":1,"lon":1"#, "seq", nil),
        (#""seq":"1","lat":1,"lon":1"#, "seq", nil),
        (#""seq":null,"lat":1,"lon":1"#, "seq", nil),
        (#""seq":9007199254740993,"lat":1,"lon":1"#, "seq", 9_007_199_254_740_993),
        (#""seq":99999999999999999999999,"lat":1,"lon":1"#, "seq", nil),
        (#""seq":5,"lon":1"#, "lat", 5),
        (#""seq":5,"lat":null,"lon":1"#, "lat", 5),
        (#""seq":5,"lat":"1","lon":1"#, "lat", 5),
        (#""seq":5,"lat":90.0000001,"lon":1"#, "lat", 5),
        (#""seq":5,"lat":-91,"lon":1"#, "lat", 5),
        (#""seq":5,"lat":1e999,"lon":1"#, "lat", 5),
        (#""seq":5,"lat":1"#, "lon", 5),
        (#""seq":5,"lat":1,"lon":180.1"#, "lon", 5),
        (#""seq":5,"lat":1,"lon":-1e999"#, "lon", 5),
        (#""seq":5,"lat":1,"lon":123456789012345678901234567890"#, "lon", 5),
        (#""seq":5,"lat":0,"lon":0"#, "lat", 5),
        (#""seq":5,"lat":-0.0,"lon":0.0e5"#, "lat", 5),
        (#""seq":5,"lat":1e-999,"lon":-0"#, "lat", 5),
        (#""seq":5,"lat":1,"lon":1,"accuracy":-5"#, "accuracy", 5),
        (#""seq":5,"lat":1,"lon":1,"accuracy":"8""#, "accuracy", 5),
        (#""seq":5,"lat":1,"lon":1,"accuracy":1e39"#, "accuracy", 5),
        (#""seq":5,"lat":1,"lon":1,"at":1732060800123.5"#, "at", 5),
        (#""seq":5,"lat":1,"lon":1,"at":-1"#, "at", 5),
        (#""seq":5,"lat":1,"lon":1,"at":"2024-11-20T00:00:00Z""#, "at", 5),
        (#""seq":5,"lat":1,"lon":1,"at":1732060800123000000"#, "at", 5),
    ]

    /// Invalid optional fields, and the details that are dropped because of them.
    static let dropped: [(fields: String, dropped: FixDetails)] = [
        (#""altitude":-1e39"#, .altitude), (#""altitude":[]"#, .altitude), (#""altitude":-9999"#, .altitude),
        (#""altitude":1e6"#, .altitude),
        (#""speed":-2"#, .speed), (#""speed":-3.6"#, .speed), (#""speed":1e999"#, .speed), (#""speed":"fast""#, .speed),
        (#""course":360.1"#, .course), (#""course":-90"#, .course),
        (#""battery":81"#, .battery), (#""battery":true"#, .battery), (#""battery":-0.5"#, .battery),
        (#""trigger":"teleport""#, .trigger), (#""trigger":3"#, .trigger),
        (#""trigger":"answer","answer":5001"#, .answer),
        (#""battery":81,"speed":-3.6,"course":361,"altitude":null"#, [.battery, .speed, .course]),
    ]

    @Test("a fix is taken without the details that cannot be right, and says which", arguments: dropped)
    func drops(fields: String, dropped: FixDetails) {
        let outcome = decode(#"{"type":"location","seq":5,"lat":1,"lon":2,"accuracy":8,\#(fields)}"#)
        let trigger: Fix.Trigger? = dropped == .answer ? .answer : nil
        let place = Coordinate(latitude: 1, longitude: 2)
        let fix = Fix(sequence: 5, coordinate: place, accuracy: 8, trigger: trigger, dropped: dropped)
        #expect(outcome == .frame(.location(nil, fix)))
    }

    @Test("a malformed location is answered bad_fix with its number, and names the field", arguments: malformed)
    func badFix(fields: String, field: String, sequence: Int64?) {
        guard case .failure(let error) = decode(#"{"type":"location","id":7,\#(fields)}"#) else {
            Issue.record("this fix passed")
            return
        }
        #expect(error.code == .badFix)
        #expect(error.field == field)
        #expect(error.sequence == sequence)
        #expect(error.tag == .number(7))
        #expect(error.message.hasPrefix(field))
    }

    @Test("a malformed fix in a batch does not take the good ones with it", arguments: malformed)
    func badFixInBatch(fields: String, field: String, sequence: Int64?) {
        let json = #"{"type":"locations","fixes":[{"seq":1,"lat":1,"lon":2},{\#(fields)},{"seq":9,"lat":3,"lon":4}]}"#
        guard case .frame(.locations(nil, let batch)) = decode(json) else {
            Issue.record("the batch was refused")
            return
        }
        #expect(batch.fixes.map(\.sequence) == [1, 9])
        #expect(batch.malformed.map(\.field) == [field])
        #expect(batch.malformed.map(\.sequence) == [sequence])
    }

    @Test("what is not even an object in a batch is malformed without a number")
    func strangersInBatch() {
        let json = #"{"type":"locations","fixes":[7,null,[],"x",{},{"seq":2,"lat":1,"lon":2}]}"#
        guard case .frame(.locations(nil, let batch)) = decode(json) else {
            Issue.record("the batch was refused")
            return
        }
        #expect(batch.fixes.map(\.sequence) == [2])
        #expect(batch.malformed.count == 5)
        #expect(batch.malformed.allSatisfy { $0.sequence == nil })
        #expect(batch.malformed.map(\.field) == ["fixes", "fixes", "fixes", "fixes", "seq"])
    }

    @Test("a batch of 200 passes")
    func fullBatch() {
        let fixes = (1...200).map { #"{"seq":\#($0),"lat":1,"lon":2}"# }.joined(separator: ",")
        guard case .frame(.locations(nil, let batch)) = decode(#"{"type":"locations","fixes":[\#(fixes)]}"#) else {
            Issue.record("the batch was refused")
            return
        }
        #expect(batch.fixes.map(\.sequence) == Array(1...200))
    }

    @Test("−1 is what phones say for unknown, and null is as if the field were not there")
    func unknowns() {
        let plain = Fix(sequence: 1, coordinate: Coordinate(latitude: 1, longitude: 2))
        #expect(
            decode(
                #"{"type":"location","seq":1,"lat":1,"lon":2,"accuracy":-1,"speed":-1.0,"course":-1,"battery":-1}"#
            ) == .frame(.location(nil, plain))
        )
        #expect(
            decode(
                #"{"type":"location","seq":1,"lat":1,"lon":2,"accuracy":null,"altitude":null,"speed":null,"#
                    + #""course":null,"battery":null,"at":null,"trigger":null,"answer":null}"#
            ) == .frame(.location(nil, plain))
        )
    }

    @Test("the edges of every range belong to it")
    func edges() {
        let json =
            #"{"type":"location","seq":1,"lat":90,"lon":-180,"accuracy":0,"altitude":-430.5,"speed":0,"course":360,"#
            + #""battery":1,"at":0}"#
        let edge = Fix(
            sequence: 1,
            at: Timestamp(milliseconds: 0),
            coordinate: Coordinate(latitude: 90, longitude: -180),
            accuracy: 0,
            altitude: -430.5,
            speed: 0,
            course: 360,
            battery: 1
        )
        #expect(decode(json) == .frame(.location(nil, edge)))
        #expect(
            decode(#"{"type":"location","seq":1.0,"lat":0,"lon":1e-7,"at":1.7320608e12}"#)
                == .frame(
                    .location(
                        nil,
                        Fix(
                            sequence: 1,
                            at: Timestamp(milliseconds: 1_732_060_800_000),
                            coordinate: Coordinate(latitude: 0, longitude: 1e-7)
                        )
                    )
                )
        )
    }

    @Test("the body of POST /v1/locations is read by the same rules")
    func body() throws {
        func read(_ body: String) throws -> FixBatch {
            try JSONFields.reading(Array(body.utf8)) { (fields) throws(FrameError) in try FixBatch(reading: fields) }
        }
        let batch = try read(#"{"fixes":[{"seq":1,"lat":1,"lon":2},{"seq":2,"lat":91,"lon":2}]}"#)
        #expect(batch.fixes.map(\.sequence) == [1])
        #expect(batch.malformed.map(\.sequence) == [2])
        for (body, code) in [("[]", ErrorCode.badRequest), ("{}", .badRequest), ("{", .badJSON), ("", .badJSON)] {
            #expect {
                try read(body)
            } throws: {
                ($0 as? FrameError)?.code == code
            }
        }
    }
}
