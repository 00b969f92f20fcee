/// Words that say that a street's name stands beside them, and words that say little.
enum StreetWords {
    /// They follow the name, as in `Downing Street`; `st` is `saint` in a key.
    static let afterName: Set<String> = [
        "allee", "av", "ave", "avenue", "blvd", "boulevard", "court", "ct", "dr", "drive", "gasse", "highway", "hwy",
        "lane", "ln", "pl", "place", "platz", "rd", "road", "saint", "sq", "square", "st", "str", "strasse", "street",
        "way", "weg",
    ]

    /// They precede the name: `Rua Augusta`.
    static let beforeName: Set<String> = [
        "avenida", "avenue", "boulevard", "calle", "carrer", "carrera", "chemin", "corso", "jalan", "jl", "passeig",
        "piazza", "place", "plaza", "quai", "rua", "rue", "ul", "ulica", "ulitsa", "via", "viale",
    ]

    /// A word ends in them: `Friedrichstrasse`.
    static let endings = [
        "allee", "gasse", "gata", "gatan", "katu", "laan", "platz", "plein", "straat", "strasse", "tie", "utca",
        "vagen",
        "weg",
    ]

    /// They tell little of what is meant.
    static let weak: Set<String> = [
        "ave", "avenue", "calle", "city", "county", "de", "der", "in", "la", "le", "near", "of", "province", "rd",
        "road",
        "rue", "st", "state", "street", "the", "via",
    ]

    /// Whether a word precedes a street's name; at the beginning others do too, as in `Av. Paulista`.
    static func precedesName(_ word: String, leads: Bool) -> Bool {
        Self.beforeName.contains(word) || leads && word != "saint" && Self.afterName.contains(word)
    }

    /// Whether a word is a name with a street's ending.
    static func hasEnding(_ word: String) -> Bool {
        Self.endings.contains { word.utf8.count > $0.utf8.count && word.hasSuffix($0) }
    }
}
