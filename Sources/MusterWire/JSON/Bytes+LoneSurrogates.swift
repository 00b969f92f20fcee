// JavaScript cuts a string between the halves of a surrogate pair, and writes the half that is left as an escape. RFC 8259 leaves
// open what that means; parsers refuse it, and with it all the rest of a text.

extension [UInt8] {
    /// The JSON text with U+FFFD in the place of each escaped half of a surrogate pair; nil when it holds none.
    package func replacingLoneSurrogates() -> [UInt8]? {
        var replaced: [UInt8]?
        var index = self.startIndex
        while let escape = self[index...].firstIndex(of: UInt8(ascii: "\\")) {
            guard let unit = self.escapedUnit(at: escape) else {
                // The character behind it may be a backslash too.
                index = Swift.min(escape + 2, self.endIndex)
                continue
            }
            index = escape + Self.escapeLength
            guard 0xD800..<0xE000 ~= unit else { continue }
            if unit < 0xDC00, let next = self.escapedUnit(at: index), 0xDC00..<0xE000 ~= next {
                index += Self.escapeLength
            } else {
                if replaced == nil { replaced = self }
                replaced?.replaceSubrange(escape..<index, with: #"\ufffd"#.utf8)
            }
        }
        return replaced
    }

    /// The length of an escape with four digits.
    private static let escapeLength = 6

    /// The unit of UTF-16 that an escape at `index` stands for; nil when there is no such escape.
    private func escapedUnit(at index: Int) -> UInt16? {
        let end = index + Self.escapeLength
        guard end <= self.endIndex, self[index] == UInt8(ascii: "\\"), self[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let digits = self[(index + 2)..<end]
        guard digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
