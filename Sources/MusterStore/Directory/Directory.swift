package import EventLoop
package import MusterCore
package import Postgres
import Synchronization

// Lock order, the same in every transaction: account, then groups by rising id, then invite, then memberships; or account,
// then spot, pin or plan; a share picture comes behind its group, a plan behind the groups that it is shared with; or events by
// rising id, then rooms by rising id, then the accounts of those who are told; who makes an event in a group locks the group's
// room before all. What deadlocks all the same (with the journal, on rows that a deletion cascades to) is run again.

/// The control plane: accounts, logins, devices, groups, invites, sharing, spots, pins, plans and events, in PostgreSQL.
///
/// Every change to a group is one transaction that raises its revision and returns the whole group as it then is. All
/// calls may be made from any task; none blocks a cooperative thread.
package final class Directory: Sendable {
    /// How the directory works.
    package struct Configuration: Sendable {
        /// The node's number, in every id that it makes.
        package var node: UInt8 = 0
        /// How long a token is good for, in milliseconds.
        package var tokenLifetime: Int64 = 90 * 86_400_000
        /// How long a device may be silent before it is forgotten, in milliseconds.
        package var deviceLifetime: Int64 = 30 * 86_400_000
        /// How long fixes are kept, in milliseconds.
        package var retention: Int64 = 30 * 86_400_000
        /// Bytes of photos and thumbnails that a person may keep.
        package var photoBytesPerPerson: Int64 = 500_000_000
        /// How long a photo may be used by nothing, in milliseconds.
        package var unusedPhotoLifetime: Int64 = 86_400_000
        /// How much work a password costs.
        package var passwordCost = PasswordCost.interactive
        /// The secret of 32 bytes by which addresses of logins are stored; random, it knows none of an earlier process.
        package var addressKey = randomBytes(count: 32)

        /// Creates the usual configuration.
        package init() {}
    }

    let pool: PostgresPool
    let configuration: Configuration
    let clock: MonotonicClock
    let hasher: PasswordHasher
    let slowdown: Mutex<LoginSlowdown>
    let addressHash: AddressHash
    private let identifiers: Mutex<IdentifierGenerator>

    /// Creates a directory on a database whose schema is up to date.
    ///
    /// Passwords are hashed on `blocking`, and those of who logs in on `logins`.
    package init(
        pool: PostgresPool,
        configuration: Configuration = Configuration(),
        clock: MonotonicClock = .system,
        blocking: BlockingPool = BlockingPool(),
        logins: BlockingPool = BlockingPool()
    ) {
        self.pool = pool
        self.configuration = configuration
        self.clock = clock
        self.hasher = PasswordHasher(cost: configuration.passwordCost, signUps: blocking, logins: logins)
        self.slowdown = Mutex(LoginSlowdown())
        self.addressHash = AddressHash(key: configuration.addressKey)
        self.identifiers = Mutex(IdentifierGenerator(node: configuration.node))
    }

    /// The wall's clock.
    package var now: Timestamp { Timestamp(milliseconds: self.clock.wallMilliseconds) }

    /// Makes an identity.
    func nextID<Subject>(at now: Timestamp) -> Identifier<Subject> {
        self.identifiers.withLock { $0.next(at: now) }
    }
}
