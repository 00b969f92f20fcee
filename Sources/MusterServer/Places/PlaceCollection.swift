import Foundation
import MusterCore

// Photon's answers (github.com/komoot/photon, "Search API") are GeoJSON: a feature a place, its address among the properties. Our
// own fields stand beside them; where both have one of the same name (`extent`: west, south, east, north) it is ours.

/// Places as GeoJSON.
struct PlaceCollection: Encodable {
    let type = "FeatureCollection"
    let features: [PlaceFeature]
    /// Whom to name beside them.
    let attribution: [String]
    /// Sources that did not answer.
    let failed: [String]
}

/// A place as a GeoJSON feature.
struct PlaceFeature: Encodable {
    private struct Geometry: Encodable {
        let type = "Point"
        let coordinates: [Double]
    }

    private struct Properties: Encodable {
        let id: String
        let name: String
        let label: String
        let type: String
        let category: String?
        let lat: Double
        let lon: Double
        let extent: [Double]?
        let source: String
        let score: Double?
        let match: String?
        let city: String?
        let state: String?
        let country: String?
        let countrycode: String?
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let osm_type: String?
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let osm_id: Int64?
    }

    let type = "Feature"
    private let geometry: Geometry
    private let properties: Properties

    /// Shows a place, and how well it fits when somebody looked for it.
    init(_ place: Place, score: Double? = nil, match: GeocodeMatch.Kind? = nil) {
        let point = place.coordinate
        let extent = place.extent
        self.geometry = Geometry(coordinates: [point.longitude, point.latitude])
        let isOSM = place.id.hasPrefix("osm:")
        self.properties = Properties(
            id: place.id,
            name: place.name,
            label: place.label,
            type: place.type.rawValue,
            category: place.category?.rawValue,
            lat: point.latitude,
            lon: point.longitude,
            extent: extent.map { [$0.west, $0.south, $0.east, $0.north] },
            source: place.source,
            score: score.map { ($0 * 10_000).rounded() / 10_000 },
            match: match?.rawValue,
            city: place.surroundings.city,
            state: place.surroundings.state,
            country: place.surroundings.country,
            countrycode: place.surroundings.countryCode,
            osm_type: isOSM ? place.id.dropFirst(4).first?.uppercased() : nil,
            // Behind the number may stand which of several places of one id it is: `osm:n7~2`.
            osm_id: isOSM ? Int64(place.id.dropFirst(5).prefix { $0 != "~" }) : nil
        )
    }
}
