/// The badge of a user without a picture: initials, in white on a colour.
///
/// The page implements the same rules (`public/app/ui/text.js`, `avatar.js`). `Tests/Fixtures/badges.json` and
/// `colours.json` contain test cases for both.
package enum Badge {
    /// The colours, 0xRRGGBB, selected by the hash of a user's id; white text is legible on each of them.
    package static let colours: [UInt32] = [
        0xB3261E, 0x1261A0, 0x1D6F42, 0x7A3FB0, 0x8F4A06, 0x00696E, 0xA4357F, 0x4A52C6, 0x5A6600, 0x6B4F3A, 0x8A1C4A,
        0x37474F,
    ]

    /// The first character of the first and of the last word of a name, in upper case; `?` for a name without words.
    ///
    /// A character is an extended grapheme cluster. Georgian letters are not changed: their capitals are for headlines,
    /// and few fonts have them.
    package static func initials(of name: String) -> String {
        let words = name.unicodeScalars.split { $0.properties.isWhitespace }.map { Substring($0) }
        guard let first = words.first, let last = words.last else { return "?" }
        return (words.count > 1 ? [first, last] : [first]).compactMap(\.first).map(self.raised).joined()
    }

    /// The index in `colours` for a user: the FNV-1a hash of the id's decimal digits, in 32 bits, modulo 12.
    ///
    /// It depends on the id alone, so a user has one colour in all groups, on all devices and pictures.
    package static func hue(of user: UserID) -> Int {
        let hash = user.description.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return Int(hash % UInt32(self.colours.count))
    }

    /// The colour of a user, 0xRRGGBB.
    package static func colour(of user: UserID) -> UInt32 { self.colours[self.hue(of: user)] }

    private static func raised(_ character: Character) -> String {
        let isGeorgian = character.unicodeScalars.contains { (0x10D0...0x10FF).contains($0.value) }
        return isGeorgian ? String(character) : character.uppercased()
    }
}
