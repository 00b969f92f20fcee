/// How much work it takes to check one password.
package enum PasswordCost: Sendable {
    /// 64 MiB and two passes: some 50 to 100 ms, libsodium's choice for logins.
    case interactive
    /// As little as the algorithm allows, for tests and demos that make many accounts.
    case minimal
}

/// Skeleton.
package final class PasswordHasher: Sendable {
    init(cost: PasswordCost) {}
    func close() {}
}
final class LoginSlowdown: Sendable { init() {} }
