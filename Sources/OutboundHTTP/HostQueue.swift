// With libcurl's own limit of connections a host, the waiting time of a request counts against its timeout. So requests
// wait here, and libcurl gets only those that may start.

/// Requests by host.
///
/// Running requests are counted, and requests beyond the concurrency limit of a host wait in order.
struct HostQueue {
    /// A waiting request.
    struct Waiting: Equatable {
        let id: UInt64
        let deadline: Int64
        /// The maximum number of concurrent requests to the host when this one starts.
        let concurrency: Int
    }

    /// The result of adding a request.
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

    /// Creates an empty queue.
    ///
    /// At most `limit` requests wait for one host.
    init(limit: Int) { self.limit = limit }

    /// The earliest deadline of the waiting requests; nil when none waits.
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

    /// Records that a request to a host has ended.
    ///
    /// - Returns: the ids of the waiting requests that start now.
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

    /// Removes a waiting request, if there is one with this id.
    mutating func remove(_ id: UInt64, from host: String) {
        self.hosts[host]?.waiting.removeAll { $0.id == id }
    }

    /// Removes the requests whose deadline has passed.
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
