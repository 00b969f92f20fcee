package import MusterCore

/// Asks about where the one who asks may be, by their network address.
package struct PositionGuessGet: ClientRequest {
    package typealias Answer = PositionGuessAnswer
    package static let type = "position.guess"
    package static let order = RequestOrder.beside
    package static let rate: RequestRate? = .positionGuess

    /// Asks.
    package init() {}

    package init(reading fields: JSONFields) throws(FrameError) {}
}

/// About where somebody is: never more than a hint, and never a fix.
package struct PositionGuessAnswer: Encodable, Equatable, Sendable {
    @Degrees private var lat: Double
    @Degrees private var lon: Double
    private let accuracy: RoundedNumber
    private let source = "ip"

    /// Shows a position, and within how many metres it may be off.
    package init(at position: Coordinate, accuracy: Double) {
        self.lat = position.latitude
        self.lon = position.longitude
        self.accuracy = RoundedNumber(accuracy, decimals: 0)
    }
}
