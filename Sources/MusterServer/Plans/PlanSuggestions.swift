import EventLoop
import Foundation
import MusterCore
import MusterWire
import Synchronization

/// Suggests plans to users.
final class PlanSuggestions: Sendable {
    /// The maximum age of a user's position as the start of a plan, in milliseconds.
    private static let positionLifetime: Int64 = 45 * 60_000
    /// The time limit for places, in milliseconds; the places that have arrived by then are used.
    private static let placesTimeout: Int64 = 4_000
    /// The time limit for a router, in milliseconds.
    private static let routerTimeout: Int64 = 3_000
    /// Milliseconds until the next attempt after a failure of a source that states none.
    private static let usualRetry: Int64 = 5_000

    private let clock: MonotonicClock
    private let categories: [any CategoryProvider]
    private let router: (any WalkRouter)?
    private let guess: @Sendable (_ address: String) -> PositionGuess?
    private let blocking: BlockingPool
    private let limit: ConcurrencyLimit<UserID>
    private let seconds = Mutex<[String: Histogram]>([:])

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - clock: measures durations and deadlines.
    ///   - categories: sources of places for areas without imported places.
    ///   - router: the source of walks; nil for estimates alone.
    ///   - guess: returns the approximate position of a network address.
    ///   - blocking: runs the computation of plans.
    ///   - limit: limits the concurrent requests to the directory.
    init(
        clock: MonotonicClock,
        categories: [any CategoryProvider] = [],
        router: (any WalkRouter)? = nil,
        guess: @escaping @Sendable (_ address: String) -> PositionGuess? = { _ in nil },
        blocking: BlockingPool,
        limit: ConcurrencyLimit<UserID>
    ) {
        self.clock = clock
        self.categories = categories
        self.router = router
        self.guess = guess
        self.blocking = blocking
        self.limit = limit
    }

    /// The durations by stage.
    var times: [String: Histogram] { self.seconds.withLock { $0 } }

    /// The suggested plans, with their sources.
    ///
    /// - Throws: `badRequest`; `unavailable` when there is no place at all because sources failed; the directory's
    ///   error.
    func answer(_ request: PlanSuggest, for caller: Caller, _ directory: Directory) async throws -> SuggestionAnswer {
        let user = caller.user
        let (origin, source) = try await self.origin(request, caller, directory)
        let area = try await self.limit.run(for: user) { try await directory.planArea(at: origin) }
        let day = try self.day(request, from: origin, in: area)
        let categories = request.categories.reduce(into: [PlaceCategory]()) { if !$0.contains($1) { $0.append($1) } }

        let (findings, candidates) = try await self.measure("places") {
            let search = PlanSearch(
                categories: categories,
                center: origin,
                radius: request.radius ?? PlanSuggest.standardRadius,
                deadline: self.clock.milliseconds + Self.placesTimeout
            )
            let local = LocalCategories(
                directory: directory,
                area: area,
                limit: self.limit,
                user: user,
                clock: self.clock
            )
            let asksOthers = !area.isImported && !self.categories.isEmpty
            let findings = await search.findings(of: asksOthers ? self.categories : [local])
            var candidates = PlanCandidates(findings, maxPrice: request.maxPrice, day: day)
            let points = candidates.all.map(\.place.coordinate)
            if !points.isEmpty {
                let votes = try await self.limit.run(for: user) { try await directory.votes(near: points) }
                candidates.count(votes)
            }
            return (findings, candidates)
        }
        if candidates.places.isEmpty, findings.hasFailures {
            throw FrameError(
                .unavailable,
                message: "The place providers do not answer; try again later.",
                retryAfter: findings.retryAfter ?? Self.usualRetry
            )
        }
        let draft = PlanDraft(
            slots: request.categories.compactMap { candidates.places[$0] },
            day: day,
            count: request.count ?? PlanSuggest.standardCount
        )
        let plans = try await self.plans(draft).map { plan in
            var plan = plan
            plan.attribution = findings.attribution
            return plan
        }
        // A position from a network address is never stored.
        let stored = source == .ip ? plans.map(\.withoutOrigin) : plans
        let suggestion = try await self.measure("store") {
            try await self.limit.run(for: user) {
                try await directory.addSuggestion(stored.map(\.kept), for: user)
            }
        }
        return SuggestionAnswer(
            suggestion,
            from: SuggestionAnswer.Origin(origin, from: source),
            plans,
            missing: categories.filter { candidates.places[$0] == nil },
            sources: findings.sources.map {
                PlanSourceView($0.provider, $0.category, state: $0.state.rawValue, ms: $0.ms)
            },
            attribution: findings.attribution
        )
    }

