import Synchronization

/// The open sockets and the connection rates by network: a whole IPv4 address, or 64 bits of an IPv6 address.
final class AdmissionBook: Sendable {
    private struct Network {
        var open = 0
        var tokens: Double
        var refilled: Int64
    }

    private struct State: ~Copyable {
        var open = 0
        var networks: [String: Network] = [:]
        var nextSweep: Int64 = 0
    }

    private let limits: GatewayConfiguration.Limits
    private let state = Mutex(State())

    init(limits: GatewayConfiguration.Limits) { self.limits = limits }

    /// Admits a new socket of `address`, or returns the reason for a refusal.
    func admit(_ address: String, now: Int64) -> RefusalReason? {
        self.state.withLock { state in
            guard state.open < self.limits.connections else { return .connectionCap }
            guard !self.isExempt(address) else {
                state.open += 1
                return nil
            }
            self.sweep(&state, now: now)
            let network = ClientAddress.network(of: address)
            let rate = Double(self.limits.connectsPerSecondPerAddress)
            let burst = rate * 10
            var entry = state.networks[network] ?? Network(tokens: burst, refilled: now)
            entry.tokens = min(burst, entry.tokens + rate * Double(now - entry.refilled) / 1000)
            entry.refilled = now
            defer { state.networks[network] = entry }
            guard entry.tokens >= 1 else { return .connectRate }
            entry.tokens -= 1
            guard entry.open < self.limits.connectionsPerAddress else { return .addressCap }
            entry.open += 1
            state.open += 1
            return nil
        }
    }

    /// Releases an admission.
    func release(_ address: String) {
        self.state.withLock { state in
            state.open -= 1
            guard !self.isExempt(address) else { return }
            state.networks[ClientAddress.network(of: address)]?.open -= 1
        }
    }

    /// Once a minute, removes networks that have no open socket and a full token bucket.
    private func sweep(_ state: inout State, now: Int64) {
        guard now >= state.nextSweep else { return }
        state.nextSweep = now + 60_000
        state.networks = state.networks.filter { $0.value.open > 0 || now - $0.value.refilled < 10_000 }
    }

    private func isExempt(_ address: String) -> Bool {
        if self.limits.exemptsLoopback, address.hasPrefix("127.") || address == "::1" { return true }
        return self.limits.exemptAddresses.contains(address)
    }
}
