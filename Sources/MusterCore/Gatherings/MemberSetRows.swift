/// A set of members for each member of a group, in as few words as the group needs.
struct MemberSetRows: Sendable {
    private var words: ContiguousArray<UInt64> = []
    /// The number of words in a row: one for each 64 members.
    private var width = 0

    /// The number of rows.
    private(set) var count = 0

    /// Adds empty rows up to a number of rows.
    mutating func grow(to count: Int) {
        guard count > self.count else { return }
        let width = (count + 63) / 64
        if width != self.width {
            var wider = ContiguousArray<UInt64>(repeating: 0, count: count * width)
            for row in 0..<self.count {
                for word in 0..<self.width { wider[row * width + word] = self.words[row * self.width + word] }
            }
            self.words = wider
            self.width = width
        } else {
            self.words.append(contentsOf: repeatElement(0, count: (count - self.count) * width))
        }
        self.count = count
    }

    /// The set of one member.
    subscript(row: Int) -> MemberSet {
        get { MemberSet(words: self.words[row * self.width..<(row + 1) * self.width]) }
        set { for word in 0..<self.width { self.words[row * self.width + word] = newValue[word: word] } }
    }
}
