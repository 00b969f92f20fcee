extension Place {
    /// The prefix of the ids of positions that a user entered and no gazetteer contains: `geo:48.2082,16.3738`.
    package static let positionPrefix = "geo:"
    /// The source of such a place.
    static let positionSource = "position"

    /// Creates the place of a position that a user entered, named after a place at or near it.
    package init(position: Coordinate, near place: Place?) {
        let written = position.label
        let name = place.map { $0.type == .city ? "near \($0.name)" : $0.name }
        self.init(
            id: Self.positionPrefix + Self.digits(position.latitude) + "," + Self.digits(position.longitude),
            name: name ?? written,
            type: .other,
            coordinate: position,
            source: Self.positionSource,
            surroundings: place?.surroundings ?? Surroundings()
        )
        if let place { self.label = "\(Pin.placeName(of: place)) (\(written))" }
    }

    /// Degrees with at most seven decimals, never with an exponent.
    private static func digits(_ degrees: Double) -> String {
        let whole = Int((abs(degrees) * 1e7).rounded())
        var fraction = String(String(whole % 10_000_000 + 10_000_000).dropFirst())
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = degrees < 0 && whole > 0 ? "-" : ""
        return "\(sign)\(whole / 10_000_000)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }
}
