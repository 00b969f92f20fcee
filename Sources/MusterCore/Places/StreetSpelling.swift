/// The spellings of consecutive words, some of which may be street words or their abbreviations.
enum StreetSpelling {
    /// The maximum number of keys of each kind.
    private static let longest = 16

    /// A spelling of a word.
    private struct Form {
        let text: String
        /// Whether it is joined to the preceding word.
        var joins = false
        /// Whether it is an abbreviation.
        var isShort = false
    }

    /// The keys with abbreviations written in full or separable words joined, and the keys with full words abbreviated.
    ///
    /// The key of the words as written is not included.
    static func keys(of words: [GeocodeQuery.Word]) -> (full: [String], short: [String]) {
        var keys: [(text: String, isShort: Bool)] = [("", false)]
        for index in words.indices {
            let forms = [Form(text: words[index].text)] + self.forms(of: words[index], at: index, of: words.count)
            guard index > 0 || forms.count > 1 else {
                keys = [(words[index].text, false)]
                continue
            }
            keys = keys.flatMap { key in
                forms.map { form in
                    let gap = index == 0 || form.joins ? "" : " "
                    return ("\(key.text)\(gap)\(form.text)", key.isShort || form.isShort)
                }
            }
            keys = Array(keys.prefix(2 * Self.longest))
        }
        let others = keys.dropFirst()
        return (
            Array(others.filter { !$0.isShort }.map(\.text).prefix(Self.longest)),
            Array(others.filter(\.isShort).map(\.text).prefix(Self.longest))
        )
    }

    /// The alternative forms of a word.
    private static func forms(of word: GeocodeQuery.Word, at index: Int, of count: Int) -> [Form] {
        var forms: [Form] = []
        if word.isClose, index > 0 { forms.append(Form(text: word.text, joins: true)) }
        if let ending = StreetAbbreviations.ending(of: word.text, isStopped: word.isStopped) {
            if ending.full.isEmpty {
                forms.append(Form(text: "\(ending.stem) \(ending.tail)"))
                for short in StreetAbbreviations.shortWords(of: ending.tail) {
                    forms.append(Form(text: ending.stem + short, isShort: true))
                    forms.append(Form(text: "\(ending.stem) \(short)", isShort: true))
                }
            } else {
                forms += ending.full.map { Form(text: ending.stem + $0) }
                forms += ending.full.map { Form(text: "\(ending.stem) \($0)") }
            }
        }
        // A single word is not an abbreviation.
        guard count > 1 else { return forms }
        // `st` before a name means saint.
        let full = word.text == "saint" && index == 0 ? [] : StreetAbbreviations.fullWords(of: word.text)
        forms += full.map { Form(text: $0) }
        if index > 0 {
            forms += (full + [word.text]).filter(StreetAbbreviations.isEnding).map { Form(text: $0, joins: true) }
        }
        forms += StreetAbbreviations.shortWords(of: word.text).map { Form(text: $0, isShort: true) }
        return forms
    }
}
