package import MusterCore

/// Requests an approximate position of the user by their network address.
package struct PositionGuessGet: ClientRequest {
    package typealias Answer = PositionGuessAnswer
    package static let type = "position.guess"
    package static let order = RequestOrder.concurrent
    package static let rate: RequestRate? = .positionGuess

    /// Creates a request.
    package init() {}

    package init(reading fields: JSONFields) throws(FrameError) {}
}

/// An approximate position of the user.
///
/// It is only a hint, and never used as a fix.
package struct PositionGuessAnswer: Encodable, Equatable, Sendable {
    @Degrees private var lat: Double
    @Degrees private var lon: Double
    private let accuracy: RoundedNumber
    private let source = "ip"

    /// Creates the answer with a position and its accuracy in metres.
    package init(at position: Coordinate, accuracy: Double) {
        self.lat = position.latitude
        self.lon = position.longitude
        self.accuracy = RoundedNumber(accuracy, decimals: 0)
    }
}
