import Synchronization

/// Counts sign-ins by provider and outcome.
final class SignInStatistics: Sendable {
    /// The outcome of a step of a sign-in.
    enum Outcome: String, Sendable, CaseIterable {
        case login
        case newAccount = "new_account"
        case link
        case confirm
        /// The provider announced the end of a session.
        case logout
        /// The person or the provider declined.
        case denied
        /// A state or ticket was unknown, used or too old.
        case gone
        case refused
        /// The account is not let in by the configuration.
        case forbidden
        case conflict
        case unavailable
    }

    /// A counter's labels.
    struct Key: Hashable, Sendable {
        let provider: String
        let outcome: Outcome
    }

    private let state = Mutex<[Key: Int]>([:])

    /// The counters so far.
    var counts: [Key: Int] { self.state.withLock { $0 } }

    /// Counts an outcome.
    func note(_ outcome: Outcome, _ provider: String) {
        self.state.withLock { $0[Key(provider: provider, outcome: outcome), default: 0] += 1 }
    }
}

extension MetricsPage {
    /// The metrics of sign-ins.
    static let signIns: [Metric<[SignInStatistics.Key: Int]>] = [
        Metric("muster_auth_total", .counter, "Sign-ins by other providers, by provider and outcome.") { counts in
            let sorted = counts.sorted {
                ($0.key.provider, $0.key.outcome.rawValue) < ($1.key.provider, $1.key.outcome.rawValue)
            }
            return .samples(
                sorted.map { ([("provider", $0.key.provider), ("outcome", $0.key.outcome.rawValue)], $0.value) }
            )
        }
    ]
}
