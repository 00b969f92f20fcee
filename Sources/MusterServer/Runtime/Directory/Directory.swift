package import EventLoop
import MusterCore
package import Postgres
import Synchronization

// The lock order is the same in every transaction:
// - account, then groups by ascending id, then invite, then memberships; or
// - account, then spot, pin or plan; or
// - events by ascending id, then rooms by ascending id, then the accounts of the recipients of notifications.
// A share picture is locked after its group, a plan after its groups. Creating an event in a group locks the group's
// room first. A transaction that loses a deadlock is executed again; one is possible with the journal, on rows that a
// deletion cascades to.

/// The control plane: accounts, logins, devices, groups, invites, sharing, spots, pins, plans and events, in
/// PostgreSQL.
///
/// Every change to a group is one transaction that raises its revision and returns the whole new group. All methods may
/// be called from any task; none blocks a cooperative thread.
package final class Directory: Sendable {
    /// The settings of the directory.
    package struct Configuration: Sendable {
        /// The node's number, which is part of every id that it creates.
        package var node: UInt8 = 0
        /// The lifetime of a token, in milliseconds.
        var tokenLifetime: Int64 = 90 * 86_400_000
        /// How long an idle device is kept, in milliseconds.
        var deviceLifetime: Int64 = 30 * 86_400_000
        /// How long fixes are kept, in milliseconds.
        package var retention: Int64 = 30 * 86_400_000
        /// The maximum size of a user's photos and thumbnails, in bytes.
        var photoBytesPerPerson: Int64 = 500_000_000
        /// How long an unused photo is kept, in milliseconds.
        var unusedPhotoLifetime: Int64 = 86_400_000
        /// The cost of hashing a password.
        package var passwordCost = PasswordCost.interactive
        /// The 32-byte key for hashing the addresses of logins.
        ///
        /// A random key does not recognise addresses stored by an earlier process.
        var addressKey = randomBytes(count: 32)

        /// Creates the default configuration.
        package init() {}
    }

    let pool: PostgresPool
    let configuration: Configuration
    let clock: MonotonicClock
    let hasher: PasswordHasher
    let slowdown: Mutex<LoginSlowdown>
    let addressHash: AddressHash
    private let identifiers: Mutex<IdentifierGenerator>

    /// Creates a directory on a database with a current schema.
    ///
    /// Passwords of new accounts are hashed on `blocking`, those of logins are checked on `logins`.
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

    /// The current wall-clock time.
    var now: Timestamp { Timestamp(milliseconds: self.clock.wallMilliseconds) }

    /// Generates an id.
    func nextID<Subject>(at now: Timestamp) -> Identifier<Subject> {
        self.identifiers.withLock { $0.next(at: now) }
    }
}
