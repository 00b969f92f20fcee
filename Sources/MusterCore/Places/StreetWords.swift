/// Words that indicate an adjacent street name, and words that carry little information.
enum StreetWords {
    /// Words that follow the name, as in `Downing Street`; `st` is `saint` in a key.
    static let afterName: Set<String> = [
        "allee", "av", "ave", "avenue", "blvd", "boulevard", "court", "ct", "dr", "drive", "gasse", "highway", "hwy",
        "lane", "ln", "pl", "place", "platz", "rd", "road", "saint", "sq", "square", "st", "str", "strasse", "street",
        "way", "weg",
    ]

    /// Words that precede the name: `Rua Augusta`.
    static let beforeName: Set<String> = [
        "avenida", "avenue", "boulevard", "calle", "carrer", "carrera", "chemin", "corso", "jalan", "jl", "passeig",
        "piazza", "place", "plaza", "quai", "rua", "rue", "ul", "ulica", "ulitsa", "via", "viale",
    ]

    /// Endings of street names: `Friedrichstrasse`.
    static let endings = [
        "allee", "gasse", "gata", "gatan", "katu", "laan", "platz", "plein", "straat", "strasse", "tie", "utca",
        "vagen",
        "weg",
    ]

    /// Words that carry little information.
    static let weak: Set<String> = [
        "ave", "avenue", "calle", "city", "county", "de", "der", "in", "la", "le", "near", "of", "province", "rd",
        "road",
        "rue", "st", "state", "street", "the", "via",
    ]

    /// Whether a word precedes a street's name; at the beginning of a part other words may too, as in `Av. Paulista`.
    static func precedesName(_ word: GeocodeQuery.Word, leads: Bool) -> Bool {
        Self.beforeName.contains(word.text)
            || leads
                && (word.text != "saint" && Self.afterName.contains(word.text) || word.mayStandFor(Self.beforeName))
    }

    /// Whether a word follows a street's name.
    static func followsName(_ word: GeocodeQuery.Word) -> Bool {
        Self.afterName.contains(word.text) || word.mayStandFor(Self.afterName)
    }

    /// Whether a word is a name with the ending of a street.
    static func hasEnding(_ word: GeocodeQuery.Word) -> Bool {
        Self.endings.contains { word.text.utf8.count > $0.utf8.count && word.text.hasSuffix($0) }
            || StreetAbbreviations.ending(of: word.text, isStopped: word.isStopped)?.full.isEmpty == false
    }
}

extension GeocodeQuery.Word {
    /// Whether the word may be an abbreviation of one of these; a single letter needs a full stop.
    fileprivate func mayStandFor(_ words: Set<String>) -> Bool {
        (self.isStopped || self.text.utf8.count > 1)
            && StreetAbbreviations.fullWords(of: self.text).contains { words.contains($0) }
    }
}
