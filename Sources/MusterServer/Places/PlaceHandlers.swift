import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about places.
    static func places(_ services: any RequestServices, _ geocoding: Geocoding) -> [Entry] {
        [
            .asynchronous(Geocode.self) { request, caller in
                try geocoding.charge(caller.user)
                let directory = try services.readyDirectory()
                let answer = try await geocoding.answer(request) {
                    try await services.requestLimit.run(for: caller.user) { try await directory.geocode(request) }
                }
                return .answer(GeocodeResults(answer))
            },
            .directory(PlaceGet.self, services) { request, _, directory in
                .answer(PlaceAnswer(try await directory.place(request.place)))
            },
        ]
    }
}

extension GeocodeResults {
    /// Describes the results of a search.
    init(_ answer: GeocodeAnswer) {
        self.init(
            answer.results.map { PlaceView($0.place, score: $0.match.score, match: $0.match.kind) },
            attribution: answer.attribution,
            failed: answer.failed
        )
    }
}
