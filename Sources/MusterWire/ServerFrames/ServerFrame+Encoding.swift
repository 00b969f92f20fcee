extension ServerFrame {
    /// Appends the frame's JSON.
    package func append(to frame: inout [UInt8]) { preconditionFailure("skeleton") }

    /// The frame's JSON.
    package var encoded: [UInt8] { preconditionFailure("skeleton") }
}
