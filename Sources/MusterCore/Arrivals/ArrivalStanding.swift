/// The state of a person at one place that is near, or not known yet.
///
/// A place without such a state is one that the person is known to be outside of.
package struct ArrivalStanding: Sendable, Equatable {
    /// The state by the fixes so far.
    package enum State: UInt8, Sendable {
        case unknown
        case outside
        case inside
    }

    package let place: GroupPlaceID
    package let group: GroupID
    /// The time of the first fix that proves the state.
    package var since: Timestamp
    var proof: ArrivalProof?
    package var state: State
    /// The state that is known in time; it differs while only late fixes prove the newer one.
    package var told: State

    /// Whether the place needs no state.
    var isDefault: Bool { self.state == .outside && self.told == .outside && self.proof == nil }
}
