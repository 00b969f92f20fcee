import CLibPQ
import EventLoop
import Glibc

/// A connection that never blocks.
///
/// Its owner reports when the socket is ready, and polls for the requested events.
///
/// Confined to one thread, which polls `descriptor` for `pollEvents` and calls `handleReadiness()`. Statements are sent
/// in libpq's pipeline mode. Each exchange ends with its own sync, so an error does not affect other exchanges. Scripts
/// and COPY use the simple protocol, between pipelines. Exchanges end in the order in which they were started.
///
/// Deadlines are the owner's task: on a timeout the owner drops the connection, and the server rolls back. One
/// exception to "never": libpq resolves host names in `init`, which may take the resolver's time.
final class PostgresConnection {
    /// The state of a connection.
    enum State {
        case connecting
        case open
        case lost(PostgresError)
    }

    private(set) var state = State.connecting
    private(set) var notifications: [PostgresNotification] = []
    private(set) var outcomes: [ExchangeOutcome] = []
    /// Whether the server waits for the rows of a COPY.
    private(set) var isCopyingIn = false

    private let handle: OpaquePointer
    private var inFlight = ArrivalQueue<Exchange>()
    private var prepared = PreparedStatements()
    private var encoder = ParameterEncoder()
    private var wantsToWrite = true
    private var wantsToRead = false

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - connectionString: a libpq connection string or URL, which overrides `options`.
    ///   - options: server settings of this session, as `name=value`.
    /// - Throws: `connectFailed` when there is no memory.
    init(connectionString: String, options: [String]) throws(PostgresError) {
        // The order matters: a later keyword overrides an earlier one.
        let parameters = [
            ("options", options.map { "-c \($0)" }.joined(separator: " ")),
            ("fallback_application_name", "muster"),
            ("gssencmode", "disable"),
            ("keepalives_idle", "30"),
            ("tcp_user_timeout", "30000"),
            ("dbname", connectionString),
            ("client_encoding", "UTF8"),
        ]
        let handle = withCStrings(parameters.map(\.0)) { keywords in
            withCStrings(parameters.map(\.1)) { values in PQconnectStartParams(keywords, values, 1) }
        }
        guard let handle else { throw PostgresError(.connectFailed, message: "out of memory") }
        self.handle = handle
        // The default would write the server's notices to standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        // So that an error contains its SQLSTATE, whatever its language.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        if PQstatus(handle) == CONNECTION_BAD {
            self.lose(.connectFailed)
        }
    }

    deinit { PQfinish(self.handle) }

    /// The socket; it may change while connecting, and is −1 when there is none.
    var descriptor: Int32 { PQsocket(self.handle) }

    /// The poll events that the connection waits for.
    var pollEvents: Int16 {
        (self.wantsToRead ? Int16(POLLIN) : 0) | (self.wantsToWrite ? Int16(POLLOUT) : 0)
    }

    /// Whether no exchange is pending.
    var isIdle: Bool { self.inFlight.isEmpty }

    /// The number of pending exchanges.
    var depth: Int { self.inFlight.count }

    /// Whether the session is in a transaction, including a failed one.
    var isInTransaction: Bool { PQtransactionStatus(self.handle) != PQTRANS_IDLE }

    /// The server process of this connection.
    var backendProcess: Int32 { PQbackendPID(self.handle) }

    /// Removes and returns the outcomes of finished exchanges.
    func drainOutcomes() -> [ExchangeOutcome] {
        defer { self.outcomes.removeAll(keepingCapacity: true) }
        return self.outcomes
    }

    /// Removes and returns the received notifications.
    func drainNotifications() -> [PostgresNotification] {
        defer { self.notifications.removeAll() }
        return self.notifications
    }

    /// Reads and writes as far as the socket is ready, without waiting.
    func handleReadiness() {
        switch self.state {
        case .connecting: self.continueConnecting()
        case .open: self.exchangeBytes()
        case .lost: break
        }
    }
}

@available(*, unavailable)
extension PostgresConnection: Sendable {}

// MARK: - Sending

extension PostgresConnection {
    /// Sends `statements` as one pipeline.
    ///
    /// `drainOutcomes()` returns its outcome under `id`.
    func send(_ statements: [PostgresStatement], id: UInt64) {
        guard self.mayStart(id, needsIdle: false) else { return }
        if let tooMany = statements.first(where: { $0.parameters.count > Int(UInt16.max) }) {
            let message =
                "a statement has \(tooMany.parameters.count) parameters, and at most 65535 are possible; use an array"
            self.outcomes.append(ExchangeOutcome(id: id, result: .failure(PostgresError(.misuse, message: message))))
            return
        }
        if PQpipelineStatus(self.handle) == PQ_PIPELINE_OFF {
            guard PQenterPipelineMode(self.handle) == 1 else { return self.refuse(id) }
        }
        var steps: [Exchange.Step] = []
        for statement in statements {
            guard self.send(statement, exchange: id, steps: &steps) else { return self.refuse(id) }
        }
        guard PQpipelineSync(self.handle) == 1 else { return self.refuse(id) }
        steps.append(.sync)
        self.inFlight.append(Exchange(id: id, kind: .pipeline(steps)))
        self.flush()
    }

