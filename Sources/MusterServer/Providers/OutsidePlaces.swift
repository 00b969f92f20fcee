import EventLoop
import MusterCore
import OutboundHTTP

/// Places of categories from an external server.
///
/// Identical concurrent questions share a request, and an answer is valid for a day.
final class OutsidePlaces: CategoryProvider {
    /// Milliseconds for which an answer counts as new.
    private static let freshness: Int64 = 86_400_000
    /// The maximum number of places of an answer; the nearest are kept.
    private static let placeLimit = 1_000

    /// The result of a question, shared by all searches that ask it.
    private struct Found: Sendable {
        var places: [ProvidedPlace] = []
        var state: SourceReport.State
        var retryAfter: Int64?
    }

    let name: String
    private let source: any PlaceSource
    private let calls: ProviderCalls
    private let store: ProviderStore
    private let timeout: Int64
    private let concurrency: Int
    private let flights: SingleFlight<ProviderQuestion, Found>

    /// Creates a provider that queries a source.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - calls: sends the requests.
    ///   - store: caches the answers.
    ///   - timeout: milliseconds for a request.
    ///   - concurrency: the maximum number of concurrent requests.
    init(
        _ source: any PlaceSource,
        calls: ProviderCalls,
        store: ProviderStore,
        timeout: Int64,
        concurrency: Int
    ) {
        self.name = source.name
        self.source = source
        self.calls = calls
        self.store = store
        self.timeout = timeout
        self.concurrency = concurrency
        self.flights = SingleFlight(clock: calls.clock)
    }

    func places(_ search: CategorySearch) async -> CategoryAnswer {
        let start = self.calls.clock.milliseconds
        func answer(_ found: Found) -> CategoryAnswer {
            CategoryAnswer(
                places: found.places.filter { search.center.isWithin(search.radius, of: $0.coordinate) },
                source: SourceReport(
                    provider: self.name,
                    category: search.category,
                    state: found.state,
                    ms: self.calls.clock.milliseconds - start
                ),
                attribution: found.places.isEmpty ? [] : self.source.attribution,
                retryAfter: found.retryAfter
            )
        }
        let question = ProviderQuestion(
            provider: self.name,
            category: search.category,
            near: search.center,
            within: search.radius
        )
        let found = await self.flights.value(for: question, by: search.deadline) { [self] in
            await self.find(question, by: search.deadline)
        }
        return answer(found ?? Found(state: .timeout))
    }

    private func find(_ question: ProviderQuestion, by deadline: Int64) async -> Found {
        let kept = await self.store.answer(to: question)
        if let kept, kept.age < Self.freshness {
            self.calls.statistics.count(.fresh)
            return Found(places: kept.places, state: .cached)
        }
        var request = self.source.request(question)
        request.timeout = self.timeout
        request.concurrency = self.concurrency
        // Only the start of the request must meet the deadline: an answer that is late for this search serves the next
        // one.
        request.deadline = deadline == .max ? .max : deadline + self.timeout
        let source = self.source
        do throws(ProviderFailure) {
            let places = try await self.calls.ask(self.name, request) { (response) throws(UnreadableAnswer) in
                Self.nearest(try source.places(response, question.category), to: question.center)
            }
            self.calls.statistics.count(.missing)
            await self.store.keep(places, to: question)
            return Found(places: places, state: .fresh)
        } catch {
            guard let kept, self.source.mayBeStale else {
                self.calls.statistics.count(.missing)
                return Found(state: error.state, retryAfter: error.retryAfter)
            }
            self.calls.statistics.count(.stale)
            return Found(places: kept.places, state: .stale, retryAfter: error.retryAfter)
        }
    }

    private static func nearest(_ places: [ProvidedPlace], to center: Coordinate) -> [ProvidedPlace] {
        guard places.count > Self.placeLimit else { return places }
        let distances = places.map { center.distance(to: $0.coordinate) }
        return places.indices.sorted { distances[$0] < distances[$1] }.prefix(Self.placeLimit).map { places[$0] }
    }
}
