/// A change of a person's state at a place.
package struct ArrivalEvent: Sendable, Equatable {
    package var group: GroupID
    package var place: GroupPlaceID
    /// Whether the person arrived; otherwise the person left.
    package var hasArrived: Bool
    /// The time of the first fix that proves it.
    package var since: Timestamp
}
