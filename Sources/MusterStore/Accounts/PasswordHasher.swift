import EventLoop

/// Hashes passwords where it keeps nobody waiting but the one who logs in.
struct PasswordHasher: Sendable {
    /// Of new hashes; old ones name their own.
    let cost: PasswordCost
    /// Where passwords of new accounts are hashed.
    let signUps: BlockingPool
    /// Where passwords of those who log in are hashed; of its own, so that no storm of sign-ups keeps them waiting.
    let logins: BlockingPool

    /// Turns the password of a new account into what the database holds.
    func hash(_ password: String) async throws(DirectoryError) -> String {
        // Half of the places, for the threads do other work, too.
        guard let hash = await self.signUps.job(share: 0.5, { [cost] in cost.hash(password) }) ?? nil else {
            throw Self.overloaded
        }
        return hash
    }

    /// Whether `password` is the one that `hash` was made from.
    func verify(_ password: String, against hash: String) async throws(DirectoryError) -> Bool {
        guard let isRight = await self.logins.job({ PasswordCost.verify(password, against: hash) }) else {
            throw Self.overloaded
        }
        return isRight
    }

    /// Does as much work as `verify`, for a name that no account has.
    func pretend(_ password: String) async throws(DirectoryError) {
        guard await self.logins.job({ [cost] in _ = cost.hash(password) }) != nil else { throw Self.overloaded }
    }

    private static var overloaded: DirectoryError {
        DirectoryError(.unavailable, "too many passwords are being checked; try again soon")
    }
}
