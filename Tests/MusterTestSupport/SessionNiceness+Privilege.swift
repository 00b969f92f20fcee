package import EventLoop
import Foundation

extension SessionNiceness {
    /// Whether this process may let its session go before others: the system tells sessions apart, and grants the privilege.
    package static var canPrefer: Bool {
        guard self.current != nil, let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:") }),
            let capabilities = line.split(separator: "\t").last.flatMap({ UInt64($0, radix: 16) })
        else { return false }
        // CAP_SYS_NICE of capabilities(7).
        return capabilities >> 23 & 1 == 1
    }
}
