// This converts ASCII text to keys; the transliteration of other scripts to ASCII is not part of the core.
//
// Apostrophes and full stops are removed (`St. John's` is `saint johns`). All other characters that are neither letters
// nor digits separate words. Five words have a normalised spelling.

/// Converts ASCII text into the words of a key.
package enum PlaceWords {
    private static let spellings: [String: String] = [
        "st": "saint", "sankt": "saint", "ste": "sainte", "mt": "mount", "ft": "fort",
    ]

    /// Returns the key of an ASCII text of either case; other bytes separate words.
    ///
    /// - Parameters:
    ///   - text: the text to convert.
    ///   - keepsStops: whether full stops stay, except in initials: `Hauptstr.5` is `hauptstr.5`, `V.le Roma` is
    ///     `vle roma`.
    /// - Returns: the key; empty when there is neither a letter nor a digit.
    package static func key(ascii text: some Sequence<UInt8>, keepsStops: Bool = false) -> String {
        var key: [UInt8] = []
        var wordStart = 0
        var isStopped = false
        // Letters since the last full stop or the beginning of the word.
        var run = 0
        func endChange() {
            defer { (isStopped, run) = (false, 0) }
            guard key.count > wordStart else { return }
            // Only words of two to five letters have another spelling.
            if key.count - wordStart <= 5,
                let spelling = Self.spellings[String(decoding: key[wordStart...], as: UTF8.self)]
            {
                key.removeSubrange(wordStart...)
                key.append(contentsOf: spelling.utf8)
            }
            if isStopped { key.append(UInt8(ascii: ".")) }
            key.append(UInt8(ascii: " "))
            wordStart = key.count
        }
        func append(_ byte: UInt8) {
            if isStopped {
                // A single letter before a full stop is an initial.
                if run > 1 {
                    endChange()
                    key.removeLast()
                    wordStart = key.count
                }
                (isStopped, run) = (false, 0)
            }
            key.append(byte)
            run += 1
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): append(byte + 32)
            case UInt8(ascii: "."): isStopped = keepsStops && key.count > wordStart
            case UInt8(ascii: "'"): break
            case _: endChange()
            }
        }
        endChange()
        if !key.isEmpty { key.removeLast() }
        return String(decoding: key, as: UTF8.self)
    }

    /// Whether a name of a place that is not an area is an airport code, which is no name: three capital letters.
    package static func isAirportCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
