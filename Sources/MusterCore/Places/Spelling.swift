/// The comparison of misspelled names.
package enum Spelling {
    /// The number of letters of `text` that are superfluous, missing, wrong or swapped with a neighbour, compared with
    /// `name`.
    ///
    /// The optimal string alignment distance (Boytsov, "Indexing Methods for Approximate Dictionary Searching", 2011):
    /// no substring is edited twice. Time is proportional to the product of the lengths.
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

    /// The maximum number of errors in a text with this number of letters.
    package static func tolerance(letters: Int) -> Int { letters <= 5 ? 1 : letters <= 10 ? 2 : 3 }

    /// The variants of the text with two neighbours swapped, for each pair in turn.
    package static func swaps(of text: String) -> [String] {
        var letters = Array(text.utf8)
        var swaps: [String] = []
        for index in letters.indices.dropLast() where letters[index] != letters[index + 1] {
            letters.swapAt(index, index + 1)
            // A key neither begins nor ends with a space.
            if letters.first != UInt8(ascii: " "), letters.last != UInt8(ascii: " ") {
                swaps.append(String(decoding: letters, as: UTF8.self))
            }
            letters.swapAt(index, index + 1)
        }
        return swaps
    }
}
