/// The messages of an answer to OwnTracks, the most urgent first.
///
/// The answer has a maximum size, so that later messages may not fit. They come with the next answer.
package struct OwnTracksPlan: Sendable {
    /// The maximum number of cards in an answer.
    package static let cardLimit = 20
    /// The age of the reported position, in milliseconds, above which a newer one is requested.
    static let staleAge: Int64 = 600_000
    /// The minimum time between two requests to a phone, in milliseconds.
    static let requestInterval: Int64 = 600_000
    /// The maximum age of an alert, in milliseconds.
    static let alertAge: Int64 = 1_800_000

    /// The messages, in the order of the answer.
    package private(set) var messages: [OwnTracksMessage] = []

    /// Plans an answer.
    ///
    /// - Parameters:
    ///   - view: what the phone shows.
    ///   - memory: what it was sent before.
    ///   - isAndroid: whether the app is Android's, which alone shows transitions and takes positions away.
    ///   - lastFix: the newest fix of the report; nil when it had none.
    package init(_ view: PhoneView, memory: inout OwnTracksMemory, isAndroid: Bool, lastFix: Fix?) {
        memory.keep(view)
        let sent = memory.sent
        let isStale = lastFix?.trigger == .ping && (lastFix?.at).map { view.at - $0 > Self.staleAge } ?? false
        let mayAsk = sent.askedAt.map { view.at - $0 >= Self.requestInterval } ?? true
        if mayAsk, view.isAsked || isStale { self.messages.append(.reportLocation) }
        if isAndroid { self.addAlerts(view, sent) }
        var cards = 0
        for friend in view.friends {
            let user = friend.user
            guard friend.position.coordinate != nil, friend.position.at != nil else {
                if isAndroid, !sent.cleared.contains(user.id) { self.messages.append(.clear(user.id)) }
                continue
            }
            if sent.cards[user.id] != user, cards < Self.cardLimit {
                self.messages.append(.card(user))
                cards += 1
            }
            self.messages.append(.location(user.id, friend.position))
        }
    }

    private mutating func addAlerts(_ view: PhoneView, _ sent: OwnTracksMemory.Sent) {
        let kinds = [NotificationKind.leftWithoutYou, .waitForMe]
        for notification in view.unseen where !sent.alerts.contains(notification.number) {
            let content = notification.content
            guard let kind = kinds.first(where: { $0.name == content.kind }), view.at - content.at <= Self.alertAge,
                let alert = Self.alert(notification, text: kind.text(of: content), in: view)
            else { continue }
            self.messages.append(.transition(alert))
        }
    }

    /// An alert with a friend whose position the phone shows anyway; nil when it shows none of them.
    private static func alert(_ notification: NumberedNotification, text: String, in view: PhoneView) -> OwnTracksAlert?
    {
        let payload = notification.content.payload
        var named: Set<UserID> = []
        if let from = notification.content.from { named.insert(from) }
        if case .list(let companions)? = payload["together"] { named.formUnion(companions.compactMap(\.userID)) }
        if let from = payload["from"]?.userID { named.insert(from) }
        for friend in view.friends where named.contains(friend.user.id) {
            guard let coordinate = friend.position.coordinate else { continue }
            return OwnTracksAlert(
                number: notification.number,
                user: friend.user.id,
                coordinate: coordinate,
                at: notification.content.at,
                text: text
            )
        }
        return nil
    }
}

extension NotificationPayload.Value {
    /// The id of a person, `{"id":…,"name":…}`.
    fileprivate var userID: UserID? {
        guard let id = self["id"] else { return nil }
        if case .user(let user) = id { return user }
        return id.text.flatMap { UserID($0) }
    }
}
