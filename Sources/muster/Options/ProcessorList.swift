import EventLoop
import MusterCommands

/// The processors of an option: numbers and ranges separated by commas, as in `0,2-3`.
struct ProcessorList: Equatable {
    /// The numbers in the given order.
    let numbers: [Int]

    /// Parses the value of an option.
    ///
    /// - Throws: when it is not such a list, or contains a processor that this process may not use.
    init(_ text: String, option: String, usable: [Int] = Processors.usable) throws(UsageError) {
        var numbers: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
            guard let first = ends[0], let last = ends[ends.count - 1], first <= last, last < 65_536 else {
                throw UsageError("--\(option) must be processors such as 0,2-3, not '\(text)'")
            }
            numbers += first...last
        }
        if let missing = numbers.first(where: { !usable.contains($0) }) {
            let names = usable.map(String.init).joined(separator: ", ")
            throw UsageError("--\(option): processor \(missing) is not available to this process, only \(names)")
        }
        self.numbers = numbers
    }
}
