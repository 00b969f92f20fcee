/// What was sent to a phone with OwnTracks, so that cards, alerts and requests are not repeated.
///
/// It is kept in memory. After a restart the phone is sent what it has already, which does no harm.
package struct OwnTracksMemory: Sendable, Equatable {
    /// What the phone has.
    struct Sent: Sendable, Equatable {
        /// The card of each friend.
        var cards: [UserID: UserProfile] = [:]
        /// The friends whose position was taken away.
        var cleared: Set<UserID> = []
        /// The numbers of the alerts.
        var alerts: Set<Int64> = []
        /// The time of the last request for the phone's position.
        var askedAt: Timestamp?
    }

    private(set) var sent = Sent()
    /// What the phone had before the last answer.
    private var before = Sent()

    /// Creates an empty memory.
    package init() {}

    /// Begins an answer.
    ///
    /// - Parameter isRepeat: whether the phone reports again what it reported before, because it missed the answer.
    package mutating func begin(isRepeat: Bool) {
        if isRepeat { self.sent = self.before } else { self.before = self.sent }
    }

    /// Records what the answer contains.
    package mutating func note(_ messages: [OwnTracksMessage], at now: Timestamp) {
        for message in messages {
            switch message {
            case .card(let user): self.sent.cards[user.id] = user
            case .location(let user, _): self.sent.cleared.remove(user)
            case .clear(let user): self.sent.cleared.insert(user)
            case .reportLocation: self.sent.askedAt = now
            case .transition(let alert): self.sent.alerts.insert(alert.number)
            }
        }
    }

    /// Forgets friends and alerts that are in no view any more.
    mutating func keep(_ view: PhoneView) {
        let friends = Set(view.friends.map(\.user.id))
        self.sent.cards = self.sent.cards.filter { friends.contains($0.key) }
        self.sent.cleared.formIntersection(friends)
        self.sent.alerts.formIntersection(view.unseen.map(\.number))
    }
}
