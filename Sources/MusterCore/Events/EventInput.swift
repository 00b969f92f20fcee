/// What happens to events, as the world is told it.
package enum EventInput: Sendable, Codable {
    /// Events are as the directory says from now on.
    case changed([EventNews])
    /// Events were deleted.
    case removed([EventID])
    /// All events that storage holds have been told.
    case loaded
    /// A session wants to be told of events, or with nil of none.
    case watched(SessionID, RequestTag?, EventWatch?)
}
