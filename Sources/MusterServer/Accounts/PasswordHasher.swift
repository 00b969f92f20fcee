import EventLoop
import MusterWire

/// Hashes passwords on worker threads, so that only the request in question waits.
struct PasswordHasher: Sendable {
    /// The cost of new hashes; existing hashes contain their own.
    let cost: PasswordCost
    /// The pool that hashes passwords of new accounts.
    let signUps: BlockingPool
    /// The pool that checks passwords at login, separate so that a burst of sign-ups does not delay logins.
    let logins: BlockingPool

    /// Hashes the password of a new account for storage.
    func hash(_ password: String) async throws -> String {
        // At most half of the queue, because the threads do other work too.
        guard let hash = await self.signUps.job(share: 0.5, { [cost] in cost.hash(password) }) ?? nil else {
            throw Self.overloaded
        }
        return hash
    }

    /// Whether `hash` was made from `password`.
    func verify(_ password: String, against hash: String) async throws -> Bool {
        guard let isRight = await self.logins.job({ PasswordCost.verify(password, against: hash) }) else {
            throw Self.overloaded
        }
        return isRight
    }

    /// Spends as much time as `verify`, for a name without an account.
    func pretend(_ password: String) async throws {
        guard await self.logins.job({ [cost] in _ = cost.hash(password) }) != nil else { throw Self.overloaded }
    }

    private static var overloaded: FrameError {
        FrameError(.unavailable, message: "Too many logins and sign-ups at once; try again soon.")
    }
}
