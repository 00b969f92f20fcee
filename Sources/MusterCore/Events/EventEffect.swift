/// What sessions are told of events.
package enum EventEffect: Sendable, Codable {
    /// The session watches for events: under which number, how many there are, and whether that is more than it is sent.
    case watched(SessionID, RequestTag?, watch: Int64, total: Int, more: Bool)
    /// What is new among the events that a session watches.
    case pushed(SessionID, EventPush)
    /// The sessions of one person are shown an event as that person sees it.
    case shown([SessionID], ShownEvent)
}
