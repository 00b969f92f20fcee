/// What mistakes people make when they write a name.
package enum Spelling {
    /// How many letters of `text` are too many, missing, wrong, or in the place of their neighbour, against `name`.
    ///
    /// The optimal string alignment distance (Boytsov, "Indexing Methods for Approximate Dictionary Searching", 2011): no part
    /// is changed twice. Takes time in proportion to the product of the lengths.
    package static func distance(_ text: String, _ name: String) -> Int {
        let (one, other) = (Array(text.utf8), Array(name.utf8))
        guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in 1...one.count {
            var current = [row] + Array(repeating: 0, count: other.count)
            for column in 1...other.count {
                let cost = one[row - 1] == other[column - 1] ? 0 : 1
                var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + cost)
                if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
                    best = min(best, beforeLast[column - 2] + 1)
                }
                current[column] = best
            }
            beforeLast = last
            last = current
        }
        return last[other.count]
    }

    /// How many mistakes a text of so many letters may have.
    package static func tolerance(letters: Int) -> Int { letters <= 5 ? 1 : letters <= 10 ? 2 : 3 }

    /// The text with two neighbours swapped, each pair in turn.
    package static func swaps(of text: String) -> [String] {
        var letters = Array(text.utf8)
        var swaps: [String] = []
        for index in letters.indices.dropLast() where letters[index] != letters[index + 1] {
            letters.swapAt(index, index + 1)
            // A space never comes to an end.
            if letters.first != UInt8(ascii: " "), letters.last != UInt8(ascii: " ") {
                swaps.append(String(decoding: letters, as: UTF8.self))
            }
            letters.swapAt(index, index + 1)
        }
        return swaps
    }
}
