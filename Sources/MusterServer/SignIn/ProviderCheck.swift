package import EventLoop
import OutboundHTTP

/// The check of a provider for operators: what to register, and whether a sign-in could succeed.
package struct ProviderCheck: Sendable {
    /// The result of a check.
    package struct Report: Sendable {
        /// The findings, a line each.
        package var lines: [String]
        /// Whether a sign-in could succeed.
        package var isUsable: Bool
    }

    /// The greatest harmless difference between the clocks, in seconds.
    private static let tolerance: Int64 = 60

    private let settings: ProviderSettings
    private let site: String
    private let clock: MonotonicClock

    /// Creates a check of a provider for a server at an address.
    package init(_ settings: ProviderSettings, site: String, clock: MonotonicClock = .system) {
        self.settings = settings
        self.site = site
        self.clock = clock
    }

    /// Asks the provider.
    package func run() async -> Report {
        let base = "\(self.site)/v1/auth/\(self.settings.id)"
        var report = Report(
            lines: [
                "register as redirect URI: \(base)/callback",
                "register as back-channel logout URI: \(base)/backchannel-logout",
                "register as post-logout redirect URI: \(self.site)/",
            ],
            isUsable: true
        )
        let client = OutboundClient(userAgent: Providers.userAgent(nil), clock: self.clock)
        let provider = IdentityProvider(self.settings, site: self.site, client: client, clock: self.clock)
        do throws(SignInFailure) {
            let metadata = try await provider.endpoints()
            report.lines.append("endpoints: ok, \(metadata.authorization)")
            report.lines.append("ends sessions: \(metadata.endSession == nil ? "no" : "yes")")
            report.lines.append("revokes tokens: \(metadata.revocation == nil ? "no" : "yes")")
            try await provider.prepare()
            if self.settings.profile == .openID { report.lines.append("keys: ok") }
        } catch {
            report.lines.append("failed: \(error.reason)")
            report.isUsable = false
        }
        if let date = await self.providerSeconds(client) {
            let ahead = self.clock.wallMilliseconds / 1000 - date
            let isFine = abs(ahead) <= Self.tolerance
            report.lines.append(
                isFine ? "clock: ok" : "clock: this machine is \(ahead) s ahead of the provider; set it by NTP"
            )
            report.isUsable = report.isUsable && isFine
        } else {
            report.lines.append("clock: unknown, the provider sends no Date header")
        }
        return report
    }

    /// The provider's time in seconds since the Unix epoch, by its `Date` header.
    private func providerSeconds(_ client: OutboundClient) async -> Int64? {
        guard let url = try? OperatorURL(configured: self.settings.issuer) else { return nil }
        let request = OutboundRequest(url.appending(".well-known", "openid-configuration"))
        return (try? await client.send(request))?.date
    }
}
