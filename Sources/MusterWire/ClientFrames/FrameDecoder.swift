/// Reads clients' frames; one a thread, because it reuses its buffers from frame to frame.
package final class FrameDecoder {
    /// What bytes turned out to be.
    package enum Outcome: Sendable, Equatable {
        /// A frame whose fields are all within what the protocol allows.
        case frame(ClientFrame)
        /// Something to be answered with an `error` frame.
        case failure(FrameError)
    }

    /// How many readable bytes must follow the end of what is decoded.
    package static let padding = 64

    /// Creates a decoder.
    package init() {}

    /// Reads one frame.
    ///
    /// At least `padding` readable bytes must follow the end of `bytes`; what they hold does not matter.
    package func decode(_ bytes: UnsafeRawBufferPointer) -> Outcome { preconditionFailure("skeleton") }

    /// Reads one frame from an array, which is copied to pad it.
    package func decode(copying bytes: [UInt8]) -> Outcome { preconditionFailure("skeleton") }

    /// Reads the body of `POST /v1/locations`: `{"fixes":[…]}`; it is copied to pad it.
    package func decodeFixes(copying bytes: [UInt8]) throws(FrameError) -> FixBatch { preconditionFailure("skeleton") }
}

@available(*, unavailable)
extension FrameDecoder: Sendable {}
