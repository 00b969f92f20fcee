import MusterCore
import MusterWire
import WebSocketGateway

extension SessionApplication {
    /// The time limit of a handler, in milliseconds.
    static let requestLimit: Int64 = 10_000

    /// Handles a request of an open session, now or after the requests that it must wait for.
    func receive(
        _ request: any ClientRequest,
        tag: RequestTag?,
        of user: UserID,
        on connection: Connection
    ) {
        let session = connection.session
        let entry = self.requests.entry(for: request)
        if session.isWatch, entry.type.audience == .fullSessions {
            let error = FrameError(
                .forbidden,
                message: "This request is not allowed in a session of kind watch.",
                tag: tag
            )
            return self.refuse(error, on: connection)
        }
        var excess: Int64?
        do throws(FrameError) {
            try entry.meter?.charge(1, to: RatedSubject(user, request), now: self.shard.now)
        } catch {
            guard request.isNeverRefused else {
                return connection.send(ServerFrame.error(error.tagged(tag)).encoded)
            }
            excess = error.retryAfter ?? 0
        }
        let pending = SessionRequests.Pending(request: request, tag: tag, entry: entry, excess: excess)
        switch entry.handling {
        case .immediate(let handle):
            let outcome = handle(request, self.caller(user, pending, on: connection))
            pending.apply(outcome, of: user)
            self.conclude(outcome, on: connection)
        case .asynchronous:
            let requests = session.requests ?? SessionRequests(after: self.lastTicket)
            session.requests = requests
            if let start = requests.schedule.enqueue(pending, entry.type.order) {
                self.start(start, of: user, on: connection)
            } else {
                self.readOrPause(connection)
            }
        }
    }

    /// Continues after a handler has ended: with requests that waited for it, and with frames behind a barrier.
    func requestFinished(_ ticket: UInt64, on connection: Connection) {
        self.release(ticket, on: connection)
        self.resume(connection)
    }

    /// Answers for handlers that exceed the time limit.
    ///
    /// An overdue barrier ends the session, because it is unknown which visibility applies to later frames.
    func endOverdueRequests(on connection: Connection) {
        guard let requests = connection.session.requests else { return }
        let overdue = requests.running.filter { $0.value.deadline <= self.shard.now }.sorted { $0.key < $1.key }
        for (ticket, running) in overdue where running.gate.claim() {
            if running.order.onlyReads { running.task.cancel() }
            let error = FrameError(
                .unavailable,
                message: "The request took too long; try again later.",
                tag: running.pending.tag
            )
            self.services.requestTookTooLong(running.pending.entry.type)
            if running.order == .barrier { return self.end(connection, error, .unavailable) }
            connection.send(ServerFrame.error(error).encoded)
            self.release(ticket, on: connection)
        }
        self.resume(connection)
    }

    /// Abandons a session's requests when it ends: those that only read are cancelled, the others continue.
    func abandonRequests(of session: ClientSession) {
        guard let requests = session.requests else { return }
        session.requests = nil
        self.lastTicket = max(self.lastTicket, requests.schedule.lastTicket)
        for running in requests.running.values where running.order.onlyReads { running.task.cancel() }
    }

    private func release(_ ticket: UInt64, on connection: Connection) {
        let session = connection.session
        guard let requests = session.requests, requests.running.removeValue(forKey: ticket) != nil else { return }
        let starts = requests.schedule.finish(ticket)
        if case .open(let user) = session.phase {
            for start in starts { self.start(start, of: user, on: connection) }
        }
        guard requests.schedule.isIdle else { return }
        // An abandoned handler may still end, so its ticket must not be used for another request.
        self.lastTicket = max(self.lastTicket, requests.schedule.lastTicket)
        session.requests = nil
    }

    private func start(
        _ start: RequestSchedule<SessionRequests.Pending>.Start,
        of user: UserID,
        on connection: Connection
    ) {
        guard case .asynchronous(let handle) = start.payload.entry.handling else { return }
        // Earlier inputs of this connection must be in the world's mailbox first.
        self.iterationEnded()
        let id = connection.id
        let services = self.services
        let ticket = start.ticket
        let request = start.payload.request
        let pending = start.payload
        let caller = self.caller(user, pending, on: connection)
        let gate = AnswerGate()
        let task = Task {
            let outcome = await services.outcome(of: request, for: caller, by: handle)
            pending.apply(outcome, of: user)
            await services.apply(outcome.changes) { outcome.inputs(for: SessionID(id), isAnswered: gate.claim()) }
            services.deliver(.requestFinished(ticket), to: id)
        }
        connection.session.requests?.running[ticket] = SessionRequests.Running(
            pending: start.payload,
            order: start.order,
            gate: gate,
            task: task,
            deadline: self.shard.now + Self.requestLimit
        )
        connection.timer(after: Self.requestLimit, token: Timer.request.rawValue)
    }

    private func caller(
        _ user: UserID,
        _ pending: SessionRequests.Pending,
        on connection: Connection
    ) -> Caller {
        Caller(
            user: user,
            session: SessionID(connection.id),
            tag: pending.tag,
            linkBase: self.services.linkBase(host: connection.host),
            address: connection.address,
            excess: pending.excess
        )
    }

    private func conclude(_ outcome: EncodedOutcome, on connection: Connection) {
        self.inputs += outcome.inputs(for: SessionID(connection.id), isAnswered: true)
    }
}
