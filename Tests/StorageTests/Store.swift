import EventLoop
import Foundation
import MusterTestSupport
import Synchronization

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import Postgres

/// A migrated database with a directory, created for one test.
struct Store {
    /// The folder of the migrations, found from this file.
    static let migrations = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "sql/migrations").path

    let connectionString: String
    let pool: PostgresPool
    let directory: Directory
    let manual: ManualClock

    private static let counter = Mutex(0)
    /// A store needs ten connections or more, and all tests at once would exceed the server's limit.
    private static let semaphore = AsyncSemaphore(12)

    /// Creates a database and runs `body` on it, by default with a clock that stands still.
    ///
    /// Only a few stores are open at once, so `body` must not open another.
    static func with<Value>(
        cluster: ThrowawayCluster? = nil,
        clock: MonotonicClock? = nil,
        photoBytes: Int64? = nil,
        _ body: (Store) async throws -> Value
    ) async throws -> Value {
        await Self.semaphore.enter()
        do {
            let value = try await Self.open(cluster: cluster, clock: clock, photoBytes: photoBytes, body)
            await Self.semaphore.leave()
            return value
        } catch {
            await Self.semaphore.leave()
            throw error
        }
    }

    private static func open<Value>(
        cluster: ThrowawayCluster?,
        clock: MonotonicClock?,
        photoBytes: Int64?,
        _ body: (Store) async throws -> Value
    ) async throws -> Value {
        let server = if let cluster { cluster } else { try await ThrowawayCluster.shared() }
        let connectionString = try await server.makeDatabase(migratedFrom: Self.migrations)
        var poolConfiguration = PostgresPool.Configuration(connectionString: connectionString)
        poolConfiguration.acquireTimeout = .seconds(300)
        // Between two statements of a transaction many other tests may run, while others wait for its locks.
        poolConfiguration.leaseTimeout = .seconds(300)
        poolConfiguration.statementTimeout = .seconds(300)
        let pool = PostgresPool(poolConfiguration)
        let manual = ManualClock()
        var configuration = Directory.Configuration()
        configuration.passwordCost = .minimal
        if let photoBytes { configuration.photoBytesPerPerson = photoBytes }
        let directory = Directory(pool: pool, configuration: configuration, clock: clock ?? manual.clock)
        let store = Store(connectionString: connectionString, pool: pool, directory: directory, manual: manual)
        do {
            try await directory.maintain()
            let value = try await body(store)
            await store.close()
            try? await server.remove(connectionString)
            return value
        } catch {
            await store.close()
            throw error
        }
    }

    private func close() async { await self.pool.close() }

    /// Creates a writer of messages that waits for a busy server as long as the pool does.
    func chatWriter(_ notify: @escaping @Sendable ([RoomAdvance]) -> Void) -> ChatWriter {
        var configuration = ChatWriter.Configuration(connectionString: self.connectionString)
        configuration.timeout = 300_000
        return ChatWriter(configuration, onCommitted: notify)
    }

    /// The current time of the directory's clock.
    var now: Timestamp { Timestamp(milliseconds: self.manual.clock.wallMilliseconds) }

    /// Signs up a user with a unique username.
    func person(_ name: String = "Ada") async throws -> Credentials {
        let number = Self.counter.withLock { counter in
            counter += 1
            return counter
        }
        return try await self.directory.signUp(username: "user\(number)", password: "correct horse", name: name)
    }

    /// Signs up a user, and admits a device of theirs as `hello` does.
    func arrival(_ name: String = "Ada", key: String = "phone-1") async throws -> Admission {
        let person = try await self.person(name)
        return try await self.directory.hello(token: person.token, device: Hello.Device(key: key, kind: .phone))
    }

    /// Stores a photo of a user.
    func photo(of user: UserID, _ shape: Photo.Shape = .photo, bytes: Int = 1000) async throws -> Photo {
        let draft = PhotoDraft(
            shape: shape,
            width: 512,
            height: 400,
            picture: [UInt8](repeating: 7, count: bytes - 100),
            thumbnail: [UInt8](repeating: 8, count: 100)
        )
        return try await self.directory.addPhoto(draft, by: user)
    }

    /// A group of `members` new users; the first is the owner.
    func group(_ members: Int) async throws -> (group: GroupSnapshot, people: [Credentials]) {
        let owner = try await self.person("Owner")
        var group = try await self.directory.createGroup(name: "Climbers", by: owner.user.id).value
        let invite = try await self.directory.createInvite(to: group.id, by: owner.user.id)
        var people = [owner]
        for index in 1..<max(members, 1) {
            self.manual.advance(milliseconds: 1000)
            let person = try await self.person("Friend \(index)")
            group = try await self.directory.join(code: invite.code, user: person.user.id).group
            people.append(person)
        }
        return (group, people)
    }

    /// Runs a transaction whose body may throw any error.
    func transaction<Value: Sendable>(
        _ body: (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        try await self.pool.transaction(body)
    }

    /// The number of rows of a query.
    func count(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> Int64 {
        let result = try await self.pool.query("SELECT count(*) AS n FROM \(sql)", parameters)
        return try result[0].int64("n")
    }
}

/// The refusal of a request, without its message.
enum Refusal: Hashable {
    case badRequest(field: String)
    case rateLimited(retryAfter: Int64)
    case other(ErrorCode)

    static let unauthorized = Refusal.other(.unauthorized)
    static let forbidden = Refusal.other(.forbidden)
    static let notFound = Refusal.other(.notFound)
    static let notMember = Refusal.other(.notMember)
    static let conflict = Refusal.other(.conflict)
    static let gone = Refusal.other(.gone)
    static let unavailable = Refusal.other(.unavailable)
    static let `internal` = Refusal.other(.internal)

    init(_ error: any Error) {
        let error = FrameError(error)
        switch error.code {
        case .badRequest: self = .badRequest(field: error.field ?? "")
        case .rateLimited: self = .rateLimited(retryAfter: error.retryAfter ?? 0)
        case let code: self = .other(code)
        }
    }
}

/// The refusal of `body`; nil if it succeeds.
func failure(_ body: () async throws -> Void) async -> Refusal? {
    do {
        try await body()
        return nil
    } catch {
        return Refusal(error)
    }
}

extension Committed {
    /// The changed groups.
    var groups: [GroupSnapshot] {
        self.changes.compactMap { if case .group(let group) = $0 { group } else { nil } }
    }
}
