import Synchronization

@testable import MusterCore
@testable import MusterServer

/// A source of places that returns a test's answers and records the requests.
final class StubCategories: CategoryProvider {
    let name: String
    private let answer: @Sendable (CategorySearch) -> CategoryAnswer
    private let searches = Mutex<[CategorySearch]>([])

    init(_ name: String = "stub", _ answer: @escaping @Sendable (CategorySearch) -> CategoryAnswer) {
        self.name = name
        self.answer = answer
    }

    var asked: [CategorySearch] { self.searches.withLock { $0 } }

    func places(_ search: CategorySearch) async -> CategoryAnswer {
        self.searches.withLock { $0.append(search) }
        return self.answer(search)
    }

    /// An answer with these places, or the reason why there are none.
    static func answer(
        _ search: CategorySearch,
        _ places: [ProvidedPlace],
        _ state: SourceReport.State = .fresh,
        by name: String = "stub",
        retryAfter: Int64? = nil
    ) -> CategoryAnswer {
        CategoryAnswer(
            places: places,
            source: SourceReport(provider: name, category: search.category, state: state, ms: 5),
            attribution: places.isEmpty ? [] : ["© \(name)"],
            retryAfter: retryAfter
        )
    }
}

/// A router with a configurable walking speed, where some points are unreachable.
struct StubRouter: WalkRouter {
    /// The ratio of walking time to estimated time.
    var slowness = 2.0
    /// Whether no street reaches a point.
    var isCutOff: @Sendable (Coordinate) -> Bool = { _ in false }
    var hasCourses = true

    func table(among points: [Coordinate], deadline: Int64) async -> WalkTable? {
        guard points.count <= WalkTable.mostPoints else { return nil }
        let walks = points.flatMap { start in
            points.map { end -> WalkTable.Walk? in
                guard !self.isCutOff(start), !self.isCutOff(end) else { return nil }
                let seconds = WalkEstimate.seconds(from: start, to: end) * self.slowness
                return WalkTable.Walk(seconds: seconds, metres: seconds)
            }
        }
        return WalkTable(points: points.count, walks: walks)
    }

    func legs(through points: [Coordinate], deadline: Int64) async -> [WalkLeg?]? {
        guard self.hasCourses else { return nil }
        return points.dropFirst().map { _ in WalkLeg(seconds: 1, metres: 1, geometry: "_p~iF~ps|U") }
    }
}

extension ProvidedPlace {
    /// A place slightly north of another.
    static func sample(
        _ id: String,
        _ category: PlaceCategory,
        north metres: Double,
        rating: Double? = nil,
        price: Int? = nil,
        retention: Retention = .everything
    ) -> ProvidedPlace {
        ProvidedPlace(
            id: id,
            name: "Place \(id)",
            category: category,
            coordinate: Coordinate(latitude: 60.17 + metres / 111_195, longitude: 24.94),
            rating: rating,
            ratings: rating == nil ? 0 : 100,
            priceLevel: price,
            retention: retention
        )
    }
}
