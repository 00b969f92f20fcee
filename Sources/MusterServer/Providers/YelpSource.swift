import MusterCore
import OutboundHTTP

/// Places from a server with the API of Yelp Fusion (`/businesses/search`).
///
/// Its terms permit to cache answers for a day. Longer, only the data that identify a place may be kept.
struct YelpSource: PlaceSource {
    private static let businessLimit = 50
    private static let widest = 40_000

    private struct Answer: Decodable {
        struct Point: Decodable {
            let latitude: Double?
            let longitude: Double?
        }

        struct Address: Decodable {
            // swift-format-ignore: AlwaysUseLowerCamelCase
            let display_address: [String]?
        }

        struct Business: Decodable {
            let id: String
            let name: String
            let coordinates: Point
            let rating: Double?
            // swift-format-ignore: AlwaysUseLowerCamelCase
            let review_count: Int?
            let price: String?
            let url: String?
            // swift-format-ignore: AlwaysUseLowerCamelCase
            let display_phone: String?
            // swift-format-ignore: AlwaysUseLowerCamelCase
            let is_closed: Bool?
            let location: Address?
        }

        let businesses: LossyArray<Business>
    }

    let name = "yelp"
    let attribution = ["Yelp"]
    let mayBeStale = false
    let url: OperatorURL
    /// The operator's key for the server; nil for none.
    let key: String?

    func request(_ question: ProviderQuestion) -> OutboundRequest {
        var request = OutboundRequest(
            self.url.appending(
                "businesses",
                "search",
                query: [
                    ("latitude", "\(question.center.latitude)"), ("longitude", "\(question.center.longitude)"),
                    ("radius", "\(min(Int(question.radius), Self.widest))"),
                    ("categories", Self.categories(question.category)), ("limit", "\(Self.businessLimit)"),
                    ("sort_by", "best_match"),
                ]
            )
        )
        if let key { request.headers = [("Authorization", "Bearer \(key)")] }
        return request
    }

    func places(_ response: OutboundResponse, _ category: PlaceCategory) throws(UnreadableAnswer) -> [ProvidedPlace] {
        try ProviderJSON.read(Answer.self, response).businesses.elements.compactMap { business in
            guard business.is_closed != true, let id = ProviderJSON.text(business.id), id.utf8.count <= 59,
                let name = ProviderJSON.text(business.name),
                let point = ProviderJSON.coordinate(business.coordinates.latitude, business.coordinates.longitude)
            else { return nil }
            let price = business.price?.count ?? 0
            return ProvidedPlace(
                id: "yelp:\(id)",
                name: name,
                category: category,
                coordinate: point,
                rating: business.rating.flatMap { (1...5).contains($0) ? $0 : nil },
                ratings: min(max(0, business.review_count ?? 0), 10_000_000),
                priceLevel: (1...4).contains(price) ? price : nil,
                address: ProviderJSON.text(business.location?.display_address?.joined(separator: ", ")),
                phone: ProviderJSON.text(business.display_phone),
                link: ProviderJSON.link(business.url),
                retention: .identity
            )
        }
    }

    /// Yelp's names of the businesses in a category.
    static func categories(_ category: PlaceCategory) -> String {
        switch category {
        case .restaurant: "restaurants"
        case .fastfood: "hotdogs,foodstands,pizza"
        case .cafe: "coffee,cafes,bakeries"
        case .bar: "bars,nightlife"
        case .park: "parks,gardens,beaches"
        case .art: "museums,galleries,theater,movietheaters"
        case .sight: "landmarks"
        case .amusement: "amusementparks,zoos,aquariums,bowling"
        case .shopping: "shopping"
        case .sport: "active"
        }
    }
}
