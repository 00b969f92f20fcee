// libcurl's own limit of connections a host counts the time in which a request waits against its timeout. So requests wait here,
// and libcurl sees only those whose turn has come.

/// Requests by host: those under way are counted, and those beyond what the host is asked at once wait in their order.
struct HostQueue {
    /// A request that waits.
    struct Waiting: Equatable {
        let id: UInt64
        let deadline: Int64
        /// How many may be with the host at a time when it begins.
        let concurrency: Int
    }

    /// Whether a request was added.
    enum Admission: Equatable {
        case begins
        case waits
        case refused
    }

    private struct Host {
        var running = 0
        var waiting: [Waiting] = []
    }

    private let limit: Int
    private var hosts: [String: Host] = [:]

    /// Begins empty; at most `limit` requests wait for one host.
    init(limit: Int) { self.limit = limit }

    /// When the first request that waits has waited in vain; nil when none waits.
    var nextDeadline: Int64? { self.hosts.values.lazy.flatMap { $0.waiting.lazy.map(\.deadline) }.min() }

    /// Adds a request.
    mutating func add(_ request: Waiting, to host: String) -> Admission {
        var entry = self.hosts[host] ?? Host()
        defer { self.hosts[host] = entry }
        if entry.waiting.isEmpty, entry.running < request.concurrency {
            entry.running += 1
            return .begins
        }
        guard entry.waiting.count < self.limit else { return .refused }
        entry.waiting.append(request)
        return .waits
    }

    /// Notes that a request of a host has ended.
    ///
    /// - Returns: the ids of those that begin in its place.
    mutating func end(at host: String) -> [UInt64] {
        guard var entry = self.hosts[host] else { return [] }
        entry.running -= 1
        var begun: [UInt64] = []
        while let first = entry.waiting.first, entry.running < first.concurrency {
            entry.waiting.removeFirst()
            entry.running += 1
            begun.append(first.id)
        }
        self.hosts[host] = entry.running == 0 && entry.waiting.isEmpty ? nil : entry
        return begun
    }

    /// Removes a request that waits; nothing when it does not.
    mutating func remove(_ id: UInt64, from host: String) {
        self.hosts[host]?.waiting.removeAll { $0.id == id }
    }

    /// Removes the requests whose time is over.
    ///
    /// - Returns: their ids.
    mutating func removeExpired(now: Int64) -> [UInt64] {
        var expired: [UInt64] = []
        for host in self.hosts.keys {
            self.hosts[host]?.waiting.removeAll { request in
                guard request.deadline <= now else { return false }
                expired.append(request.id)
                return true
            }
        }
        return expired
    }
}
