package import OutboundHTTP

/// The external servers that the operator configured; none by default.
package struct ProviderConfiguration: Sendable {
    /// The protocol of a server that provides places.
    package enum PlacesKind: String, Sendable, CaseIterable {
        case overpass
        case yelp
    }

    /// A server of map tiles, with its attribution.
    package struct Tiles: Sendable {
        var template: TileTemplate
        package var attribution: String

        /// Creates the settings of a server.
        package init(_ template: TileTemplate, attribution: String) {
            self.template = template
            self.attribution = attribution
        }
    }

    /// The operator's contact, `mailto:` or a web address, which is sent to external servers.
    package var contact: String?
    /// A Photon server.
    package var geocoder: OperatorURL?
    /// A server that provides places by category.
    package var places: OperatorURL?
    /// The protocol of that server.
    package var placesKind = PlacesKind.overpass
    /// The secret key for that server; nil for none.
    package var placesKey: String?
    /// The maximum number of concurrent requests to that server.
    package var placesConcurrency = 2
    /// An OSRM server for walking routes.
    package var router: OperatorURL?
    /// A server of the map tiles below share pictures.
    package var tiles: Tiles?
    /// A file that maps network addresses to positions.
    package var addressFile: String?
    /// Milliseconds for a request.
    package var timeout: Int64 = 3_000

    /// Creates a configuration without external servers.
    package init() {}

    /// Whether any external server is configured.
    var asksAnybody: Bool {
        self.geocoder != nil || self.places != nil || self.router != nil || self.tiles != nil
    }
}
