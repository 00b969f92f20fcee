import MusterCore
import MusterWire

/// Requests an approximate position of the user by their network address.
struct PositionGuessGet: ClientRequest {
    typealias Answer = PositionGuessAnswer
    static let type = "position.guess"
    static let order = RequestOrder.concurrent
    static let rate: RequestRate? = .positionGuess

    /// Creates a request.
    init() {}

    init(reading fields: JSONFields) throws(FrameError) {}
}

/// An approximate position of the user.
///
/// It is only a hint, and never used as a fix.
struct PositionGuessAnswer: Encodable, Equatable, Sendable {
    @Degrees private var lat: Double
    @Degrees private var lon: Double
    private let accuracy: RoundedNumber
    private let source = "ip"

    /// Creates the answer with a position and its accuracy in metres.
    init(at position: Coordinate, accuracy: Double) {
        self.lat = position.latitude
        self.lon = position.longitude
        self.accuracy = RoundedNumber(accuracy, decimals: 0)
    }
}
