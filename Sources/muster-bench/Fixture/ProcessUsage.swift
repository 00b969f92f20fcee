import Foundation

/// The resource usage of processes, from `/proc` and their CPU clocks.
enum ProcessUsage {
    /// The processor time of a process with all its threads, in nanoseconds; 0 when it has ended.
    static func processorNanoseconds(of process: Int32) -> Int64 {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The processor time of a process with its running and ended children, in nanoseconds; for PostgreSQL.
    ///
    /// The resolution is the kernel's clock tick, usually 10 ms.
    static func familyProcessorNanoseconds(of parent: Int32) -> Int64 {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var ticks: Int64 = 0
        for case let process? in names.map({ Int32($0) }) {
            guard let fields = self.statFields(of: process) else { continue }
            // Fields of proc(5), counted from the third one, the state: ppid, utime, stime, cutime, cstime.
            if process == parent {
                ticks += [11, 12, 13, 14].reduce(0) { $0 + (Int64(fields[$1]) ?? 0) }
            } else if fields[1] == String(parent) {
                ticks += [11, 12].reduce(0) { $0 + (Int64(fields[$1]) ?? 0) }
            }
        }
        return ticks * (1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
    }

    /// The processor time of the calling thread, in nanoseconds.
    static var threadNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The maximum number of open descriptors of a child process.
    static var descriptorLimit: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_max)
    }

    /// The processor time of each thread of a process by name, in nanoseconds.
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

    /// The number of voluntary context switches of a process's threads.
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

    /// The resident memory in bytes.
    static func residentBytes(of process: Int32) -> Int { self.statusBytes("VmRSS", of: process) }

    /// The peak of resident memory since the start or the last `resetPeak`, in bytes.
    static func peakResidentBytes(of process: Int32) -> Int { self.statusBytes("VmHWM", of: process) }

    /// Resets the peak to the current resident memory.
    static func resetPeak(of process: Int32) {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(process)/clear_refs"))
    }

    private static func statusBytes(_ name: String, of process: Int32) -> Int {
        let lines = self.text("/proc/\(process)/status")?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("\(name):") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    private static func statFields(of process: Int32) -> [Substring]? {
        // The name may contain any characters; the last parenthesis ends it.
        guard let text = self.text("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
        return fields.count > 15 ? fields : nil
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
