// The accepted forms of a position: two numbers in degrees, degrees with minutes and seconds, a `geo:` URI (RFC 5870),
// or a link to a map. Any other text, or a position that is not on earth, is searched as words.
//
//   position  = geo-uri | map-link | pair
//   pair      = half separator half            latitude first, unless letters say otherwise
//   half      = [letter] [sign] degrees ["°"] [minutes ["'"] [seconds ["\""]]] [letter]
//   separator = "," | ";" | "/" | blank
//
// A pair of plain numbers needs a fraction in one of them, or a comma with a blank: `48,16` is a number, `12 34` a
// house number. Where the comma is the decimal sign (`48,2082 16,3738`), both numbers need a fraction.

/// Parses positions written as text.
package enum PositionText {
    /// The maximum number of characters of a text that is parsed.
    package static let longest = 2_048

    /// The position in a text; nil when the text is not a position.
    package static func coordinate(in text: String) -> Coordinate? {
        guard text.utf8.count <= 4 * Self.longest else { return nil }
        let plain = Self.plain(text)
        guard !plain.isEmpty else { return nil }
        if plain.lowercased().hasPrefix("geo:") { return Self.coordinate(ofURI: plain.dropFirst(4)) }
        if let found = MapLink(in: plain)?.coordinate { return found }
        return PositionPair.coordinate(in: plain)
    }

    /// The coordinates of `lat,lon[,altitude][;crs=wgs84][;u=…][?q=lat,lon]`.
    private static func coordinate(ofURI text: Substring) -> Coordinate? {
        let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parameters = halves[0].split(separator: ";", omittingEmptySubsequences: false)
        for parameter in parameters.dropFirst() where parameter.lowercased().hasPrefix("crs=") {
            guard parameter.lowercased() == "crs=wgs84" else { return nil }
        }
        let numbers = parameters[0].split(separator: ",", omittingEmptySubsequences: false).map(Self.number)
        guard (2...3).contains(numbers.count), numbers.allSatisfy({ $0 != nil }),
            let latitude = numbers[0], let longitude = numbers[1]
        else { return nil }
        // Phones write `geo:0,0?q=48.2082,16.3738(Name)` for a position with a name.
        if latitude == 0, longitude == 0, halves.count > 1 {
            let fields = MapLink.fields(halves[1])
            if let query = fields["q"] { return Self.pair(query) }
        }
        return Coordinate(validating: latitude, longitude)
    }

    /// Two plain numbers separated by a comma, optionally followed by a name in brackets.
    static func pair(_ text: some StringProtocol, separator: Character = ",") -> Coordinate? {
        let numbers = text.prefix { $0 != "(" }.split(separator: separator, omittingEmptySubsequences: false)
        guard numbers.count >= 2, let latitude = Self.number(numbers[0]), let longitude = Self.number(numbers[1]) else {
            return nil
        }
        return Coordinate(validating: latitude, longitude)
    }

    /// A number in digits, optionally with a sign, a fraction and surrounding blanks.
    static func number(_ text: some StringProtocol) -> Double? {
        let words = text.split(separator: " ")
        guard let digits = words.first, words.count == 1, digits.utf8.contains(where: { (0x30...0x39).contains($0) }),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
        else { return nil }
        return Double(digits)
    }

    /// The text in normalised form.
    ///
    /// The variants of minus, degree, minute and second signs become one character each, digits become ASCII, and
    /// invisible characters are removed.
    private static func plain(_ text: String) -> String {
        var plain = ""
        for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
            switch scalar {
            case "\u{2212}", "\u{2013}", "\u{2010}", "\u{2011}", "\u{FF0D}": plain += "-"
            case "\u{BA}", "\u{2DA}", "\u{2218}": plain += "°"
            case "\u{2032}", "\u{2019}", "\u{2018}", "\u{B4}", "`", "\u{2B9}": plain += "'"
            case "\u{2033}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{2BA}": plain += "\""
            case "\u{FF0C}", "\u{60C}": plain += ","
            case "\u{66B}": plain += "."
            case _ where scalar.properties.isWhitespace: plain += " "
            case _ where !scalar.isASCII && scalar.properties.numericType == .decimal:
                plain += String(Int(scalar.properties.numericValue ?? 0))
            case _: plain.unicodeScalars.append(scalar)
            }
        }
        let start = plain.drop { $0 == " " }
        let end = start.lastIndex { $0 != " " }
        return end.map { String(start[...$0]).replacing("''", with: "\"") } ?? ""
    }
}
