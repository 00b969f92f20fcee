import EventLoop
import MusterCore

/// The places that were imported into the database.
struct LocalCategories: CategoryProvider {
    let name = "local"
    let directory: Directory
    /// The known facts about the area of the search.
    let area: PlanArea
    /// Limits the concurrent requests to the directory.
    let limit: ConcurrencyLimit<UserID>
    /// The user on whose behalf places are looked up.
    let user: UserID
    let clock: MonotonicClock

    func places(_ search: CategorySearch) async -> CategoryAnswer {
        let start = self.clock.milliseconds
        func report(_ state: SourceReport.State) -> SourceReport {
            let took = self.clock.milliseconds - start
            return SourceReport(provider: self.name, category: search.category, state: state, ms: took)
        }
        guard
            let places = try? await self.limit.run(
                for: self.user,
                {
                    try await self.directory.places(
                        of: search.category,
                        around: search.center,
                        within: search.radius
                    )
                }
            )
        else { return CategoryAnswer(source: report(.failed)) }
        let sources = Set(places.map(\.source))
        return CategoryAnswer(
            places: places.map { ProvidedPlace($0, search.category) },
            source: report(.local),
            attribution: self.area.attribution.filter { sources.contains($0.key) }.map(\.value).sorted()
        )
    }
}

extension ProvidedPlace {
    /// Describes a place of the gazetteers by OpenStreetMap's tags.
    init(_ place: PlanPlace, _ category: PlaceCategory) {
        let tags = place.tags
        let street = tags["addr:street"].map {
            [$0, tags["addr:housenumber"]].compactMap(\.self).joined(separator: " ")
        }
        let address = [street, tags["addr:city"] ?? place.city].compactMap(\.self).joined(separator: ", ")
        self.init(
            id: place.id,
            name: place.name,
            category: category,
            coordinate: place.coordinate,
            extent: place.extent,
            gazetteer: place.source,
            tags: tags,
            priceLevel: tags["fee"] == "no" ? 0 : nil,
            openingHours: tags["opening_hours"],
            address: address.isEmpty ? nil : address,
            phone: tags["phone"] ?? tags["contact:phone"],
            website: (tags["website"] ?? tags["contact:website"]).flatMap { try? WebLink($0).text }
        )
    }
}