    // MARK: - Origin and day

    private func origin(
        _ request: PlanSuggest,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> (Coordinate, SuggestionAnswer.Origin.Source) {
        if let given = request.origin { return (given, .given) }
        let own = try await self.limit.run(for: caller.user) {
            try await directory.ownPosition(of: caller.user, notOlderThan: Self.positionLifetime)
        }
        if let own { return (own, .fix) }
        if let guess = caller.address.flatMap({ self.guess($0) }) { return (guess.coordinate, .ip) }
        throw FrameError(
            .badRequest,
            message: "lat and lon are required, because your position is unknown.",
            field: "lat"
        )
    }

    private func day(_ request: PlanSuggest, from origin: Coordinate, in area: PlanArea) throws(FrameError) -> PlanDay {
        let start = request.at ?? Timestamp(milliseconds: self.clock.wallMilliseconds)
        if let until = request.until, until <= start {
            throw FrameError(
                .badRequest,
                message: "until must be later than the start: at, or now if at is absent.",
                field: "until"
            )
        }
        return PlanDay(
            origin: origin,
            start: start,
            isTimed: request.at != nil,
            startMinute: Self.minuteOfWeek(start, in: area.timeZone),
            stay: ((request.stay ?? PlanSuggest.standardStay) + 59) / 60,
            end: request.until,
            pace: request.pace ?? .balanced
        )
    }

    /// The minute of the week at a moment in a time zone; the week begins on Monday at 0:00.
    static func minuteOfWeek(_ moment: Timestamp, in zone: String?) -> Int {
        let zone = zone.flatMap { TimeZone(identifier: $0) } ?? .gmt
        let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
        let minutes = Int(moment.milliseconds / 60_000) + zone.secondsFromGMT(for: date) / 60
        // The first day of 1970 was a Thursday.
        let inWeek = (minutes + 3 * 24 * 60) % OpeningHours.week
        return inWeek < 0 ? inWeek + OpeningHours.week : inWeek
    }

    // MARK: - Plans

    private func plans(_ draft: PlanDraft) async throws -> [DayPlan] {
        if let router = self.router {
            let deadline = self.clock.milliseconds + Self.routerTimeout
            let question = try await self.compute { draft.question() }
            let table = await self.measure("route") { await router.table(among: question.points, deadline: deadline) }
            if let table {
                let plans = try await self.compute { draft.routed(question, table) }
                if !plans.isEmpty {
                    return await self.measure("route") { await self.withCourses(plans, router, deadline) }
                }
            }
        }
        return try await self.compute { draft.estimated() }
    }

    /// The plans with the geometry of their legs, as far as the router returns it in time.
    private func withCourses(_ plans: [DayPlan], _ router: any WalkRouter, _ deadline: Int64) async -> [DayPlan] {
        await withTaskGroup(of: (Int, [WalkLeg?]?).self) { group in
            for (number, plan) in plans.enumerated() {
                let points = [plan.origin].compactMap(\.self) + plan.stops.map(\.place.coordinate)
                group.addTask { (number, await router.legs(through: points, deadline: deadline)) }
            }
            var plans = plans
            for await case (let number, let legs?) in group {
                for (stop, leg) in zip(plans[number].stops.indices, legs) {
                    if let leg { plans[number].stops[stop].leg?.geometry = leg.geometry }
                }
            }
            return plans
        }
    }

    /// Computes on a thread that may block.
    private func compute<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        try await self.measure("plan") {
            guard let value = await self.blocking.job(body) else {
                throw FrameError(.unavailable, message: "The server is overloaded; try again soon.", retryAfter: 1000)
            }
            return value
        }
    }

    private func measure<Value>(_ stage: String, _ body: () async throws -> Value) async rethrows -> Value {
        let start = self.clock.nanoseconds
        let value = try await body()
        let took = Double(self.clock.nanoseconds - start) / 1e9
        self.seconds.withLock { $0[stage, default: .seconds].observe(took) }
        return value
    }
}
