import EventLoop

/// Hashes passwords where it keeps nobody waiting but the one who logs in.
struct PasswordHasher: Sendable {
    /// Of new hashes; old ones name their own.
    let cost: PasswordCost
    let pool: BlockingPool

    /// Turns a password into what the database holds.
    func hash(_ password: String) async throws(DirectoryError) -> String {
        // New accounts get half of the places, so that a storm of them leaves room for those who log in.
        guard let hash = await self.pool.job(share: 0.5, { [cost] in cost.hash(password) }) ?? nil else {
            throw Self.overloaded
        }
        return hash
    }

    /// Whether `password` is the one that `hash` was made from.
    func verify(_ password: String, against hash: String) async throws(DirectoryError) -> Bool {
        guard let isRight = await self.pool.job({ PasswordCost.verify(password, against: hash) }) else {
            throw Self.overloaded
        }
        return isRight
    }

    private static var overloaded: DirectoryError {
        DirectoryError(.unavailable, "too many logins at the same time")
    }
}
