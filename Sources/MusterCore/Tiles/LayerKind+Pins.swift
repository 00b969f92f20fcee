extension LayerKind {
    /// The pins of all users; they reveal where people are, so an account is required.
    package static let pins = LayerKind(
        number: 3,
        name: "pins",
        audience: .people,
        source: .storage,
        naming: .cell,
        prefix: "p",
        fields: ["name", "label", "link"]
    )
}

extension TileLayer {
    /// The layer of pins.
    package static let pins = TileLayer(kind: LayerKind.pins.number)
}

extension TilePoint {
    /// Creates the point of a pin.
    package init(_ pin: Pin) {
        self.init(
            id: pin.id.rawValue,
            coordinate: pin.coordinate,
            values: PointValues([pin.person.name, pin.label, pin.link])
        )
    }
}
