// JavaScript can cut a string between the halves of a surrogate pair, and writes the remaining half as an escape. RFC
// 8259 does not define its meaning. Parsers reject it, and with it the whole text.

extension [UInt8] {
    /// Returns the JSON text with each escaped lone surrogate replaced by U+FFFD; nil when it contains none.
    package func replacingLoneSurrogates() -> [UInt8]? {
        var replaced: [UInt8]?
        var index = self.startIndex
        while let escape = self[index...].firstIndex(of: UInt8(ascii: "\\")) {
            guard let unit = self.escapedUnit(at: escape) else {
                // The escaped character may be a backslash too.
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

    /// The length of an escape with four hexadecimal digits.
    private static let escapeLength = 6

    /// Returns the UTF-16 code unit of an escape at `index`; nil when there is no such escape.
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
