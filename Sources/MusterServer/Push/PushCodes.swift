import MusterCore

/// The right to execute the actions of one notification, as its receiver holds it; it needs no login.
struct PushAction: Sendable, Equatable {
    var target: PushTargetID
    var user: UserID
    /// The kind, which determines the possible actions.
    var kind: String
    /// The number of the notification, or the id of the spot or request.
    var subject: Int64
    /// The end of the right.
    var expiresAt: Timestamp

    /// How long the actions are possible after the push is of no use any more, in milliseconds.
    static let lateness: Int64 = 86_400_000

    private var text: String {
        "act.\(self.target).\(self.user).\(self.kind).\(self.subject).\(self.expiresAt.milliseconds)"
    }

    /// The form in a message.
    func code(_ keys: PushKeys) -> String { "\(self.text).\(keys.code(of: self.text))" }

    /// Creates the right.
    init(target: PushTargetID, user: UserID, kind: String, subject: Int64, expiresAt: Timestamp) {
        self.target = target
        self.user = user
        self.kind = kind
        self.subject = subject
        self.expiresAt = expiresAt
    }

    /// Reads a code; nil when this server did not make it, or when it has expired.
    init?(_ code: String, _ keys: PushKeys, at now: Timestamp) {
        let parts = code.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 7, let target = PushTargetID(parts[1]), let user = UserID(parts[2]),
            let subject = Int64(parts[4]), let end = Int64(parts[5])
        else { return nil }
        self.init(
            target: target,
            user: user,
            kind: parts[3],
            subject: subject,
            expiresAt: Timestamp(milliseconds: end)
        )
        guard keys.isCode(parts[6], of: self.text), now < self.expiresAt else { return nil }
    }
}

extension PushKeys {
    /// The code with which a browser renews the address of its target, without a login.
    func renewal(of target: PushTargetID, of user: UserID) -> String { self.code(of: "renew.\(target).\(user)") }

    /// Whether a code renews the address of a target.
    func isRenewal(_ code: String, of target: PushTargetID, of user: UserID) -> Bool {
        self.isCode(code, of: "renew.\(target).\(user)")
    }
}
