extension LayerKind {
    /// Everybody's pins; they say who is where, so that one must have an account.
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
    /// A pin, as maps show it.
    package init(_ pin: Pin) {
        self.init(
            id: pin.id.rawValue,
            coordinate: pin.coordinate,
            values: PointValues([pin.person.name, pin.label, pin.link])
        )
    }
}
