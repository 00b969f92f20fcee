import EventLoop
import Foundation
import MusterCore
import MusterWire
import WebSocketGateway

// An app sends again whatever is not answered with 200, and iOS's apps drop what is answered with 4xx. So:
//
//   200   all that is usable is committed; what is not is counted and shown to the user
//   401   the token is unknown (OsmAnd and Traccar Client: 400)
//   413   longer than 1 MiB, or more than 1,000 fixes
//   503   too fast, or not committed within ten seconds; with Retry-After, never 429

/// Reports of phones' own apps (public/docs/protocol.md#phones-own-apps).
struct IngestRoutes: Sendable {
    /// A report whose fixes are durable.
    private struct Accepted {
        let arrival: Arrival
        /// Whether the phone reports again what it reported before.
        let isRepeat: Bool
    }

    /// The maximum number of bytes of a report.
    private static let bodyLimit = 1_048_576
    /// How long a report waits for its commit.
    private static let commitTimeout = Duration.seconds(10)
    /// The delay of the answer to a client that sends many unknown tokens.
    private static let guessDelay = Duration.seconds(2)

    private let node: ServerNode
    private let world: any WorldLink
    private let reports: PendingAnswers<ReportOutcome>
    private let views: PendingAnswers<PhoneView>
    private let statistics: IngestStatistics
    private let memories = OwnTracksMemories()
    /// Limits the rate of each tracker.
    private let meter = RateMeter<DeviceID>(rate: 1, burst: 1_000)
    /// Counts unknown tokens by address.
    private let guesses = RateMeter<String>(rate: 0.2, burst: 20)

    /// Creates the routes.
    init(
        _ node: ServerNode,
        world: any WorldLink,
        reports: PendingAnswers<ReportOutcome>,
        views: PendingAnswers<PhoneView>,
        statistics: IngestStatistics
    ) {
        self.node = node
        self.world = world
        self.reports = reports
        self.views = views
        self.statistics = statistics
    }

    /// The routes of the table.
    var routes: [Route] {
        let body = Route.Body.json(limit: Self.bodyLimit)
        return [
            Route(
                .post,
                "/v1/ingest/owntracks",
                access: .anybody,
                body: body,
                headers: ["user-agent"],
                handler: self.counting(self.ownTracks)
            ),
            Route(.post, "/v1/ingest/overland", access: .anybody, body: body, handler: self.counting(self.overland)),
            Route(.post, "/v1/ingest/osmand", access: .anybody, body: body, handler: self.counting(self.osmAnd)),
            Route(.get, "/v1/ingest/osmand", access: .anybody, handler: self.counting(self.osmAnd)),
        ]
    }

    // MARK: - Apps

    private func ownTracks(_ request: RouteRequest) async throws -> HTTPResponse {
        let token = Self.token(in: request.headers)
        var reader = OwnTracksReader(request.base.body, secret: nil)
        var secret: TrackerSecret?
        if reader.isEncrypted {
            guard let token, let device = try await self.node.readyDirectory().tracker(token: token) else {
                throw await self.unknownToken(request)
            }
            let key = TrackerSecret(of: device, key: self.node.configuration.secretKey)
            reader = OwnTracksReader(request.base.body, secret: key)
            secret = key
        }
        let accepted = try await self.accept(reader.report, token: token, request)
        let isAndroid = reader.isAndroid || Self.isAndroid(request.headers["user-agent"])
        let body = try await self.answer(
            accepted,
            isAndroid: isAndroid,
            lastFix: reader.report.fixes.last,
            secret: secret
        )
        return HTTPResponse(
            status: 200,
            headers: [("content-type", "application/json"), ("cache-control", "no-store")],
            body: body
        )
    }

    private func overland(_ request: RouteRequest) async throws -> HTTPResponse {
        let token = Self.token(in: request.headers) ?? request.query("token")
        _ = try await self.accept(OverlandReader.report(request.base.body), token: token, request)
        return .json(OverlandAnswer())
    }

    private func osmAnd(_ request: RouteRequest) async throws -> HTTPResponse {
        let reader = OsmAndReader(query: request.base.query, body: request.base.body)
        let token = reader.token ?? Self.token(in: request.headers)
        do {
            _ = try await self.accept(reader.report, token: token, request)
        } catch let error as FrameError where error.code == .unauthorized {
            return .problem(error, 400)
        }
        return HTTPResponse(status: 200, headers: [("cache-control", "no-store")])
    }

    // MARK: - Reports

