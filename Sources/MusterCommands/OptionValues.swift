/// The values of a command's options from all sources, and the operands.
package struct OptionValues: Sendable {
    /// The operands, in order.
    package var operands: [String] = []
    private var given: [String: [String]] = [:]
    private let options: [Option]

    /// Creates empty values.
    init(options: [Option]) { self.options = options }

    /// Whether any source has set the option.
    package func isGiven(_ name: String) -> Bool { self.given[name] != nil }

    /// Whether a flag is on.
    package func flag(_ name: String) -> Bool { self.given[name] == ["true"] }

    /// The value of an option, or its default.
    package func text(_ name: String) -> String? {
        self.given[name]?.last ?? self.options.first { $0.name == name }?.fallback
    }

    /// All values of a repeatable option.
    package func texts(_ name: String) -> [String] { self.given[name] ?? [] }

    /// The value of an option as an integer.
    ///
    /// - Throws: when it is not an integer in `range`.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let text = self.text(name) else { throw UsageError("--\(name) is required") }
        guard let value = Int(text), range.contains(value) else {
            throw UsageError(
                "--\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
            )
        }
        return value
    }

    /// The value of an option as a number.
    ///
    /// - Throws: when it is not a number in `range`.
    package func number(_ name: String, in range: ClosedRange<Double>) throws(UsageError) -> Double {
        guard let text = self.text(name) else { throw UsageError("--\(name) is required") }
        guard let value = Double(text), range.contains(value) else {
            throw UsageError(
                "--\(name) must be a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
            )
        }
        return value
    }

    /// Sets an option, replacing values of lower priority.
    package mutating func set(_ name: String, to values: [String]) { self.given[name] = values }

    /// Appends a value to an option.
    package mutating func append(_ name: String, _ value: String) { self.given[name, default: []].append(value) }
}