    /// Sends `sql` by the simple protocol, which allows several statements and COPY, but no parameters.
    func sendScript(_ sql: String, id: UInt64) {
        guard self.mayStart(id, needsIdle: true) else { return }
        if PQpipelineStatus(self.handle) != PQ_PIPELINE_OFF {
            guard PQexitPipelineMode(self.handle) == 1 else { return self.refuse(id) }
        }
        guard PQsendQuery(self.handle, sql) == 1 else { return self.refuse(id) }
        self.inFlight.append(Exchange(id: id, kind: .script))
        self.flush()
    }

    /// Whether all data has been passed to the kernel.
    var isFlushed: Bool { !self.wantsToWrite }

    /// Buffers bytes of a COPY, which are sent with the next flush at the latest.
    ///
    /// Wait for `isFlushed` between large pieces; otherwise all of them accumulate in memory.
    func sendCopyData(_ bytes: UnsafeRawBufferPointer) {
        guard !self.isLost else { return }
        precondition(self.isCopyingIn, "the server does not wait for rows")
        guard !bytes.isEmpty else { return }
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard PQputCopyData(self.handle, start, Int32(bytes.count)) == 1 else { return self.lose(.connectionLost) }
    }

    /// Ends a COPY.
    ///
    /// With an error message, the server rolls it back and fails the exchange with that message.
    func endCopy(error: String? = nil) {
        guard !self.isLost else { return }
        precondition(self.isCopyingIn, "the server does not wait for rows")
        self.isCopyingIn = false
        guard PQputCopyEnd(self.handle, error) == 1 else { return self.lose(.connectionLost) }
        self.flush()
    }

    private func send(_ statement: PostgresStatement, exchange: UInt64, steps: inout [Exchange.Step]) -> Bool {
        switch self.prepared.plan(statement, exchange: exchange) {
        case .prepare(let name):
            let types = statement.parameters.map(\.type.oid)
            guard PQsendPrepare(self.handle, name, statement.sql, Int32(types.count), types) == 1 else { return false }
            steps.append(.prepare(sql: statement.sql, name: name))
            return self.execute(statement, name: name, steps: &steps)
        case .execute(let name):
            return self.execute(statement, name: name, steps: &steps)
        case .unnamed:
            let types = statement.parameters.map(\.type.oid)
            steps.append(.execute(sql: statement.sql, name: nil))
            return self.encoder.withEncoded(statement.parameters) { values, lengths, formats in
                PQsendQueryParams(
                    self.handle,
                    statement.sql,
                    Int32(types.count),
                    types,
                    values,
                    lengths,
                    formats,
                    1
                )
            } == 1
        }
    }

    private func execute(_ statement: PostgresStatement, name: String, steps: inout [Exchange.Step]) -> Bool {
        steps.append(.execute(sql: statement.sql, name: name))
        let count = Int32(statement.parameters.count)
        return self.encoder.withEncoded(statement.parameters) { values, lengths, formats in
            PQsendQueryPrepared(self.handle, name, count, values, lengths, formats, 1)
        } == 1
    }

    private func mayStart(_ id: UInt64, needsIdle: Bool) -> Bool {
        switch self.state {
        case .open:
            precondition(!needsIdle || self.isIdle, "a script was started while statements were under way")
            precondition(!self.isCopyingIn, "a statement was sent while the server waits for rows")
            return true
        case .connecting:
            preconditionFailure("a statement was sent before the connection was open")
        case .lost(let error):
            self.outcomes.append(ExchangeOutcome(id: id, result: .failure(error)))
            return false
        }
    }

    /// Drops the connection after libpq rejected an exchange, because a part of it may have been sent.
    private func refuse(_ id: UInt64) {
        self.lose(.connectionLost)
        guard case .lost(let error) = self.state else { return }
        self.outcomes.append(ExchangeOutcome(id: id, result: .failure(error)))
    }
}

// MARK: - Receiving

extension PostgresConnection {
    private func continueConnecting() {
        switch PQconnectPoll(self.handle) {
        case PGRES_POLLING_READING:
            self.wantsToRead = true
            self.wantsToWrite = false
        case PGRES_POLLING_WRITING:
            self.wantsToRead = false
            self.wantsToWrite = true
        case PGRES_POLLING_OK:
            PQsetnonblocking(self.handle, 1)
            PQsetErrorVerbosity(self.handle, PQERRORS_DEFAULT)
            self.wantsToRead = true
            self.wantsToWrite = false
            self.state = .open
        default:
            self.lose(.connectFailed)
        }
    }

