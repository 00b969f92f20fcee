/// Common abbreviations and alternative names of countries (ISO 3166-1) and of their parts (GeoNames' codes).
package enum AreaCodes {
    /// The names by area code, such as `US` or `CA.08`.
    package static let names: [String: [String]] = [
        "US": ["USA", "U.S.", "America", "United States of America", "the States"],
        "GB": ["UK", "U.K.", "Great Britain", "Britain"],
        "NL": ["Holland", "The Netherlands"],
        "AE": ["UAE"],
        "CZ": ["Czech Republic", "Česko"],
        "CI": ["Ivory Coast"],
        "MM": ["Burma"],
        "TR": ["Turkey"],
        "KR": ["South Korea"],
        "KP": ["North Korea"],
        "RU": ["Russian Federation"],
        "CD": ["DR Congo"],
        "MK": ["Macedonia"],
        "SZ": ["Swaziland"],
        "CA.01": ["AB"], "CA.02": ["BC"], "CA.03": ["MB"], "CA.04": ["NB"], "CA.05": ["NL"], "CA.07": ["NS"],
        "CA.08": ["ON"], "CA.09": ["PE"], "CA.10": ["QC"], "CA.11": ["SK"], "CA.12": ["YT"], "CA.13": ["NT"],
        "CA.14": ["NU"],
        "AU.01": ["ACT"], "AU.02": ["NSW"], "AU.03": ["NT"], "AU.04": ["QLD"], "AU.05": ["SA"], "AU.06": ["TAS"],
        "AU.07": ["VIC"], "AU.08": ["WA"],
    ]

    /// The code of a state as a name, where the code is in common use: two or three letters, such as `TX`.
    package static func letters(ofState code: String) -> String? {
        (2...3).contains(code.utf8.count)
            && code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? code : nil
    }
}
