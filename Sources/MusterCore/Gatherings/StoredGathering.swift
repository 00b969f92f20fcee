/// The stored state of a group's machine; its content is internal to the machine.
package enum StoredGathering: Sendable, Equatable {
    /// The current format.
    case state(GatheringState)
    /// The legacy format of versions 1 to 3 (GatheringMachine+Legacy), which can still be read.
    case legacy([UInt8])
}