    /// Writes as much buffered output as the socket accepts.
    func flush() {
        guard !self.isLost else { return }
        let status = PQflush(self.handle)
        self.wantsToWrite = status == 1
        // The server may have sent a message before it closed the connection.
        if status < 0 { self.exchangeBytes() }
    }

    private func exchangeBytes() {
        let isReadable = PQconsumeInput(self.handle) == 1
        self.collectResults()
        while let notification = PQnotifies(self.handle) {
            self.notifications.append(
                PostgresNotification(
                    channel: String(cString: notification.pointee.relname),
                    payload: String(cString: notification.pointee.extra)
                )
            )
            PQfreemem(notification)
        }
        guard isReadable, PQstatus(self.handle) == CONNECTION_OK else { return self.lose(.connectionLost) }
        if self.wantsToWrite {
            let status = PQflush(self.handle)
            self.wantsToWrite = status == 1
            if status < 0 { self.lose(.connectionLost) }
        }
    }

    private func collectResults() {
        while case .open = self.state, let exchange = self.inFlight.first, !self.isCopyingIn,
            PQisBusy(self.handle) == 0
        {
            let result = PQgetResult(self.handle).map { ServerResult(takingOwnershipOf: $0) }
            switch exchange.kind {
            case .pipeline(let steps): self.receive(result, of: steps)
            case .script: self.receiveOfScript(result)
            }
        }
    }

    private func receive(_ result: consuming ServerResult?, of steps: [Exchange.Step]) {
        guard let result else {
            // libpq marks the end of each response except that of a sync. A violation means that the state is
            // unreliable.
            guard self.inFlight.first?.isStepAnswered == true else { return self.lose(.connectionLost) }
            self.inFlight.first?.isStepAnswered = false
            self.inFlight.first?.nextStep += 1
            return
        }
        guard let index = self.inFlight.first?.nextStep else { return }
        self.inFlight.first?.isStepAnswered = true
        switch steps[index] {
        case .prepare(let sql, let name): self.receivePrepared(result, sql: sql, name: name)
        case .execute(let sql, let name): self.receiveExecuted(result, sql: sql, name: name)
        case .sync: self.finishFirst()
        }
    }

    private func receivePrepared(_ result: consuming ServerResult, sql: String, name: String) {
        if result.status == PGRES_COMMAND_OK {
            self.prepared.prepared(sql, name: name)
            return
        }
        self.prepared.forget(sql, name: name)
        if result.status != PGRES_PIPELINE_ABORTED { self.fail(result.makeError()) }
    }

    private func receiveExecuted(_ result: consuming ServerResult, sql: String, name: String?) {
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            self.inFlight.first?.results.append(result.copyOut())
        case PGRES_PIPELINE_ABORTED:
            // The error that caused the skip has already been recorded.
            break
        case PGRES_FATAL_ERROR:
            let error = result.makeError()
            // The table has changed, or the statement no longer exists. It is prepared again next time.
            if let name, error.sqlState == "0A000" || error.sqlState == "26000" {
                self.prepared.forget(sql, name: name)
            }
            self.fail(error)
        default:
            // A COPY cannot be ended in a pipeline.
            self.fail(PostgresError(.misuse, message: "COPY is not possible in a pipeline"))
            self.lose(.misuse)
        }
    }

    private func receiveOfScript(_ result: consuming ServerResult?) {
        guard let result else { return self.finishFirst() }
        switch result.status {
        case PGRES_COPY_IN:
            self.isCopyingIn = true
        case PGRES_FATAL_ERROR:
            self.fail(result.makeError())
        case PGRES_COPY_OUT, PGRES_COPY_BOTH:
            self.fail(PostgresError(.misuse, message: "COPY … TO STDOUT is not supported"))
            self.lose(.misuse)
        default:
            self.inFlight.first?.results.append(result.copyOut())
        }
    }

    private func fail(_ error: PostgresError) { self.inFlight.first?.fail(error) }

    private func finishFirst() {
        guard let exchange = self.inFlight.popFirst() else { return }
        self.outcomes.append(ExchangeOutcome(id: exchange.id, result: exchange.outcome))
    }

    /// Marks the connection as lost and fails all pending exchanges.
    private func lose(_ code: PostgresError.Code) {
        guard !self.isLost else { return }
        let error = PostgresError(code, saidByLibrary: trimmed(PQerrorMessage(self.handle)))
        self.state = .lost(error)
        self.wantsToRead = false
        self.wantsToWrite = false
        self.isCopyingIn = false
        while let exchange = self.inFlight.popFirst() {
            // An earlier error from the server is more specific than the loss of the connection.
            exchange.fail(error)
            self.outcomes.append(ExchangeOutcome(id: exchange.id, result: exchange.outcome))
        }
    }

    private var isLost: Bool {
        if case .lost = self.state { true } else { false }
    }
}

/// Calls `body` with a NULL-terminated array of C strings.
private func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R) -> R {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer($0) } + [nil]
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
}
