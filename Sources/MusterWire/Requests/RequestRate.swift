/// How often a person may do something: so often over time, and so often at once.
package struct RequestRate: Hashable, Sendable {
    /// What a person has a bucket of their own for.
    package enum Scope: Hashable, Sendable {
        /// All that they do.
        case everything
        /// Each room.
        case room
        /// Each group.
        case group
        /// Each event.
        case event
    }

    /// What is counted, as the contract names it: all of it in the same buckets.
    package let name: String
    /// How often over time.
    package let count: Int
    /// In so many seconds.
    package let seconds: Int
    /// How often at once.
    package let burst: Int
    /// What each bucket is for.
    package let scope: Scope

    /// Creates a rate; nil for `burst` lets all of it happen at once.
    package init(
        _ name: String,
        _ count: Int,
        inSeconds seconds: Int,
        burst: Int? = nil,
        each scope: Scope = .everything
    ) {
        self.name = name
        self.count = count
        self.seconds = seconds
        self.burst = burst ?? count
        self.scope = scope
    }
}

// All rates by which people are refused, in one place. The contracts name them where they describe the requests.
extension RequestRate {
    package static let sharing = RequestRate("sharing.set", 30, inSeconds: 60, burst: 10)
    package static let membership = RequestRate("group.join, group.leave", 20, inSeconds: 3600, burst: 6)
    package static let groupUpdate = RequestRate("group.update", 30, inSeconds: 3600, burst: 5, each: .group)
    package static let profile = RequestRate("PATCH /v1/me", 20, inSeconds: 3600, burst: 5)

    package static let chatSend = RequestRate("chat.send", 120, inSeconds: 60)
    package static let chatSendInRoom = RequestRate("chat.send", 30, inSeconds: 60, burst: 10, each: .room)
    package static let chatChange = RequestRate("chat.edit, chat.delete", 30, inSeconds: 60, burst: 10, each: .room)
    package static let chatTyping = RequestRate("chat.typing", 1, inSeconds: 3)
    package static let roomSet = RequestRate("room.set", 30, inSeconds: 60, burst: 10)
    package static let report = RequestRate("report", 20, inSeconds: 86_400)

    package static let spotAdd = RequestRate("spot.add", 30, inSeconds: 3600)
    package static let spotVote = RequestRate("spot.vote", 120, inSeconds: 60, burst: 60)
    package static let spotsWatch = RequestRate("spots.watch", 60, inSeconds: 60)
    package static let pinPost = RequestRate("pin.post", 10, inSeconds: 3600)
    package static let photo = RequestRate("POST /v1/photos", 60, inSeconds: 3600)
    package static let tiles = RequestRate("tiles.watch", 600, inSeconds: 60)
    package static let cluster = RequestRate("tiles.cluster", 600, inSeconds: 60)

    package static let eventCreate = RequestRate("event.create", 10, inSeconds: 3600)
    package static let eventUpdate = RequestRate("event.update", 20, inSeconds: 3600, each: .event)
    package static let eventReply = RequestRate("event.rsvp", 60, inSeconds: 60)
    package static let eventsWatch = RequestRate("events.watch", 120, inSeconds: 60)

    package static let geocode = RequestRate("geocode", 5, inSeconds: 1, burst: 20)
    package static let placeGet = RequestRate("place.get", 60, inSeconds: 60)
    package static let positionGuess = RequestRate("position.guess", 20, inSeconds: 60)
    package static let planSuggest = RequestRate("plan.suggest", 6, inSeconds: 60)
    package static let planSave = RequestRate("plan.save", 60, inSeconds: 60)
    package static let planShare = RequestRate("plan.share", 10, inSeconds: 3600)
    package static let planAnswer = RequestRate("plan.answer", 60, inSeconds: 60)
}