    /// Stores a report, and returns once it is committed.
    ///
    /// - Throws: `unauthorized`, `tooLarge`, `unavailable`.
    private func accept(
        _ report: AppReport,
        token: String?,
        _ request: RouteRequest
    ) async throws -> Accepted {
        let directory = try self.node.readyDirectory()
        let isTooLong = report.fixes.count > AppReport.fixLimit
        let fixes = isTooLong ? [] : report.fixes
        let keys = fixes.map { ReportKey(of: $0) }
        guard let token, let admission = try await directory.admitTracker(token: token, keys: keys) else {
            throw await self.unknownToken(request)
        }
        let device = admission.arrival.device
        guard !isTooLong else {
            let problem = AppProblem("A report has more than \(AppReport.fixLimit) positions.")
            try await directory.noteProblems([problem], of: device)
            throw FrameError(.tooLarge, message: problem.text)
        }
        do throws(FrameError) {
            try self.meter.charge(max(1, fixes.count), to: device, now: self.node.clock.milliseconds)
        } catch {
            self.statistics.count(.limited)
            throw FrameError(
                .unavailable,
                message: "This phone reports too fast; it must send this again later.",
                retryAfter: error.retryAfter
            )
        }
        let outcome = try await self.reports.answer(within: Self.commitTimeout) { number in
            let report = TrackerReport(
                request: SessionID(number),
                arrival: admission.arrival,
                fixes: fixes,
                keys: keys,
                stored: admission.stored
            )
            self.world.send(.phoneApps(.reported(report)))
        }
        guard outcome.acknowledgement.isComplete else { throw FrameError.storageAway }
        let problems = report.problems + outcome.malformed.map { AppProblem($0.message) }
        try await directory.noteProblems(problems, of: device)
        self.statistics.count(problems.isEmpty ? .ok : .junk)
        let isRepeat = outcome.acknowledgement.rejected.contains { $0.verdict == .duplicate }
        return Accepted(arrival: admission.arrival, isRepeat: isRepeat)
    }

    /// The error for an unknown token, after a delay for a client that sends many.
    private func unknownToken(_ request: RouteRequest) async -> FrameError {
        if let address = self.node.strangerAddress(of: request.base) {
            do throws(FrameError) {
                try self.guesses.charge(1, to: address, now: self.node.clock.milliseconds)
            } catch {
                try? await Task.sleep(for: Self.guessDelay)
            }
        }
        return FrameError(.unauthorized, message: "The token is unknown: add the phone again.")
    }

    /// Counts the failures of a handler, except for those that it counted itself.
    private func counting(
        _ handler: @escaping @Sendable (RouteRequest) async throws -> HTTPResponse
    ) -> @Sendable (RouteRequest) async throws -> HTTPResponse {
        { request in
            do {
                let response = try await handler(request)
                if response.status == 400 { self.statistics.count(.unauthorized) }
                return response
            } catch {
                let error = self.node.frameError(error)
                switch error.code {
                case .unauthorized: self.statistics.count(.unauthorized)
                case .tooLarge: self.statistics.count(.tooLarge)
                case .unavailable where error.message == FrameError.storageAway.message:
                    self.statistics.count(.unavailable)
                default: break
                }
                throw error
            }
        }
    }

    // MARK: - The answer to OwnTracks

    private func answer(
        _ accepted: Accepted,
        isAndroid: Bool,
        lastFix: Fix?,
        secret: TrackerSecret?
    ) async throws -> [UInt8] {
        let arrival = accepted.arrival
        // The report is committed: a phone whose view cannot be had gets an empty answer.
        let view = try? await self.views.answer { number in
            let request = PhoneViewRequest(
                number: number,
                user: arrival.user.id,
                groups: arrival.groups,
                blocked: arrival.blocked
            )
            self.world.send(.phoneApps(.viewRequested(request)))
        }
        guard let view else { return Array("[]".utf8) }
        let plan = self.memories.update(arrival.device) { memory in
            memory.begin(isRepeat: accepted.isRepeat)
            return OwnTracksPlan(view, memory: &memory, isAndroid: isAndroid, lastFix: lastFix)
        }
        let faces = await self.faces(of: plan.messages)
        let answer = OwnTracksAnswer(plan.messages, faces: faces, secret: secret, at: view.at)
        self.memories.update(arrival.device) { $0.note(answer.messages, at: view.at) }
        return answer.body
    }

    /// The faces of the friends whose cards are sent; a face that cannot be read is left out.
    private func faces(of messages: [OwnTracksMessage]) async -> [UserID: [UInt8]] {
        guard let directory = self.node.readyStorage else { return [:] }
        var users: [UserID] = []
        for case .card(let user) in messages where user.avatar != nil { users.append(user.id) }
        return users.isEmpty ? [:] : (try? await directory.faces(of: users)) ?? [:]
    }

    // MARK: - Heads

    /// The token in `Authorization`: that of Bearer, or the password of Basic.
    static func token(in headers: HTTPHeaders) -> String? {
        let parts = (headers["authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let value = String(parts[1])
        switch parts[0].lowercased() {
        case "bearer": return value
        case "basic":
            guard let text = Data(base64Encoded: value).map({ String(decoding: $0, as: UTF8.self) }),
                let colon = text.firstIndex(of: ":")
            else { return nil }
            return String(text[text.index(after: colon)...])
        default: return nil
        }
    }

    private static func isAndroid(_ agent: String?) -> Bool { agent?.lowercased().contains("android") ?? false }
}

/// The answer without which Overland sends a batch again.
private struct OverlandAnswer: Encodable {
    let result = "ok"
}
