/// Parses two coordinates in degrees, optionally with minutes and seconds.
enum PositionPair {
    private enum Token: Equatable {
        case number(Double, hasFraction: Bool)
        /// A plus or a minus sign before a number.
        case sign(Double)
        case degree, minute, second
        /// N, S, E or W.
        case letter(Character)
        /// A separator between the coordinates; a comma followed by a blank is clearer than one without.
        case separator(isClear: Bool)

        var isNumber: Bool { if case .number = self { true } else { false } }
        var isSign: Bool { if case .sign = self { true } else { false } }
        var isLetter: Bool { if case .letter = self { true } else { false } }
        var isSeparator: Bool { if case .separator = self { true } else { false } }
    }

    /// One of the two coordinates.
    private struct Half {
        var degrees: Double
        /// 1 for degrees alone, 2 with minutes, 3 with seconds.
        var depth = 0
        var letter: Character?
        var hasFraction: Bool
        /// Whether a degree sign or a letter marks it as a coordinate.
        var isMarked: Bool
    }

    /// The labels of the first and of the second coordinate.
    private static let names: [Set<String>] = [["LAT", "LATITUDE"], ["LON", "LNG", "LONG", "LONGITUDE"]]

    /// The letters and words of the directions.
    ///
    /// `O` is missing: it is the east in German and the west in Romance languages.
    private static let letters: [String: Character] = [
        "N": "N", "NORD": "N", "S": "S", "SÜD": "S", "E": "E", "OST": "E", "W": "W", "WEST": "W",
    ]

    /// The position in a text; nil when the text is not a position.
    static func coordinate(in text: String) -> Coordinate? {
        var body = Substring(text)
        for (open, close) in [("(", ")"), ("[", "]")] where body.hasPrefix(open) && body.hasSuffix(close) {
            body = body.dropFirst().dropLast()
        }
        if body.hasSuffix(".") { body = body.dropLast() }
        if let tokens = Self.tokens(of: body, decimal: "."), let found = Self.coordinate(of: tokens, mayBeWhole: true) {
            return found
        }
        return Self.tokens(of: body, decimal: ",").flatMap { Self.coordinate(of: $0, mayBeWhole: false) }
    }

    private static func coordinate(of tokens: [Token], mayBeWhole: Bool) -> Coordinate? {
        guard let (first, second, separator) = Self.halves(of: tokens), let one = Self.half(first),
            let other = Self.half(second), one.depth == other.depth || one.letter != nil
        else { return nil }
        if !one.isMarked, !other.isMarked {
            let isEnough =
                switch separator {
                case .separator(let isClear)?: isClear || one.hasFraction || other.hasFraction
                case _: one.hasFraction && other.hasFraction
                }
            guard isEnough, mayBeWhole || one.hasFraction && other.hasFraction else { return nil }
        }
        switch (one.letter, other.letter) {
        case ("N", "E"), ("N", "W"), ("S", "E"), ("S", "W"), (nil, nil):
            return Coordinate(validating: one.degrees, other.degrees)
        case ("E", "N"), ("W", "N"), ("E", "S"), ("W", "S"):
            return Coordinate(validating: other.degrees, one.degrees)
        case _: return nil
        }
    }

    /// The tokens of the two coordinates, and the separator.
    private static func halves(of tokens: [Token]) -> (ArraySlice<Token>, ArraySlice<Token>, Token?)? {
        let separators = tokens.indices.filter { tokens[$0].isSeparator }
        if let only = separators.first {
            guard separators.count == 1 else { return nil }
            return (tokens[..<only], tokens[(only + 1)...], tokens[only])
        }
        let letters = tokens.indices.filter { tokens[$0].isLetter }
        let degrees = tokens.indices.filter { tokens[$0] == .degree }
        let signs = tokens.indices.filter { tokens[$0].isSign }
        let numbers = tokens.indices.filter { tokens[$0].isNumber }
        let start: Int
        if letters.count == 2 {
            start = letters[0] == 0 ? letters[1] : letters[0] + 1
        } else if degrees.count == 2, degrees[1] > 0 {
            start = signs.contains(degrees[1] - 2) ? degrees[1] - 2 : degrees[1] - 1
        } else if numbers.count == 2 {
            start = signs.contains(numbers[1] - 1) ? numbers[1] - 1 : numbers[1]
        } else {
            return nil
        }
        guard start < tokens.count else { return nil }
        return (tokens[..<start], tokens[start...], nil)
    }

