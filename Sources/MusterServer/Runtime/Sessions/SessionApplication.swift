import MusterCore
import MusterWire
import WebSocketGateway

/// The application of a shard's connections: decodes frames, admits sessions, and passes everything else to the world
/// or to the handlers of requests.
///
/// A client's frames take effect in order where that matters: while a request that changes visibility is running, later
/// frames wait. So a `location` that follows `sharing.set` is never shown with the older setting.
final class SessionApplication: GatewayApplication {
    /// The messages of tasks to the shard.
    enum Message: Sendable {
        /// The directory has admitted a session.
        case admitted(SessionOpening)
        /// The directory has refused a session, or is unavailable.
        case refused(FrameError)
        /// The handler of the request with this ticket has ended.
        case requestFinished(UInt64)
    }

    /// The purposes of the gateway's timers.
    enum Timer: UInt8 {
        /// The debt of a throttled session is paid.
        case throttle
        /// A queued `hello` should have reached the directory.
        case turn
        /// The directory should have answered a `hello`.
        case admission
        /// A handler should have ended.
        case request
    }

    private static let backlogToPause = 16
    private static let requestsToPause = 256
    private static let backlogToEnd = 1024
    /// The time limit of the directory for an admission, in milliseconds.
    private static let helloLimit: Int64 = 5000

    let services: any SessionServices
    let shard: any GatewayShard
    let requests: RequestTable
    private let routes: RouteTable
    private let decoder: FrameDecoder
    /// The inputs for the world, delivered at the end of the iteration.
    var inputs: [WorldInput] = []
    /// The highest ticket among requests that no session holds any more.
    var lastTicket: UInt64 = 0
    private var admissions = AdmissionQueue()

    /// Creates the application of `shard`.
    init(services: any SessionServices, requests: RequestTable, routes: RouteTable, shard: any GatewayShard) {
        self.services = services
        self.shard = shard
        self.requests = requests
        self.routes = routes
        self.decoder = FrameDecoder(requests: requests.catalog)
    }

    // MARK: - Connections

    func connectionOpened(_ connection: Connection) {
        connection.attachment = ClientSession(
            isWatch: connection.subprotocol == "muster.watch.v1",
            throttle: Throttle(
                rate: self.services.fixRate,
                burst: self.services.fixBurst,
                now: self.shard.now
            )
        )
    }

    func connectionClosed(_ connection: Connection, _ code: CloseCode) {
        self.move(connection.session, to: .ended)
        self.abandonRequests(of: connection.session)
        // The world does not know a session that was never admitted.
        guard connection.session.isKnownToWorld else { return }
        self.inputs.append(.sessionClosed(SessionID(connection.id)))
    }

    func iterationEnded() {
        guard !self.inputs.isEmpty else { return }
        if self.services.world.deliver(&self.inputs) == .full { self.shard.pauseAllReading() }
    }

