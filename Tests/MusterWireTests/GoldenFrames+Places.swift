import MusterWire

@testable import MusterCore
@testable import MusterServer

extension GoldenFrames {
    static let paris = Place(
        id: "gn:4717560",
        name: "Paris",
        type: .city,
        category: nil,
        coordinate: Coordinate(latitude: 33.66094, longitude: -95.55551),
        extent: Place.Extent(west: -95.7, south: 33.5, east: -95.4, north: 33.8),
        source: "geonames-cities15000",
        surroundings: Place.Surroundings(state: "Texas", country: "United States", countryCode: "US")
    )
    static let parisJSON =
        #"{"id":"gn:4717560","name":"Paris","label":"Paris, Texas, United States","type":"city","category":null,"#
        + #""lat":33.66094,"lon":-95.55551,"extent":[-95.7,33.5,-95.4,33.8],"source":"geonames-cities15000""#
}
