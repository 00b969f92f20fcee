import Foundation

/// The measured figures, or their thresholds: both have the same shape.
struct Figures: Codable {
    /// Allocations of one operation in an optimised build, by name.
    var allocations: [String: ThreadCounts] = [:]
    /// The same in a debug build, where code that is not optimised allocates more.
    var debugAllocations: [String: ThreadCounts] = [:]
    /// Allocations of one operation on a value of the core, by name.
    var core: [String: Double] = [:]
    /// Heap bytes of one stored item, by name.
    var bytes: [String: Double] = [:]

    /// The allocations in a build as this one is.
    static var measured: WritableKeyPath<Figures, [String: ThreadCounts]> {
        #if DEBUG
        \.debugAllocations
        #else
        \.allocations
        #endif
    }

    /// Reads a file of thresholds.
    init(contentsOf file: URL) throws {
        self = try JSONDecoder().decode(Figures.self, from: Data(contentsOf: file))
    }

    /// Creates figures without values.
    init() {}

    /// Writes the figures as thresholds, in a form that is easy to compare line by line.
    ///
    /// The allocations of the other build stay as they are in the file.
    func write(to file: URL) throws {
        var rounded = try Figures(contentsOf: file)
        rounded[keyPath: Self.measured] = self[keyPath: Self.measured].mapValues { counts in
            ThreadCounts(
                gatewayAndWorld: (counts.gatewayAndWorld * 100).rounded() / 100,
                journal: (counts.journal * 100).rounded() / 100
            )
        }
        rounded.core = self.core.mapValues { ($0 * 100).rounded() / 100 }
        rounded.bytes = self.bytes.mapValues { $0.rounded() }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (encoder.encode(rounded) + Data("\n".utf8)).write(to: file)
    }

    /// A measured figure and the threshold of the same name.
    struct Pair {
        let name: String
        let measured: Double?
        let threshold: Double?
        let unit: String
    }

    /// All figures and thresholds, paired by name.
    func paired(with thresholds: Figures) -> [Pair] {
        let (ours, permitted) = (self[keyPath: Self.measured], thresholds[keyPath: Self.measured])
        let operations = Set(ours.keys).union(permitted.keys).sorted()
        let allocations = operations.flatMap { name in
            let measured = ours[name]?.named
            let allowed = permitted[name]?.named
            return ["gateway and world", "journal"].enumerated().map { index, thread in
                Pair(
                    name: "\(name), \(thread)",
                    measured: measured?[index].value,
                    threshold: allowed?[index].value,
                    unit: "allocations"
                )
            }
        }
        let kept = Set(self.bytes.keys).union(thresholds.bytes.keys).sorted().map { name in
            Pair(name: name, measured: self.bytes[name], threshold: thresholds.bytes[name], unit: "bytes")
        }
        let core = Set(self.core.keys).union(thresholds.core.keys).sorted().map { name in
            Pair(name: name, measured: self.core[name], threshold: thresholds.core[name], unit: "allocations")
        }
        return allocations + core + kept
    }
}

extension Figures.Pair {
    /// The result of a comparison.
    enum Verdict {
        case good
        /// Above the threshold, or missing on one side.
        case bad(String)
        /// So far below the threshold that the threshold should be lowered.
        case generous
    }

    /// The tolerated excess over a threshold, as a share.
    ///
    /// It covers differences between runs, such as the pieces in which PostgreSQL's answers arrive.
    private static let slack = 0.1

    /// The result of comparing the two.
    var verdict: Verdict {
        guard let measured else { return .bad("is in the file and was not measured") }
        guard let threshold else { return .bad("has no threshold; write one with --update") }
        // Periodic housekeeping adds up to a quarter of an allocation, which matters for a small count.
        if measured > threshold * (1 + Self.slack) + 0.25 { return .bad("is above its threshold") }
        return measured < threshold * 0.8 - 0.25 ? .generous : .good
    }
}
