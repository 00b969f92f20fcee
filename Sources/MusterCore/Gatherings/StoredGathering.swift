/// The machine state of a group as the journal wrote it; what is inside is the machine's own business.
package struct StoredGathering: Sendable, Equatable, Codable {
    /// The encoded machine.
    package var state: [UInt8]

    /// Wraps an encoded machine.
    package init(state: [UInt8]) { self.state = state }
}
