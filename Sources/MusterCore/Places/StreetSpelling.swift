/// The spellings of words in a row, of which some may be words of streets or their abbreviations.
enum StreetSpelling {
    /// Keys that are kept, of each kind.
    private static let longest = 16

    /// A spelling of a word.
    private struct Form {
        let text: String
        /// Whether it is written together with the word before it.
        var joins = false
        /// Whether it abbreviates.
        var isShort = false
    }

    /// The keys in which abbreviations are written in full, or words that may be parted are joined, and those in which full words
    /// are abbreviated; without the key of the words as they are.
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

    /// The other forms of a word.
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
        // A word alone is what it is.
        guard count > 1 else { return forms }
        // `st` is a saint before a name.
        let full = word.text == "saint" && index == 0 ? [] : StreetAbbreviations.fullWords(of: word.text)
        forms += full.map { Form(text: $0) }
        if index > 0 {
            forms += (full + [word.text]).filter(StreetAbbreviations.isEnding).map { Form(text: $0, joins: true) }
        }
        forms += StreetAbbreviations.shortWords(of: word.text).map { Form(text: $0, isShort: true) }
        return forms
    }
}
