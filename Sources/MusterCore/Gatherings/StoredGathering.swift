/// The machine state of a group as storage holds it; what is inside is the machine's own business.
package enum StoredGathering: Sendable, Equatable, Codable {
    /// What is written now.
    case state(GatheringState)
    /// The bytes that versions 1 to 3 wrote (GatheringMachine+Landed), and that are read on.
    case landed([UInt8])
}
