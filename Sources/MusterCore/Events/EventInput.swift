/// A change or request about events, as input of the world.
package enum EventInput: Sendable {
    /// The directory stored a new state of events.
    case changed([EventSnapshot])
    /// Events were deleted.
    case removed([EventID])
    /// All stored events have been sent to the world.
    case loaded
    /// A session subscribes to events; nil ends the subscription.
    case subscribed(SessionID, RequestTag?, EventSubscription?)
}
