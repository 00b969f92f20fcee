package import OutboundHTTP

/// Whom the server may ask beyond itself, as its operator wants it; nobody by default.
package struct ProviderConfiguration: Sendable {
    /// The language of a server that knows places.
    package enum PlacesKind: String, Sendable, CaseIterable {
        case overpass
        case yelp
    }

    /// A server of map tiles, and whom they are owed to.
    package struct Tiles: Sendable {
        package var template: TileTemplate
        package var attribution: String

        /// Names a server.
        package init(_ template: TileTemplate, attribution: String) {
            self.template = template
            self.attribution = attribution
        }
    }

    /// Where the operator can be reached: `mailto:` or a web address; servers that are asked are told.
    package var contact: String?
    /// A Photon server.
    package var geocoder: OperatorURL?
    /// A server that knows places of categories.
    package var places: OperatorURL?
    /// How that is asked.
    package var placesKind = PlacesKind.overpass
    /// The secret by which it knows us; nil for none.
    package var placesKey: String?
    /// Requests that may be with it at a time.
    package var placesConcurrency = 2
    /// An OSRM server that knows ways on foot.
    package var router: OperatorURL?
    /// A server of the map tiles that share pictures lie on.
    package var tiles: Tiles?
    /// A file that knows where network addresses are.
    package var addressFile: String?
    /// Milliseconds for a request.
    package var timeout: Int64 = 3_000

    /// Creates a configuration that asks nobody.
    package init() {}

    /// Whether anybody is asked.
    var asksAnybody: Bool {
        self.geocoder != nil || self.places != nil || self.router != nil || self.tiles != nil
    }
}
