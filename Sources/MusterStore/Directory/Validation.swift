/// Throws `badRequest` for `field` unless `condition` holds.
func require(_ condition: Bool, _ field: String, _ message: String) throws(DirectoryError) {
    guard condition else { throw DirectoryError(.badRequest(field: field), "\(field) \(message)") }
}

/// The rules for what people type.
enum Validation {
    /// Whether `name` can be the name of an account.
    static func isUsername(_ name: String) -> Bool {
        (3...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    /// Whether `password` can be a password.
    static func isPassword(_ password: String) -> Bool {
        (8...256).contains(password.unicodeScalars.count)
    }

    /// The name of a person or a group without blanks around it.
    ///
    /// - Throws: `badRequest` when it is empty, longer than 80 characters, or holds control characters.
    static func displayName(_ name: String, field: String) throws(DirectoryError) -> String {
        try self.line(name, length: 1...80, field: field)
    }

    /// A line of text that people see, without blanks around it.
    ///
    /// - Throws: `badRequest` when it has too few or too many characters, or holds control characters.
    static func line(
        _ text: String,
        length: ClosedRange<Int>,
        field: String
    ) throws(DirectoryError) -> String {
        let line = try self.text(text, length: length, field: field)
        try require(!line.unicodeScalars.contains("\n"), field, "must not hold control characters")
        return line
    }

    /// Text in lines that people see, without blanks around it.
    ///
    /// - Throws: `badRequest` when it has too few or too many characters, or holds control characters but line feeds.
    static func text(
        _ text: String,
        length: ClosedRange<Int>,
        field: String
    ) throws(DirectoryError) -> String {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        let bounds = "\(length.lowerBound) to \(length.upperBound)"
        try require(length.contains(scalars.count), field, "must have \(bounds) characters")
        let isClean = scalars.allSatisfy {
            ($0.properties.generalCategory != .control || $0 == "\n") && !Self.turnsText($0)
        }
        try require(isClean, field, "must not hold control characters")
        try require(scalars.contains(where: Self.isVisible), field, "must hold a character that can be seen")
        return String(scalars)
    }

    /// The address of a picture: a path of this server. From anywhere else friends' browsers would fetch it, and tell that
    /// place who looks at whom, and when.
    ///
    /// - Throws: `badRequest` when it is anything else.
    static func pictureAddress(_ address: String, field: String) throws(DirectoryError) {
        try require((1...500).contains(address.unicodeScalars.count), field, "must have 1 to 500 characters")
        // Two slashes, and a backslash as browsers read it, begin the name of another host.
        let isAddress = address.hasPrefix("/") && !address.hasPrefix("//") && !address.utf8.contains(0x5C)
        let isPlain = address.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && Self.isVisible($0) }
        try require(isAddress && isPlain, field, "must be the path of a picture on this server")
    }

    /// Whether a character changes the direction of the text around it (Unicode Standard Annex 9).
    private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        case _: false
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        case _: true
        }
    }
}
