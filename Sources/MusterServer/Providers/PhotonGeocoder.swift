import EventLoop
import MusterCore
import MusterWire
import OutboundHTTP

// Photon's answers (github.com/komoot/photon, "Search API") are GeoJSON with one feature for each place, whose address
// is among the properties. `extent` is in the order west, north, east, south.

/// Looks places up on a Photon server.
struct PhotonGeocoder: Sendable {
    /// The name of Photon among the sources.
    static let name = "photon"
    /// The attribution to show with its places.
    static let attribution = "© OpenStreetMap contributors"
    /// Milliseconds for a question.
    ///
    /// It is short, because the answer from the database waits for it.
    private static let timeout: Int64 = 1_500
    private static let answerLimit = 10

    private struct Answer: Decodable {
        struct Geometry: Decodable {
            let coordinates: [Double]
        }

        struct Properties: Decodable {
            // swift-format-ignore: AlwaysUseLowerCamelCase
            let osm_type: String?
            // swift-format-ignore: AlwaysUseLowerCamelCase
            let osm_id: Int64?
            // swift-format-ignore: AlwaysUseLowerCamelCase
            let osm_key: String?
            // swift-format-ignore: AlwaysUseLowerCamelCase
            let osm_value: String?
            let type: String?
            let name: String?
            let street: String?
            let housenumber: String?
            let city: String?
            let state: String?
            let country: String?
            let countrycode: String?
            let extent: [Double]?
        }

        struct Feature: Decodable {
            let geometry: Geometry
            let properties: Properties
        }

        let features: LossyArray<Feature>
    }

    private let url: OperatorURL
    private let calls: ProviderCalls
    private let concurrency: Int

    init(_ url: OperatorURL, calls: ProviderCalls, concurrency: Int) {
        self.url = url
        self.calls = calls
        self.concurrency = concurrency
    }

    /// The possible meanings of a text, in the order of the server.
    ///
    /// - Throws: the reason why there is no answer.
    func places(_ geocode: Geocode) async throws(ProviderFailure) -> [Place] {
        var query = [(name: "q", value: geocode.q), (name: "limit", value: "\(Self.answerLimit)")]
        if let bias = geocode.bias {
            // Rounded to about 5 km, to protect the position of the user.
            query.append(("lat", "\((bias.latitude * 10).rounded() / 10)"))
            query.append(("lon", "\((bias.longitude * 10).rounded() / 10)"))
        }
        var request = OutboundRequest(self.url.appending("api", query: query))
        request.timeout = Self.timeout
        request.deadline = self.calls.clock.milliseconds + Self.timeout
        request.concurrency = self.concurrency
        return try await self.calls.ask(Self.name, request) { (response) throws(UnreadableAnswer) in
            try ProviderJSON.read(Answer.self, response).features.elements.compactMap(Self.place)
        }
    }

    private static func place(_ feature: Answer.Feature) -> Place? {
        let about = feature.properties
        let numbers = feature.geometry.coordinates
        guard numbers.count >= 2, let point = ProviderJSON.coordinate(numbers[1], numbers[0]),
            let letter = about.osm_type?.lowercased(), ["n", "w", "r"].contains(letter), let number = about.osm_id
        else { return nil }
        let street = ProviderJSON.text(about.street)
        let house = ProviderJSON.text(about.housenumber)
        let door = street.map { street in house.map { "\(street) \($0)" } ?? street }
        guard let name = ProviderJSON.text(about.name) ?? door else { return nil }
        let corners = about.extent ?? []
        return Place(
            id: "osm:\(letter)\(number)",
            name: name,
            type: Self.type(about.type, isNamed: ProviderJSON.text(about.name) != nil),
            category: about.osm_key.flatMap { PlaceCategory(tags: [$0: about.osm_value ?? ""]) },
            coordinate: point,
            extent: corners.count == 4 && corners.allSatisfy { abs($0) <= 180 }
                ? Place.Extent(west: corners[0], south: corners[3], east: corners[2], north: corners[1]) : nil,
            source: Self.name,
            surroundings: Place.Surroundings(
                city: ProviderJSON.text(about.city),
                state: ProviderJSON.text(about.state),
                country: ProviderJSON.text(about.country),
                countryCode: ProviderJSON.text(about.countrycode)
            )
        )
    }

    /// Converts Photon's type of a place.
    ///
    /// A named house is a business, a school or a sight.
    private static func type(_ type: String?, isNamed: Bool) -> PlaceType {
        switch type {
        case "house": isNamed ? .other : .house
        case "street": .street
        case "locality", "district": .locality
        case "city": .city
        case "state": .state
        case "country": .country
        case _: .other
        }
    }
}
