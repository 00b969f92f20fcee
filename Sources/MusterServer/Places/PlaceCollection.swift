import Foundation
import MusterCore

// Photon's answers (github.com/komoot/photon, "Search API") are GeoJSON with one feature for each place, whose address
// is among the properties. Muster's own fields are added. Where both have a field of the same name (`extent`: west,
// south, east, north), it is Muster's.

/// Places as GeoJSON.
struct PlaceCollection: Encodable {
    let type = "FeatureCollection"
    let features: [PlaceFeature]
    /// The attributions to show with the places.
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

    /// Describes a place, with its match if it is a search result.
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
            // A suffix may follow the number, where several places share an id: `osm:n7~2`.
            osm_id: isOSM ? Int64(place.id.dropFirst(5).prefix { $0 != "~" }) : nil
        )
    }
}