    private static func half(_ tokens: ArraySlice<Token>) -> Half? {
        var rest = tokens
        var half = Half(degrees: 0, hasFraction: false, isMarked: false)
        if case .letter(let letter) = rest.first {
            half.letter = letter
            rest.removeFirst()
        } else if case .letter(let letter) = rest.last {
            half.letter = letter
            rest.removeLast()
        }
        var sign: Double?
        if case .sign(let value) = rest.first {
            sign = value
            rest.removeFirst()
        }
        // Degrees, minutes, seconds: only the last may have a fraction, and minutes and seconds are below 60.
        var (values, unit): ([Double], Int) = ([], 0)
        while case .number(let value, let hasFraction) = rest.first {
            guard unit < 3, !half.hasFraction, unit == 0 || value < 60 else { return nil }
            rest.removeFirst()
            values.append(value)
            half.hasFraction = hasFraction
            let mark: [Token] = [.degree, .minute, .second]
            if let next = rest.first, mark.contains(next) {
                guard next == mark[unit] else { return nil }
                half.isMarked = true
                rest.removeFirst()
            }
            unit += 1
        }
        guard rest.isEmpty, !values.isEmpty else { return nil }
        // Minutes without a sign or a letter may just as well be something else.
        guard values.count == 1 || half.isMarked || half.letter != nil else { return nil }
        half.isMarked = half.isMarked || half.letter != nil
        half.depth = values.count
        half.degrees = values.enumerated().reduce(0) { sum, part in
            sum + part.element / [1, 60, 3600][part.offset]
        }
        if half.letter != nil {
            guard sign == nil else { return nil }
            sign = half.letter == "S" || half.letter == "W" ? -1 : 1
        }
        half.degrees *= sign ?? 1
        return half
    }

    /// The tokens of a text; nil when it contains anything else.
    private static func tokens(of text: Substring, decimal: Character) -> [Token]? {
        var tokens: [Token] = []
        var rest = text
        var isAfterBlank = true
        while let character = rest.first {
            rest.removeFirst()
            let wasAfterBlank = isAfterBlank
            isAfterBlank = character == " "
            switch character {
            case " ": continue
            case "°": tokens.append(.degree)
            case "'": tokens.append(.minute)
            case "\"": tokens.append(.second)
            case "+", "-":
                // A sign directly after a number begins the next one only in ISO 6709: `+48.2082+016.3738/`.
                let isBehindNumber = !wasAfterBlank && tokens.last?.isNumber == true
                guard rest.first?.isDigit == true, !isBehindNumber || tokens.first?.isSign == true else { return nil }
                tokens.append(.sign(character == "-" ? -1 : 1))
            case ",", ";", "/":
                if rest.allSatisfy({ $0 == " " || $0 == "/" }) { continue }
                tokens.append(.separator(isClear: character == ";" || character == "," && rest.first == " "))
            case ":":
                // `48:12:29.5 N`
                guard tokens.last?.isNumber == true, rest.first?.isDigit == true else { return nil }
                isAfterBlank = true
            case _ where character.isDigit:
                guard wasAfterBlank || tokens.last?.isNumber != true else { return nil }
                var digits = String(character)
                var hasFraction = false
                while let next = rest.first {
                    if next == decimal, !hasFraction, rest.dropFirst().first?.isDigit == true {
                        hasFraction = true
                        digits.append(".")
                    } else if next.isDigit {
                        digits.append(next)
                    } else {
                        break
                    }
                    rest.removeFirst()
                }
                // `24.12.2026` is a date, and `5a` a house number.
                guard rest.first != ".", digits.utf8.count <= 24, let value = Double(digits) else { return nil }
                tokens.append(.number(value, hasFraction: hasFraction))
            case _:
                let word = (String(character) + rest.prefix { $0.isLetter }).uppercased()
                rest = rest.drop { $0.isLetter }
                if let letter = self.letters[word] {
                    tokens.append(.letter(letter))
                } else if Self.names[tokens.isEmpty ? 0 : 1].contains(word) {
                    // `lat: 48.2082, lon: 16.3738`
                    if rest.first == ":" || rest.first == "=" { rest.removeFirst() }
                    isAfterBlank = true
                } else {
                    return nil
                }
            }
        }
        return tokens
    }
}

extension Character {
    /// Whether it is a digit of ASCII.
    fileprivate var isDigit: Bool { self.isASCII && self.isNumber }
}