    // MARK: - Frames

    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        let session = connection.session
        guard session.phase != .ended else { return }
        switch (self.decoder.decode(bytes), session.phase) {
        case (.frame(.hello(let hello)), .awaitingHello):
            self.admit(hello, on: connection)
        case (.frame(let frame), .awaitingHello):
            let error = FrameError(
                .badRequest,
                message: "The first frame must be hello.",
                field: "type",
                tag: frame.tag
            )
            self.end(connection, error, .badFrames)
        case (.failure(let error), .awaitingHello):
            self.end(connection, error, .badFrames)
        case (.frame(let frame), .admitting), (.frame(let frame), .open):
            self.receive(frame, of: session, on: connection)
        case (.failure(let error), .admitting), (.failure(let error), .open):
            self.refuse(error, on: connection)
        case (_, .ended):
            break
        }
    }

    func messageReceived(_ message: Message, on connection: Connection) {
        switch message {
        case .admitted(let opening):
            self.move(connection.session, to: .open(opening.arrival.user.id))
            connection.session.isKnownToWorld = true
            connection.followerKey = opening.arrival.user.id.rawValue
            self.inputs.append(.sessionOpened(opening))
            self.resume(connection)
        case .refused(let error):
            self.end(connection, error, error.code == .unauthorized ? .unauthorized : .unavailable)
        case .requestFinished(let ticket):
            self.requestFinished(ticket, on: connection)
        }
    }

    func timerFired(_ token: UInt8, on connection: Connection) {
        switch Timer(rawValue: token) {
        case .throttle:
            connection.session.isThrottled = false
            self.readOrPause(connection)
        case .turn:
            guard case .admitting(nil) = connection.session.phase else { return }
            // While other sessions are admitted this one keeps waiting, because a reconnect would put it at the end.
            guard self.services.unreadiness == nil else { return self.end(connection, .storageAway, .unavailable) }
            connection.timer(after: Self.helloLimit, token: Timer.turn.rawValue)
        case .admission:
            guard case .admitting = connection.session.phase else { return }
            self.end(connection, .storageAway, .unavailable)
        case .request: self.endOverdueRequests(on: connection)
        case nil: break
        }
    }

    func topicUnfollowed(_ topic: TopicID, on shard: Int, since number: UInt64) {
        self.services.source(of: topic).unfollowed(UnfollowedTopic(topic: topic, shard: shard, number: number))
    }

    func requestReceived(_ request: HTTPRequest) {
        let routes = self.routes
        let services = self.services
        if request.method == .get, request.path == "/healthz" {
            // Without a task: it must be answered also when the threads of tasks hang.
            return services.respond(services.health, to: request.id)
        }
        Task { services.respond(await routes.respond(to: request), to: request.id) }
    }

    // MARK: - Hello

    private func admit(_ hello: Hello, on connection: Connection) {
        connection.session.phase = .admitting(nil)
        // The client has completed its handshake; from now on the server's time limits apply.
        connection.markEstablished()
        self.admissions.append(hello, of: connection.id)
        self.beginAdmissions()
        guard case .admitting(nil) = connection.session.phase else { return }
        connection.timer(after: Self.helloLimit, token: Timer.turn.rawValue)
    }

    /// Sends the oldest queued `hello` frames to the directory, as far as there is capacity.
    private func beginAdmissions() {
        while let (hello, id) = self.admissions.begin() {
            // A connection that was closed while it waited needs no answer.
            guard let connection = self.shard.connection(id), case .admitting = connection.session.phase else {
                self.admissions.end()
                continue
            }
            connection.session.phase = .admitting(self.ask(hello, of: id, isWatch: connection.session.isWatch))
            connection.timer(after: Self.helloLimit, token: Timer.admission.rawValue)
        }
    }

    private func ask(_ hello: Hello, of id: ConnectionID, isWatch: Bool) -> Task<Void, Never> {
        let services = self.services
        return Task {
            do throws(FrameError) {
                let admission = try await services.admit(hello)
                let opening = SessionOpening(
                    session: SessionID(id),
                    tag: hello.tag,
                    arrival: admission.arrival,
                    login: admission.login,
                    expiresAt: admission.expiresAt,
                    isWatch: isWatch,
                    resume: hello.resume,
                    knownNotification: hello.knownNotification,
                    rooms: isWatch ? nil : hello.rooms
                )
                services.deliver(.admitted(opening), to: id)
            } catch {
                services.deliver(.refused(error.tagged(hello.tag)), to: id)
            }
        }
    }

    /// Changes the phase of a connection.
    ///
    /// The end of an admission frees capacity for the next one.
    private func move(_ session: ClientSession, to phase: ClientSession.Phase) {
        let earlier = session.phase
        session.phase = phase
        guard case .admitting(let task?) = earlier else { return }
        task.cancel()
        self.admissions.end()
        self.beginAdmissions()
    }

    // MARK: - Order

    private func receive(_ frame: ClientFrame, of session: ClientSession, on connection: Connection) {
        self.meter(frame, of: session, on: connection)
        guard session.phase != .ended else { return }
        guard case .open(let user) = session.phase, !session.isBarred, session.backlog.isEmpty else {
            session.backlog.append(frame)
            if session.backlog.count > Self.backlogToEnd {
                self.end(
                    connection,
                    FrameError(.rateLimited, message: "Too many frames are waiting for an answer."),
                    .rateLimited
                )
            } else {
                self.readOrPause(connection)
            }
            return
        }
        self.apply(frame, of: user, on: connection)
    }

    /// Applies waiting frames, up to the next barrier.
    func resume(_ connection: Connection) {
        let session = connection.session
        var applied = 0
        while case .open(let user) = session.phase, !session.isBarred, applied < session.backlog.count {
            self.apply(session.backlog[applied], of: user, on: connection)
            applied += 1
        }
        if applied == session.backlog.count { session.backlog = [] } else { session.backlog.removeFirst(applied) }
        self.readOrPause(connection)
    }

    /// Pauses reading of the socket while many frames wait, so that TCP slows the client down; resumes it afterwards.
    func readOrPause(_ connection: Connection) {
        let session = connection.session
        let mustPause =
            session.isThrottled || session.backlog.count >= Self.backlogToPause
            || session.requests?.schedule.waitingCount ?? 0 >= Self.requestsToPause
        guard mustPause != session.isPaused else { return }
        session.isPaused = mustPause
        if mustPause { connection.pauseReading() } else { connection.resumeReading() }
    }

    private func meter(_ frame: ClientFrame, of session: ClientSession, on connection: Connection) {
        switch frame {
        case .location: self.meter(1, of: session, on: connection)
        case .locations(_, let batch):
            self.meter(batch.fixes.count + batch.malformed.count, of: session, on: connection)
        case .hello, .ping, .state, .seen, .request: break
        }
    }

    private func meter(_ count: Int, of session: ClientSession, on connection: Connection) {
        switch session.throttle.receive(count, now: self.shard.now) {
        case .none:
            break
        case .pause(let milliseconds):
            self.slow(connection, for: milliseconds)
        case .warn(let milliseconds):
            connection.send(
                ServerFrame.error(
                    FrameError(.rateLimited, message: "Too many fixes per second.", retryAfter: milliseconds)
                ).encoded
            )
            self.slow(connection, for: milliseconds)
        case .close:
            self.end(connection, FrameError(.rateLimited, message: "Too many fixes per second."), .rateLimited)
        }
    }

    private func slow(_ connection: Connection, for milliseconds: Int64) {
        connection.session.isThrottled = true
        self.readOrPause(connection)
        connection.timer(after: milliseconds, token: Timer.throttle.rawValue)
    }

    // MARK: - Frames of an open session

    private func apply(_ frame: ClientFrame, of user: UserID, on connection: Connection) {
        let session = SessionID(connection.id)
        switch frame {
        case .ping(let tag):
            let now = Timestamp(milliseconds: self.services.wallMilliseconds)
            let pong = ServerFrame.pong(tag, at: now).encoded
            self.inputs.append(.answerRequested(PreparedAnswer(session: session, frame: pong)))
        case .state(let tag, let isForeground):
            self.inputs.append(.sessionStateChanged(session, isForeground: isForeground))
            self.confirm(tag, session)
        case .location(let tag, let fix):
            // The world would find the same fault, but would answer without the tag.
            if let tag, let fault = self.timeFault(of: fix) {
                connection.send(ServerFrame.error(.badFix(fault, sequence: fix.sequence, tag: tag)).encoded)
                return
            }
            self.inputs.append(.fixReceived(session, fix))
            self.confirm(tag, session)
        case .locations(let tag, let batch):
            for malformed in batch.malformed { connection.send(ServerFrame.error(malformed).encoded) }
            if !batch.fixes.isEmpty {
                self.inputs.append(.fixesReceived(FixReport(origin: .session(session), fixes: batch.fixes)))
            }
            guard let tag else { return }
            if batch.fixes.contains(where: { self.timeFault(of: $0) == nil }) {
                self.confirm(tag, session)
            } else {
                connection.send(ServerFrame.error(.noFix(tag: tag)).encoded)
            }
        case .seen(let tag, let what):
            self.inputs.append(.notificationsSeen(session, what))
            self.confirm(tag, session)
        case .hello(let hello):
            self.refuse(
                FrameError(.conflict, message: "hello was already sent in this session.", tag: hello.tag),
                on: connection
            )
        case .request(let tag, let request):
            self.receive(request, tag: tag, of: user, on: connection)
        }
    }

    /// The fault in the time of a fix, as the world will find it.
    private func timeFault(of fix: Fix) -> String? {
        let now = Timestamp(milliseconds: self.services.wallMilliseconds)
        return FixGate.timeFault(takenAt: fix.at ?? now, receivedAt: now, retention: self.services.retention)
    }

    private func confirm(_ tag: RequestTag?, _ session: SessionID) {
        guard let tag else { return }
        let frame = Frame.ok(tag, NoAnswer()).encoded
        self.inputs.append(.answerRequested(PreparedAnswer(session: session, frame: frame)))
    }

    // MARK: - Refusals

    /// Sends an error for a frame, and closes the connection when such frames are too frequent.
    func refuse(_ error: FrameError, on connection: Connection) {
        connection.send(ServerFrame.error(error).encoded)
        let session = connection.session
        guard error.code != .badFix else { return self.meter(1, of: session, on: connection) }
        if session.badFrames.add(at: self.shard.now) {
            self.move(session, to: .ended)
            connection.close(.badFrames)
        }
    }

    /// Sends an error and closes the connection.
    func end(_ connection: Connection, _ error: FrameError, _ code: CloseCode) {
        guard connection.session.phase != .ended else { return }
        self.move(connection.session, to: .ended)
        self.abandonRequests(of: connection.session)
        connection.session.backlog = []
        connection.send(ServerFrame.error(error).encoded)
        connection.close(code)
    }
}

extension Connection {
    /// The application's state of the connection, from its opening on.
    var session: ClientSession {
        guard let attachment else { preconditionFailure("every connection was opened") }
        // Nothing else is ever attached, and a checked cast costs more than the lookup that this property replaces.
        return unsafeDowncast(attachment, to: ClientSession.self)
    }
}

@available(*, unavailable)
extension SessionApplication: Sendable {}
