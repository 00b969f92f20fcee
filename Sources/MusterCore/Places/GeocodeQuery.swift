// A query is a list of words (of its key) in comma-separated parts. The units of lookup are spans: up to six
// consecutive words.
//
// Weights: a word's weight is its length, at least 2. It is multiplied by 0.3 if the word carries little information
// (`StreetWords.weak`), has a digit, or belongs to the street part. Few gazetteers contain streets. The street part
// runs from the first word
// - to a word that follows a street's name (`Downing Street`) or ends like one (`Friedrichstrasse`), and the number
//   after it;
// - or, after a word that precedes the name (`Rua Augusta 100`), to the number or to the comma; without either it is
//   that word alone.
// The last word of a query never belongs to the street part, because it usually names the town.

/// A search query, split into words.
package struct GeocodeQuery: Sendable {
    /// The maximum number of words that are used from the beginning and the end of a query.
    static let longest = (first: 4, last: 8)
    /// The maximum number of words of a span.
    static let longestSpan = 6
    /// The maximum number of spans that are searched with spelling errors.
    static let fuzzySpans = 8
    /// The minimum number of letters of such a span, and of a word prefix.
    static let (shortestFuzzy, shortestBeginning) = (4, 3)

    /// Consecutive words of a query.
    package struct Span: Sendable, Equatable {
        /// The indices of the words in the query.
        package let words: Range<Int>
        /// The key of the words.
        package let key: String
        /// Alternative keys with the abbreviations of streets written in full, the likeliest first.
        package let fullKeys: [String]
        /// Alternative keys with full words abbreviated.
        let shortKeys: [String]
        /// One bit per word.
        let mask: UInt16
        /// The total weight of the words.
        let weight: Double
        /// Whether the words form a complete comma-separated part.
        let isWholePart: Bool
        /// Whether the query begins or ends with them.
        let isAtEnd: Bool

        /// The number of letters and digits.
        var letterCount: Int { self.key.letterCount }

        /// The keys of names that the span equals.
        package var keys: [String] { [self.key] + self.fullKeys + self.shortKeys }
    }

    /// A word of a query.
    struct Word {
        let text: String
        /// Whether a full stop ends it.
        var isStopped = false
        /// Whether only a full stop separates it from the previous word.
        var isClose = false
    }

    /// The words.
    package let words: [String]
    /// The weight of each word.
    package let weights: [Double]
    /// All spans.
    package let spans: [Span]
    /// Whether the query begins with a street.
    package let hasStreetPart: Bool
    private let parts: [Int]
    /// The total weight of all words.
    let weight: Double
    /// The words that carry little information, one bit each.
    let weakMask: UInt16

    /// Parses a query.
    ///
    /// - Parameter parts: the keys of its comma-separated parts; full stops may mark abbreviations.
    package init(parts: [String]) {
        var words: [(word: Word, part: Int)] = []
        for (number, part) in parts.enumerated() {
            words += part.split(separator: " ").flatMap(Word.words).map { ($0, number) }
        }
        if words.count > Self.longest.first + Self.longest.last {
            words = Array(words.prefix(Self.longest.first) + words.suffix(Self.longest.last))
        }
        let texts = words.map(\.word.text)
        let places = words.map(\.part)
        let street = Self.streetPart(words.map(\.word), places)
        let weights = texts.enumerated().map { index, word in
            let isLight = StreetWords.weak.contains(word) || word.hasDigit || street.contains(index)
            return Double(max(2, word.utf8.count)) * (isLight ? 0.3 : 1)
        }
        var spans: [Span] = []
        for start in texts.indices {
            for end in start + 1...min(start + Self.longestSpan, texts.count) {
                let range = start..<end
                let isWhole =
                    places[start] == places[end - 1] && (start == 0 || places[start - 1] != places[start])
                    && (end == texts.count || places[end] != places[start])
                let spellings = StreetSpelling.keys(of: words[range].map(\.word))
                spans.append(
                    Span(
                        words: range,
                        key: texts[range].joined(separator: " "),
                        fullKeys: spellings.full,
                        shortKeys: spellings.short,
                        mask: range.reduce(0) { $0 | 1 << UInt16($1) },
                        weight: weights[range].reduce(0, +),
                        isWholePart: isWhole,
                        isAtEnd: start == 0 || end == texts.count
                    )
                )
            }
        }
        self.words = texts
        self.weights = weights
        self.spans = spans
        self.hasStreetPart = !street.isEmpty
        self.parts = places
        self.weight = weights.reduce(0, +)
        self.weakMask = texts.indices.reduce(0) { StreetWords.weak.contains(texts[$1]) ? $0 | 1 << UInt16($1) : $0 }
    }

    /// The indices of the spans that end with the last word, when it is long enough to be a prefix of a name's word.
    package var beginnings: [Int] {
        guard let last = self.words.last, last.utf8.count >= Self.shortestBeginning else { return [] }
        return self.spans.indices.filter { self.spans[$0].words.upperBound == self.words.count }
    }

    /// The indices of the spans to search with spelling errors: complete parts first, then by the number of words.
    ///
    /// Spans in `areas`, which name an area, are excluded.
    func fuzzySpans(besides areas: Set<Int>) -> [Int] {
        let able = self.spans.indices.filter { index in
            !areas.contains(index) && self.spans[index].key.utf8.count(where: \.isLetter) >= Self.shortestFuzzy
        }
        let order = able.sorted { left, right in
            let (one, other) = (self.spans[left], self.spans[right])
            if one.isWholePart != other.isWholePart { return one.isWholePart }
            if one.words.count != other.words.count { return one.words.count < other.words.count }
            if one.letterCount != other.letterCount { return one.letterCount > other.letterCount }
            return left < right
        }
        return Array(order.prefix(Self.fuzzySpans))
    }

    /// The keys to search with spelling errors, with the indices of their spans: those of `fuzzySpans`, and a few with
    /// abbreviations written in full.
    package func fuzzyKeys(besides areas: Set<Int>) -> [(number: Int, key: String)] {
        let spans = self.fuzzySpans(besides: areas)
        let full = spans.flatMap { number in self.spans[number].likelyKeys.map { (number: number, key: $0) } }
        return spans.map { ($0, self.spans[$0].key) } + full.prefix(Self.fuzzySpans)
    }

    /// The word indices of the street part; empty when there is none.
    private static func streetPart(_ words: [Word], _ parts: [Int]) -> Range<Int> {
        var end = 0
        for index in words.indices.dropLast() {
            let word = words[index]
            let leads = index == 0 || parts[index - 1] != parts[index]
            let follows = !leads && StreetWords.followsName(word)
            if follows || StreetWords.hasEnding(word) {
                let isNumbered = parts[index + 1] == parts[index] && words[index + 1].text.hasDigit
                end = max(end, index + (isNumbered ? 2 : 1))
            } else if StreetWords.precedesName(word, leads: leads) {
                let partEnd = parts[index...].firstIndex { $0 != parts[index] } ?? words.count
                let number = words[index..<partEnd].firstIndex { $0.text.hasDigit }
                end = max(end, number.map { $0 + 1 } ?? (partEnd < words.count ? partEnd : index + 1))
            }
        }
        return 0..<min(end, max(0, words.count - 1))
    }
}

extension GeocodeQuery.Span {
    /// The full keys that are also searched with spelling errors.
    var likelyKeys: ArraySlice<String> { self.fullKeys.prefix(2) }
}

extension GeocodeQuery.Word {
    /// The words in a piece of a key without blanks: `hauptstr.5` has two.
    fileprivate static func words(_ piece: Substring) -> [GeocodeQuery.Word] {
        let texts = piece.split(separator: ".")
        return texts.enumerated().map { number, text in
            GeocodeQuery.Word(
                text: String(text),
                isStopped: number < texts.count - 1 || piece.hasSuffix("."),
                isClose: number > 0
            )
        }
    }
}

extension String {
    /// The number of letters and digits of a key.
    var letterCount: Int { self.utf8.count { $0 != UInt8(ascii: " ") } }

    /// Whether a key contains a digit.
    fileprivate var hasDigit: Bool { self.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
}

extension UInt8 {
    /// Whether the byte is a letter of a key.
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
