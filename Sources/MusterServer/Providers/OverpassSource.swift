import MusterCore
import OutboundHTTP

// The query language and the answers of the Overpass API
// (https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL). Errors during execution are reported in `remark`, in
// an answer with status 200.

/// Places of OpenStreetMap from an Overpass server.
struct OverpassSource: PlaceSource {
    /// The maximum number of elements in an answer.
    private static let elementLimit = 2_000

    private struct Answer: Decodable {
        struct Point: Decodable {
            let lat: Double?
            let lon: Double?
        }

        struct Element: Decodable {
            let type: String
            let id: Int64
            let lat: Double?
            let lon: Double?
            let center: Point?
            let tags: [String: String]?
        }

        let elements: LossyArray<Element>
        let remark: String?
    }

    let name = "overpass"
    let attribution = ["© OpenStreetMap contributors"]
    let mayBeStale = true
    let url: OperatorURL
    /// Milliseconds for a request.
    let timeout: Int64

    func request(_ question: ProviderQuestion) -> OutboundRequest {
        OutboundRequest(self.url, method: .post(form: PercentEncoding.form([("data", self.query(question))])))
    }

    /// The question in Overpass QL.
    func query(_ question: ProviderQuestion) -> String {
        let circle = "(around:\(Int(question.radius)),\(question.center.latitude),\(question.center.longitude))"
        let statements = question.category.tags.map { tag in
            "nwr[\"\(tag.key)\"~\"^(\(tag.values.sorted().joined(separator: "|")))$\"][\"name\"]\(circle);"
        }
        let seconds = max(1, (self.timeout + 999) / 1_000)
        return "[out:json][timeout:\(seconds)];(\(statements.joined()));out center \(Self.elementLimit);"
    }

    func places(_ response: OutboundResponse, _ category: PlaceCategory) throws(UnreadableAnswer) -> [ProvidedPlace] {
        let answer = try ProviderJSON.read(Answer.self, response)
        guard answer.remark == nil else { throw UnreadableAnswer() }
        return answer.elements.elements.compactMap { element in
            guard ["node", "way", "relation"].contains(element.type), let letter = element.type.first,
                let point = ProviderJSON.coordinate(
                    element.lat ?? element.center?.lat,
                    element.lon ?? element.center?.lon
                ),
                let tags = element.tags, let name = ProviderJSON.text(tags["name"])
            else { return nil }
            return Self.place("osm:\(letter)\(element.id)", name, category, point, tags)
        }
    }

    private static func place(
        _ id: String,
        _ name: String,
        _ category: PlaceCategory,
        _ point: Coordinate,
        _ tags: [String: String]
    ) -> ProvidedPlace {
        func text(_ keys: String...) -> String? {
            keys.lazy.compactMap { ProviderJSON.text(tags[$0]) }.first
        }
        let street = [tags["addr:street"], tags["addr:housenumber"]].compactMap { $0 }.joined(separator: " ")
        let address = [street, tags["addr:city"] ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        let kept = ["wikidata", "wikipedia", "cuisine", "website", "contact:website"]
        return ProvidedPlace(
            id: id,
            name: name,
            category: category,
            coordinate: point,
            tags: tags.filter { kept.contains($0.key) }.compactMapValues { ProviderJSON.text($0) },
            priceLevel: tags["fee"] == "no" ? 0 : nil,
            openingHours: text("opening_hours"),
            address: ProviderJSON.text(address),
            phone: text("phone", "contact:phone"),
            website: ProviderJSON.link(tags["website"] ?? tags["contact:website"]),
            link: "https://www.openstreetmap.org/\(Self.kind(id))/\(id.dropFirst(5))"
        )
    }

    /// The kind of element in an id of the form `osm:n1`, as it appears in a path.
    private static func kind(_ id: String) -> String {
        id.hasPrefix("osm:n") ? "node" : id.hasPrefix("osm:w") ? "way" : "relation"
    }
}
