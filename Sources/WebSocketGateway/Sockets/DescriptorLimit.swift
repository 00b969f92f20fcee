import Glibc
import Synchronization

/// The process's limit on open descriptors, set once for all gateways in it.
///
/// libwebsockets sizes its tables by the limit and scans them at each close, so it is set near the real need.
enum DescriptorLimit {
    private static let claimed = Mutex(0)

    /// Makes room for `count` more descriptors.
    ///
    /// - Returns: the limit that now holds.
    static func claim(_ count: Int) throws(GatewayError) -> Int {
        let (outcome, wanted) = self.claimed.withLock { claimed -> (Int?, Int) in
            let wanted = claimed + count
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_max = max(limit.rlim_max, rlim_t(wanted))
            limit.rlim_cur = rlim_t(wanted)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
                // Only root may raise the hard limit.
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                guard limit.rlim_max >= rlim_t(wanted) else { return (nil, wanted) }
                limit.rlim_cur = rlim_t(wanted)
                guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return (nil, wanted) }
            }
            claimed = wanted
            return (wanted, wanted)
        }
        guard let outcome else {
            throw GatewayError(
                .tooFewDescriptors,
                message: "\(wanted) descriptors are needed; raise the hard limit (ulimit -Hn) or lower the cap"
            )
        }
        return outcome
    }

    /// How many descriptors the hard limit leaves for claims.
    static var available: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_max) - self.claimed.withLock { $0 }
    }

    /// Gives back what `claim` took; the limit itself stays.
    static func release(_ count: Int) { self.claimed.withLock { $0 -= count } }
}
