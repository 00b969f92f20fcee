import Foundation

/// What processes have used so far, from `/proc` and their clocks.
enum ProcessUsage {
    /// Processor time of a process and all its threads, in nanoseconds; 0 when it is gone.
    static func processorNanoseconds(of process: Int32) -> Int64 {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Processor time of a process, its children and those that have ended, in nanoseconds; for PostgreSQL.
    ///
    /// In steps of the kernel's tick, usually 10 ms.
    static func familyProcessorNanoseconds(of parent: Int32) -> Int64 {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var ticks: Int64 = 0
        for case let process? in names.map({ Int32($0) }) {
            guard let fields = self.statFields(of: process) else { continue }
            // Fields of proc(5), counted from the state, the third: ppid, utime, stime, cutime, cstime.
            if process == parent {
                ticks += [11, 12, 13, 14].reduce(0) { $0 + (Int64(fields[$1]) ?? 0) }
            } else if fields[1] == String(parent) {
                ticks += [11, 12].reduce(0) { $0 + (Int64(fields[$1]) ?? 0) }
            }
        }
        return ticks * (1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
    }

    /// Processor time of the calling thread, in nanoseconds.
    static var threadNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Descriptors that a child process may have open.
    static var descriptorLimit: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_max)
    }

    /// Processor time of each of a process's threads by name, in nanoseconds.
    static func threadProcessorNanoseconds(of process: Int32) -> [String: Int64] {
        let folder = "/proc/\(process)/task"
        var usage: [String: Int64] = [:]
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let name = self.text("\(folder)/\(thread)/comm"),
                let used = self.text("\(folder)/\(thread)/schedstat")?.split(separator: " ").first.flatMap({ Int64($0) }
                )
            else { continue }
            usage[name.trimmingCharacters(in: .whitespacesAndNewlines), default: 0] += used
        }
        return usage
    }

    /// How often threads of a process gave their processor up to wait for something.
    static func voluntarySwitches(of process: Int32) -> Int64 {
        let folder = "/proc/\(process)/task"
        var switches: Int64 = 0
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let lines = self.text("\(folder)/\(thread)/status")?.split(separator: "\n") ?? []
            let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
            switches += line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int64($0) } ?? 0
        }
        return switches
    }

    /// Memory that is resident now, in bytes.
    static func residentBytes(of process: Int32) -> Int { self.statusBytes("VmRSS", of: process) }

    /// The most memory that was resident since the start or the last `resetPeak`, in bytes.
    static func peakResidentBytes(of process: Int32) -> Int { self.statusBytes("VmHWM", of: process) }

    /// Lets the peak begin at what is resident now.
    static func resetPeak(of process: Int32) {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(process)/clear_refs"))
    }

    private static func statusBytes(_ name: String, of process: Int32) -> Int {
        let lines = self.text("/proc/\(process)/status")?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("\(name):") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    private static func statFields(of process: Int32) -> [Substring]? {
        // The name may hold anything; the last parenthesis ends it.
        guard let text = self.text("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
        return fields.count > 15 ? fields : nil
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
