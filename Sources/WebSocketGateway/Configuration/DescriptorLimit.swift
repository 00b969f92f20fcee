import Glibc
import Synchronization

/// The process's limit on open descriptors, set once for all gateways in it.
///
/// libwebsockets sizes its tables by the limit and scans them at each close, so the limit is set near the real need.
/// Only the first claim lowers it. Later, open descriptors may have numbers above a lower limit. A child process closes
/// them, and that would fail, so no program could be started.
enum DescriptorLimit {
    private struct Claims {
        /// The descriptors that the gateways need now.
        var wanted = 0
        /// The current limit; 0 before the first claim.
        var limit = 0
    }

    private static let claims = Mutex(Claims())

    /// Reserves `count` more descriptors.
    ///
    /// - Returns: the limit that is now in force.
    static func claim(_ count: Int) throws(GatewayError) -> Int {
        let (outcome, wanted) = self.claims.withLock { claims -> (Int?, Int) in
            let wanted = claims.wanted + count
            let needed = max(wanted, claims.limit)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_max = max(limit.rlim_max, rlim_t(needed))
            limit.rlim_cur = rlim_t(needed)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
                // Only root may raise the hard limit.
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                guard limit.rlim_max >= rlim_t(needed) else { return (nil, wanted) }
                limit.rlim_cur = rlim_t(needed)
                guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return (nil, wanted) }
            }
            claims = Claims(wanted: wanted, limit: needed)
            return (needed, wanted)
        }
        guard let outcome else {
            throw GatewayError(
                .tooFewDescriptors,
                message:
                    "\(wanted) file descriptors are needed; raise the hard limit (ulimit -Hn) or lower --max-connections"
            )
        }
        return outcome
    }

    /// The number of descriptors below the hard limit that are not claimed.
    static var available: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_max) - self.claims.withLock { $0.wanted }
    }

    /// Releases a claim.
    ///
    /// The limit itself stays.
    static func release(_ count: Int) { self.claims.withLock { $0.wanted -= count } }
}
