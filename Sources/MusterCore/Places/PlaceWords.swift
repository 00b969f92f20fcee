// What is ASCII already becomes a key here; how letters of all scripts become ASCII is no business of the core.
//
// Apostrophes and full stops vanish (`St. John's` is `saint johns`), whatever else is no letter and no digit parts words, and
// five words have one spelling.

/// Turns ASCII text into the words of a key.
package enum PlaceWords {
    private static let spellings: [String: String] = [
        "st": "saint", "sankt": "saint", "ste": "sainte", "mt": "mount", "ft": "fort",
    ]

    /// The key of a text in ASCII, of either case; other bytes part words.
    package static func key(ascii text: some Sequence<UInt8>) -> String {
        var key: [UInt8] = []
        var wordStart = 0
        func endWord() {
            guard key.count > wordStart else { return }
            // Only words of two to five letters have another spelling.
            if key.count - wordStart <= 5,
                let spelling = Self.spellings[String(decoding: key[wordStart...], as: UTF8.self)]
            {
                key.removeSubrange(wordStart...)
                key.append(contentsOf: spelling.utf8)
            }
            key.append(UInt8(ascii: " "))
            wordStart = key.count
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): key.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): key.append(byte + 32)
            case UInt8(ascii: "'"), UInt8(ascii: "."): break
            case _: endWord()
            }
        }
        endWord()
        if !key.isEmpty { key.removeLast() }
        return String(decoding: key, as: UTF8.self)
    }

    /// Whether a text among the names of a place that is no area is the code of an airport, which is no name: three capitals.
    package static func isAirportCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
