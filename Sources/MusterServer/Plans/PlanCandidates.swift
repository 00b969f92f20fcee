import MusterCore

/// The candidate places for plans, by category.
struct PlanCandidates: Sendable {
    /// The maximum number of places of a category whose votes are looked up: twice as many as plans can use.
    private static let mostPlaces = 2 * PlanProblem.mostStops

    /// The places of each category that has any.
    private(set) var places: [PlaceCategory: [PlannedPlace]] = [:]

    /// Evaluates places by the available evidence; votes are counted later.
    init(_ findings: PlanSearch.Findings, maxPrice: Int?, day: PlanDay) {
        for (category, found) in findings.places {
            let source = findings.sources.first { $0.category == category }?.provider ?? ""
            let fame = PlaceFame(among: found.map(\.evidence))
            // If the price is unknown, the usual price of the category is assumed, as for the cost of a plan.
            let evaluated = found.filter {
                maxPrice == nil || $0.priceLevel ?? category.usualPriceLevel <= maxPrice ?? 0
            }
            .map { PlannedPlace($0, source: $0.gazetteer ?? source, fame: fame($0.evidence)) }
            let values = evaluated.map { place in
                place.fame - WalkEstimate.seconds(from: day.origin, to: place.coordinate) / 60 / day.pace.minutesPerFame
            }
            let best = evaluated.indices.sorted { (values[$1], evaluated[$0].id) < (values[$0], evaluated[$1].id) }
            if !best.isEmpty { self.places[category] = best.prefix(Self.mostPlaces).map { evaluated[$0] } }
        }
    }

    /// All places, in a stable order.
    var all: [(category: PlaceCategory, index: Int, place: PlannedPlace)] {
        PlaceCategory.allCases.flatMap { category in
            (self.places[category] ?? []).enumerated().map { (category, $0.offset, $0.element) }
        }
    }

    /// Adjusts the evaluation by the votes on the spots near each place; votes by the numbers of `all`.
    mutating func count(_ votes: [Int: NearbyVotes]) {
        for (number, entry) in self.all.enumerated() {
            guard let vote = votes[number] else { continue }
            let fame = entry.place.fame + PlaceFame.bonus(likes: vote.likes, dislikes: vote.dislikes)
            self.places[entry.category]?[entry.index].fame = min(1, fame)
        }
    }
}

extension PlannedPlace {
    /// Converts a place of a source.
    fileprivate init(_ place: ProvidedPlace, source: String, fame: Double) {
        self.init(
            id: place.id,
            name: place.name,
            category: place.category,
            coordinate: place.coordinate,
            extent: place.extent,
            source: source,
            fame: fame,
            rating: place.rating,
            ratings: place.ratings,
            priceLevel: place.priceLevel,
            openingHours: place.openingHours,
            address: place.address,
            phone: place.phone,
            website: place.website,
            isKeptBare: place.retention == .identity
        )
    }

    /// The place in the form of the planner.
    var stop: PlanStop {
        PlanStop(
            place: self.id,
            coordinate: self.coordinate,
            fame: self.fame,
            hours: self.openingHours.flatMap { OpeningHours($0) }
        )
    }
}
