/// The messages to sessions about events.
package enum EventEffect: Sendable {
    /// A session's subscription begins: its number, the total of matching events, and whether there are more than are
    /// sent.
    case subscribed(SessionID, RequestTag?, subscription: Int64, total: Int, more: Bool)
    /// The changes of the events that a session is subscribed to.
    case pushed(SessionID, EventPush)
    /// An event for the sessions of one user, as that user may see it.
    case shown([SessionID], ShownEvent)
}
