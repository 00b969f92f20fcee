import Cryptography
import EventLoop
import Foundation
import MusterCore
import MusterWire
import OutboundHTTP
import WebSocketGateway

/// Sign-in by the providers of the configuration: the flow from the button to the login, and its end.
///
/// Three secrets of 256 bits belong to a sign-in, each stored as a hash and used once. `state` goes through the
/// provider, `flow` stays in the tab, `ticket` carries the result into the tab. Who knows one of them gains nothing
/// without the others: the PKCE verifier and the nonce are derived from `flow`.
final class SignInService: Sendable {
    /// A sign-in that began: the address to open, and the secret of the tab.
    struct Start: Sendable {
        let url: String
        let flow: String
    }

    /// The result of an exchange.
    enum Result: Sendable {
        case loggedIn(Credentials, isNew: Bool)
        case linked(UserID)
        case confirmed
    }

    private static let longestCode = 4096

    /// The providers in the order of the configuration.
    let providers: [IdentityProvider]
    let statistics = SignInStatistics()
    private let returns: Set<String>
    private let site: String
    private let secretKey: [UInt8]
    private let codes: Sealer
    private let tokens: Sealer
    private let clock: MonotonicClock
    private let logger: Logger
    private let lines: RepeatGate

    /// Creates the providers of a configuration, none without one.
    ///
    /// `site` is the public address of this server, and `secretKey` the secret that its database does not contain.
    init(
        _ configuration: SignInConfiguration?,
        site: String?,
        secretKey: [UInt8],
        userAgent: String,
        clock: MonotonicClock,
        logger: Logger
    ) {
        self.clock = clock
        self.logger = logger
        self.lines = RepeatGate(clock: clock)
        self.secretKey = secretKey
        self.codes = Sealer(secretKey, purpose: "sign-in code")
        self.tokens = Sealer(secretKey, purpose: "provider tokens")
        self.site = site ?? ""
        self.returns = configuration?.returns ?? []
        guard let configuration, let site else {
            self.providers = []
            self.heartbeats = []
            return
        }
        let client = OutboundClient(userAgent: userAgent, clock: clock)
        self.heartbeats = [client.heartbeat]
        self.providers = configuration.providers.map { IdentityProvider($0, site: site, client: client, clock: clock) }
    }

    /// The heartbeats of the HTTP client.
    let heartbeats: [Heartbeat]

    /// The provider of an id.
    ///
    /// - Throws: `notFound`.
    func provider(_ id: String) throws(FrameError) -> IdentityProvider {
        guard let provider = self.providers.first(where: { $0.settings.id == id }) else {
            throw FrameError(.notFound, message: "There is no such sign-in provider.")
        }
        return provider
    }

    // MARK: - The flow

    /// Begins a sign-in.
    ///
    /// - Throws: `notFound`, `badRequest` for an address that could lead elsewhere, `unavailable`.
    func start(
        _ id: String,
        purpose: SignInPurpose,
        asker: Authentication?,
        returnTo: String,
        isFresh: Bool,
        in directory: Directory
    ) async throws -> Start {
        let provider = try self.provider(id)
        guard let address = ReturnAddress(returnTo, admitted: self.returns) else {
            throw FrameError(
                .badRequest,
                message:
                    "return must be a path of this server with one slash in front, or one of the configuration's returns.",
                field: "return"
            )
        }
        let (state, tab) = (AccessToken(), AccessToken())
        let isFresh = isFresh || purpose == .confirm
        let url: String
        do {
            url = try await provider.authorizationURL(
                state: state.text,
                nonce: self.derived("nonce", tab.text),
                verifier: self.derived("verifier", tab.text),
                isFresh: isFresh
            )
        } catch {
            throw self.noted(error, id)
        }
        let flow = SignInFlow(
            provider: id,
            purpose: purpose,
            asker: asker,
            returnTo: address.text,
            isFresh: isFresh,
            startedAt: directory.now
        )
        try await directory.begin(flow, state: state, tab: tab)
        return Start(url: url, flow: tab.text)
    }

