import Foundation

/// The machine of a measurement.
struct MachineDescription: Sendable {
    /// The number of processors.
    let cores: Int
    /// The processor's name.
    let model: String
    /// The kernel's release.
    let kernel: String
    /// Memory in bytes.
    let memory: UInt64
    /// Whether this program was compiled with optimisation.
    let isOptimised: Bool

    /// Describes the current machine.
    init() {
        self.cores = ProcessInfo.processInfo.activeProcessorCount
        self.memory = ProcessInfo.processInfo.physicalMemory
        let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = info.split(separator: "\n").first { $0.hasPrefix("model name") }
        self.model = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
        let release = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        self.kernel = release?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
        var isOptimised = true
        // The body of an assertion is compiled in debug builds only.
        assert({ isOptimised = false }() == ())
        self.isOptimised = isOptimised
    }

    /// The description in one line.
    var text: String {
        let gibibytes = Double(self.memory) / 1_073_741_824
        return "\(self.cores) × \(self.model), \(String(format: "%.0f", gibibytes)) GiB, Linux \(self.kernel), "
            + "\(self.isOptimised ? "release" : "DEBUG") build"
    }
}
