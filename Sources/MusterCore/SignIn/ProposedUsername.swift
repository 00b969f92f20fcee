/// The usernames that are tried for an account that a sign-in makes.
package struct ProposedUsername: Sendable {
    /// The longest username.
    private static let longest = 32

    private let stem: String

    /// Derives the names from the one at the provider, if there is one: folded to `a-z 0-9 _ . -`.
    package init(_ preferred: String?) {
        // An e-mail address is a name in some providers; only what is before the `@` is used.
        let text = (preferred ?? "").prefix { $0 != "@" }.lowercased()
        var stem = ""
        for scalar in text.unicodeScalars.prefix(200) {
            switch scalar {
            case "a"..."z", "0"..."9", "_", ".", "-": stem.unicodeScalars.append(scalar)
            default:
                if let letter = Self.folded(scalar) { stem += letter }
            }
        }
        stem = String(stem.prefix(Self.longest))
        self.stem = stem.count >= 3 ? stem : "member"
    }

    /// The name for an attempt, counted from 0: the name itself, then with 2, 3 and so on.
    package func name(attempt: Int) -> String {
        guard attempt > 0 else { return self.stem }
        let number = "\(attempt + 1)"
        return self.stem.prefix(Self.longest - number.count) + number
    }

    /// The letters without accent that stand for one with accent; nil for other signs.
    private static func folded(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "à", "á", "â", "ã", "å", "ā", "ă", "ą": "a"
        case "ä", "æ": "ae"
        case "ç", "ć", "č": "c"
        case "è"..."ë", "ē", "ę", "ě": "e"
        case "ì"..."ï", "ī", "ı": "i"
        case "ñ", "ń", "ň": "n"
        case "ò"..."õ", "ø", "ō", "ő": "o"
        case "ö", "œ": "oe"
        case "ù"..."û", "ū", "ů", "ű": "u"
        case "ü": "ue"
        case "ý", "ÿ": "y"
        case "ß": "ss"
        case "ś", "š", "ş": "s"
        case "ź", "ž", "ż": "z"
        case "ł": "l"
        case "ř": "r"
        case "ğ": "g"
        case "đ", "ď": "d"
        case "ť", "ţ": "t"
        case " ": "."
        default: nil
        }
    }
}