    /// Handles the way back from the provider.
    ///
    /// Calls nobody.
    ///
    /// - Throws: `unavailable`.
    /// - Returns: where the browser goes.
    func comeBack(
        _ id: String,
        _ fields: [(name: String, value: String)],
        in directory: Directory
    ) async throws -> String {
        func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        guard let provider = try? self.provider(id), let state = field("state") else { return self.noSuchFlow(id) }
        guard let code = field("code"), !code.isEmpty, code.utf8.count <= Self.longestCode else {
            guard let back = try await directory.endFlow(state: state, provider: id) else { return self.noSuchFlow(id) }
            let isDenied = field("error") == "access_denied"
            self.statistics.note(.denied, provider.settings.id)
            return "\(back)#auth_error=\(isDenied ? "denied" : "failed")"
        }
        let ticket = AccessToken()
        let back = try await directory.keepCode(
            self.codes.seal(Array(code.utf8)),
            // What PostgreSQL cannot store is nobody's name.
            issuer: field("iss").map { $0.utf8.contains(0) || $0.utf8.count > 2000 ? "" : $0 },
            state: state,
            provider: id,
            ticket: ticket
        )
        guard let back else { return self.noSuchFlow(id) }
        return "\(back)#ticket=\(ticket.text)"
    }

    /// Redeems a ticket in the tab that began the sign-in.
    ///
    /// `bearer` is the token that came along, for `link` and `confirm`; `admitAccount` throws when no account may be made.
    ///
    /// - Throws: `gone`, `unauthorized`, `forbidden`, `conflict`, `unavailable`.
    func exchange(
        ticket: String,
        flow tab: String,
        bearer: String?,
        address: String?,
        in directory: Directory,
        admitAccount: () throws -> Void
    ) async throws -> Result {
        let returned: ReturnedFlow
        do {
            returned = try await directory.takeFlow(ticket: ticket)
        } catch let error as FrameError where error.code == .gone {
            self.statistics.note(.gone, "")
            throw error
        }
        let id = returned.flow.provider
        do {
            let result = try await self.redeem(
                returned,
                tab: tab,
                bearer: bearer,
                address: address,
                in: directory,
                admitAccount: admitAccount
            )
            switch result {
            case .loggedIn(_, let isNew): self.statistics.note(isNew ? .newAccount : .login, id)
            case .linked: self.statistics.note(.link, id)
            case .confirmed: self.statistics.note(.confirm, id)
            }
            return result
        } catch let failure as SignInFailure {
            throw self.noted(failure, id)
        } catch let error as FrameError {
            switch error.code {
            case .forbidden: self.statistics.note(.forbidden, id)
            case .conflict: self.statistics.note(.conflict, id)
            case .unauthorized: self.statistics.note(.refused, id)
            default: break
            }
            throw error
        }
    }

    private func redeem(
        _ returned: ReturnedFlow,
        tab: String,
        bearer: String?,
        address: String?,
        in directory: Directory,
        admitAccount: () throws -> Void
    ) async throws -> Result {
        let provider = try self.provider(returned.flow.provider)
        guard AccessToken(text: tab).hash == returned.flowHash else { throw SignInFailure.refused("other_tab") }
        if let asker = returned.flow.asker {
            guard let bearer else { throw SignInFailure.refused("no_login") }
            guard try await directory.authenticate(token: bearer) == asker else {
                throw SignInFailure.refused("other_login")
            }
        }
        guard let code = self.codes.open(returned.code) else { throw SignInFailure.refused("code_unreadable") }
        let namesIssuer = try await provider.endpoints().namesIssuer
        guard returned.issuer ?? (namesIssuer ? nil : provider.settings.issuer) == provider.settings.issuer else {
            throw SignInFailure.refused("response_issuer")
        }
        let tokens = try await provider.redeem(
            code: String(decoding: code, as: UTF8.self),
            verifier: self.derived("verifier", tab)
        )
        let identity = try await provider.identity(
            in: tokens,
            nonce: self.derived("nonce", tab),
            freshSince: returned.flow.isFresh ? returned.flow.startedAt : nil
        )
        guard identity.isAdmitted else {
            throw FrameError(.forbidden, message: "This server does not admit your account of this provider.")
        }
        switch (returned.flow.purpose, returned.flow.asker) {
        case (.login, _):
            let login = try await directory.logIn(identity, tokens: self.sealed(tokens), address: address) {
                guard provider.settings.makesAccounts else {
                    throw FrameError(.forbidden, message: "This server makes no accounts for new people.")
                }
                try admitAccount()
            }
            switch login {
            case .existing(let credentials): return .loggedIn(credentials, isNew: false)
            case .created(let credentials): return .loggedIn(credentials, isNew: true)
            }
        case (.link, let asker?):
            try await directory.link(identity, to: asker.user)
            return .linked(asker.user)
        case (.confirm, let asker?):
            try await directory.confirm(asker, by: identity)
            return .confirmed
        case (.link, nil), (.confirm, nil):
            throw SignInFailure.refused("no_login")
        }
    }

