import CLibPQ
package import EventLoop
import Glibc

/// A connection with blocking calls, for a dedicated thread.
///
/// Confined to one thread. Every call ends by its deadline. After `connectionLost`, `timedOut` or `cancelled` the
/// connection is closed, and `connect()` creates a new one. A pending statement may or may not have taken effect. (A
/// statement that the server itself aborted is `timedOut` too, but then the connection stays open.)
package final class PostgresSession {
    private let connectionString: String
    private let timeout: Duration
    private let interrupt: WakeSignal?
    private let heartbeat: Heartbeat?
    private let clock: MonotonicClock
    private let settings: [String]
    private var connection: PostgresConnection?
    private var lastExchange: UInt64 = 0

    /// Creates a session that is not connected.
    ///
    /// - Parameters:
    ///   - connectionString: a libpq connection string or URL.
    ///   - timeout: the default time limit of each call.
    ///   - interrupt: when raised, the current wait, or the next one, ends with `cancelled`.
    ///   - heartbeat: the heartbeat of the calling loop, which is marked during waits.
    ///   - clock: the clock of the deadlines.
    ///   - settings: server settings of this session, as `name=value`.
    package init(
        connectionString: String,
        timeout: Duration = .seconds(30),
        interrupt: WakeSignal? = nil,
        heartbeat: Heartbeat? = nil,
        clock: MonotonicClock = .system,
        settings: [String] = []
    ) {
        self.connectionString = connectionString
        self.timeout = timeout
        self.interrupt = interrupt
        self.heartbeat = heartbeat
        self.clock = clock
        self.settings = settings
    }

    /// Returns the problem with a connection string; nil when it is valid.
    package static func problem(inConnectionString text: String) -> String? {
        var message: UnsafeMutablePointer<CChar>?
        // A text that is neither a URL nor a list of settings is a database name.
        guard text.contains("=") || text.contains("://") else { return nil }
        guard let options = PQconninfoParse(text, &message) else {
            defer { PQfreemem(message) }
            return message.map { String(cString: $0).split(separator: "\n").joined(separator: " ") } ?? "out of memory"
        }
        PQconninfoFree(options)
        return nil
    }

    /// Whether there is a connection that is not known to be broken.
    package var isConnected: Bool { self.connection != nil }

    /// The server process of this session; 0 without a connection.
    var backendProcess: Int32 { self.connection?.backendProcess ?? 0 }

    /// Whether the session is in a transaction, including a failed one.
    package var isInTransaction: Bool { self.connection?.isInTransaction ?? false }

    /// Connects, after closing any earlier connection.
    package func connect(timeout: Duration = .seconds(5)) throws(PostgresError) {
        self.close()
        let deadline = Deadline(after: timeout, on: self.clock)
        // So that a server that is busy with a long statement regularly checks the connection.
        let connection = try PostgresConnection(
            connectionString: self.connectionString,
            options: ["client_connection_check_interval=5000"] + self.settings
        )
        while true {
            switch connection.state {
            case .open:
                self.connection = connection
                return
            case .lost(let error):
                throw error
            case .connecting:
                guard try self.poll(connection, until: deadline) else {
                    throw PostgresError(.timedOut, message: "the server did not answer while connecting")
                }
            }
        }
    }

    /// Runs one statement, which is prepared on first use.
    @discardableResult
    package func execute(
        _ sql: String,
        _ parameters: [PostgresValue] = [],
        timeout: Duration? = nil
    ) throws(PostgresError) -> PostgresResult {
        let results = try self.pipeline([PostgresStatement(sql, parameters)], timeout: timeout)
        return results[0]
    }

    /// Runs a script of several statements without parameters, and discards their rows.
    package func executeScript(_ sql: String, timeout: Duration? = nil) throws(PostgresError) {
        let deadline = self.makeDeadline(timeout)
        let connection = try self.requireConnection()
        connection.sendScript(sql, id: self.makeExchangeID())
        if try self.wait(for: connection, until: deadline, orUntil: \.isCopyingIn) == nil {
            connection.endCopy(error: "a script must not contain the rows of a COPY")
            _ = try self.finish(connection, until: deadline)
        }
    }

    /// Runs several statements in one round trip.
    ///
    /// The first error skips the rest and is thrown.
    ///
    /// Outside a transaction they form one: either all take effect, or none.
    @discardableResult
    package func pipeline(
        _ statements: [PostgresStatement],
        timeout: Duration? = nil
    ) throws(PostgresError) -> [PostgresResult] {
        let deadline = self.makeDeadline(timeout)
        let connection = try self.requireConnection()
        connection.send(statements, id: self.makeExchangeID())
        return try self.finish(connection, until: deadline)
    }

    /// Waits until a notification arrives, `wake` is raised, or `timeout` has passed.
    ///
    /// Execute `LISTEN` to subscribe to channels.
    ///
    /// - Returns: the received notifications, including those that arrived during earlier calls.
    package func notifications(
        wake: WakeSignal? = nil,
        timeout: Duration
    ) throws(PostgresError) -> [PostgresNotification] {
        let deadline = Deadline(after: timeout, on: self.clock)
        let connection = try self.requireConnection()
        while connection.notifications.isEmpty {
            let isOver = try !self.poll(connection, until: deadline, wake: wake)
            if case .lost(let error) = connection.state {
                self.close()
                throw error
            }
            if isOver { break }
        }
        return connection.drainNotifications()
    }

    /// Closes the connection.
    ///
    /// The server rolls back an open transaction.
    package func close() { self.connection = nil }
}

