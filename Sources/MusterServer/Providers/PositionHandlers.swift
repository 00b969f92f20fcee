import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about the approximate position of the caller.
    static func positions(_ providers: Providers) -> [Entry] {
        [
            .asynchronous(PositionGuessGet.self) { _, caller in
                guard let guess = caller.address.flatMap({ providers.guess($0) }) else {
                    throw FrameError(.notFound, message: "No position is known for your IP address.")
                }
                return .answer(PositionGuessAnswer(at: guess.coordinate, accuracy: guess.accuracy))
            }
        ]
    }
}