    // MARK: - The end

    /// The address that ends the session at the provider of a login that ended; nil when there is none.
    func logoutURL(_ ended: EndedLogin) async -> String? {
        guard let id = ended.provider, let sealed = ended.tokens, let provider = try? self.provider(id) else {
            return nil
        }
        return await provider.logoutURL(self.opened(sealed), back: "\(self.site)/")
    }

    /// Accepts the announcement of a logout by a provider.
    ///
    /// - Throws: `badRequest` when it is not valid, `notFound`, `unavailable`.
    func endLogins(_ id: String, token: String, in directory: Directory) async throws -> Committed<[LoginID]> {
        let provider = try self.provider(id)
        let logout: LogoutTokenRule.Logout
        do {
            logout = try await provider.logout(token)
        } catch {
            let answer = self.noted(error, id)
            guard case .refused = error else { throw answer }
            throw FrameError(.badRequest, message: "The logout token is not valid.", field: "logout_token")
        }
        let ended = try await directory.endLogins(by: logout, issuer: provider.settings.issuer)
        self.statistics.note(.logout, id)
        return ended
    }

    /// Revokes the tokens that are due at their providers.
    ///
    /// - Throws: `unavailable` when storage is.
    func revokeDue(in directory: Directory) async throws {
        for due in try await directory.claimRevocations() {
            guard let provider = try? self.provider(due.provider), let tokens = self.opened(due.tokens) else {
                try await directory.finishRevocation(due.id)
                continue
            }
            do {
                try await provider.revoke(tokens)
                try await directory.finishRevocation(due.id)
            } catch let failure as SignInFailure {
                self.log(failure, due.provider)
                // 5 s, 15 s, 45 s and so on, up to 15 min.
                var delay: Int64 = 5_000
                for _ in 1..<min(max(due.tries, 1), 6) { delay *= 3 }
                try await directory.postponeRevocation(due.id, milliseconds: min(delay, 900_000))
            }
        }
    }

    /// Revokes tokens and looks for providers that answer again, until the task is cancelled.
    func run(in directory: Directory) async {
        guard !self.providers.isEmpty else { return }
        var round = 0
        while !Task.isCancelled {
            if round % 6 == 0 {
                for provider in self.providers where !provider.isAvailable {
                    do {
                        try await provider.prepare()
                    } catch {
                        self.log(error, provider.settings.id)
                    }
                }
            }
            round += 1
            try? await self.revokeDue(in: directory)
            try? await Task.sleep(for: .seconds(5))
        }
    }

    // MARK: - Secrets

    /// A secret of a sign-in that only this server can derive from that of the tab.
    private func derived(_ name: String, _ tab: String) -> String {
        urlSafeText(Sealer.derived(from: self.secretKey, "sign-in \(name) \(tab)"))
    }

    private func sealed(_ tokens: ProviderTokens) -> [UInt8] {
        guard let text = try? JSONEncoder().encode(tokens) else { preconditionFailure("texts cannot be encoded") }
        return self.tokens.seal(Array(text))
    }

    private func opened(_ sealed: [UInt8]) -> ProviderTokens? {
        self.tokens.open(sealed).flatMap { try? JSONDecoder().decode(ProviderTokens.self, from: Data($0)) }
    }

    // MARK: - Log

    private func noSuchFlow(_ id: String) -> String {
        self.statistics.note(.gone, (try? self.provider(id))?.settings.id ?? "")
        return "/#auth_error=gone"
    }

    /// Logs and counts a failure, and returns the error for the client.
    private func noted(_ failure: SignInFailure, _ provider: String) -> FrameError {
        switch failure {
        case .refused: self.statistics.note(.refused, provider)
        case .unavailable: self.statistics.note(.unavailable, provider)
        }
        self.log(failure, provider)
        return failure.frameError
    }

    private func log(_ failure: SignInFailure, _ provider: String) {
        if self.lines.admits("\(provider) \(failure.reason)") {
            self.logger.log(
                .warning,
                "a sign-in was refused or could not be checked",
                ["provider": .text(provider), "reason": .text(failure.reason)]
            )
        }
    }
}