@available(*, unavailable)
extension PostgresSession: Sendable {}

// MARK: - Waiting

extension PostgresSession {
    func makeDeadline(_ timeout: Duration?) -> Deadline {
        Deadline(after: timeout ?? self.timeout, on: self.clock)
    }

    func makeExchangeID() -> UInt64 {
        self.lastExchange += 1
        return self.lastExchange
    }

    func requireConnection() throws(PostgresError) -> PostgresConnection {
        guard let connection = self.connection else {
            throw PostgresError(.connectionLost, message: "the session is not connected")
        }
        return connection
    }

    /// Waits for the end of the pending exchange.
    func finish(
        _ connection: PostgresConnection,
        until deadline: Deadline
    ) throws(PostgresError) -> [PostgresResult] {
        guard let results = try self.wait(for: connection, until: deadline, orUntil: { _ in false }) else {
            preconditionFailure("a wait without a condition ended without an outcome")
        }
        return results
    }

    /// Waits for the end of the pending exchange.
    ///
    /// Returns `nil` when `condition` holds before.
    func wait(
        for connection: PostgresConnection,
        until deadline: Deadline,
        orUntil condition: (PostgresConnection) -> Bool
    ) throws(PostgresError) -> [PostgresResult]? {
        while true {
            if let outcome = connection.drainOutcomes().first { return try self.resolve(outcome) }
            if condition(connection) { return nil }
            let isInTime: Bool
            do {
                isInTime = try self.poll(connection, until: deadline)
            } catch {
                self.close()
                throw error
            }
            guard isInTime else {
                self.close()
                throw PostgresError(.timedOut, message: "the server did not answer in time")
            }
        }
    }

    private func resolve(_ outcome: ExchangeOutcome) throws(PostgresError) -> [PostgresResult] {
        switch outcome.result {
        case .success(let results):
            return results
        case .failure(let error):
            if error.code == .connectionLost || error.code == .misuse { self.close() }
            throw error
        }
    }

    /// Ends long work between statements when the session is interrupted.
    ///
    /// - Throws: `cancelled`.
    package func checkInterrupt() throws(PostgresError) {
        guard let interrupt = self.interrupt else { return }
        var entry = pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&entry, 1, 0) > 0 else { return }
        throw PostgresError(.cancelled, message: "the session was interrupted")
    }

    /// Waits until the socket is ready, and handles its events.
    ///
    /// - Returns: whether an event occurred before the deadline; with `wake`, also false when it was raised.
    private func poll(
        _ connection: PostgresConnection,
        until deadline: Deadline,
        wake: WakeSignal? = nil
    ) throws(PostgresError) -> Bool {
        // poll ignores negative descriptors.
        var entries: InlineArray<3, pollfd> = [
            pollfd(fd: connection.descriptor, events: connection.pollEvents, revents: 0),
            pollfd(fd: self.interrupt?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let timeout = deadline.pollTimeout(on: self.clock)
        self.heartbeat?.wait()
        var span = entries.mutableSpan
        let count = span.withUnsafeMutableBufferPointer { Glibc.poll($0.baseAddress, nfds_t($0.count), timeout) }
        self.heartbeat?.begin()
        if entries[1].revents != 0 {
            throw PostgresError(.cancelled, message: "the session was interrupted")
        }
        if entries[0].revents != 0 { connection.handleReadiness() }
        if entries[2].revents != 0 {
            wake?.clear()
            return false
        }
        return count != 0 || !deadline.hasPassed(on: self.clock)
    }
}
