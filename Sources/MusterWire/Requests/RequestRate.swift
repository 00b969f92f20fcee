/// A rate limit for each user: a token bucket with a long-term rate and a burst.
package struct RequestRate: Hashable, Sendable {
    /// The scope of a user's bucket.
    package enum Scope: Hashable, Sendable {
        /// One bucket for all.
        case everything
        /// One bucket for each room.
        case room
        /// One bucket for each group.
        case group
        /// Each event.
        case event
    }

    /// The name of the limit in the contracts.
    ///
    /// Requests with the same limit share the buckets.
    package let name: String
    /// The number of requests in `seconds`.
    package let count: Int
    /// The period in seconds.
    package let seconds: Int
    /// The maximum number of requests at once.
    package let burst: Int
    /// The scope of each bucket.
    package let scope: Scope

    /// Creates a rate limit; without `burst`, all requests of the period may come at once.
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

// All rate limits in one place. The contracts name them in the descriptions of the requests.
extension RequestRate {
    package static let sharing = RequestRate("sharing.set", 30, inSeconds: 60, burst: 10)
    package static let membership = RequestRate("group.join, group.leave", 20, inSeconds: 3600, burst: 6)
    package static let groupUpdate = RequestRate("group.update", 30, inSeconds: 3600, burst: 5, each: .group)
    package static let groupPlace = RequestRate(
        "group.place.add, group.place.update, group.place.delete",
        20,
        inSeconds: 3600
    )
    package static let groupPlaceChoice = RequestRate(
        "group.place.notify, group.place.mute",
        60,
        inSeconds: 3600,
        burst: 20
    )
    package static let profile = RequestRate("PATCH /v1/me", 20, inSeconds: 3600, burst: 5)

    package static let chatSend = RequestRate.chatSend(30)
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

    /// The limit of a user's messages in all rooms; `count` a minute are permitted in one room.
    package static func chatSend(_ count: Int) -> RequestRate { RequestRate("chat.send", 4 * count, inSeconds: 60) }

    /// The limit of a user's messages in one room: `count` a minute, of which a third may come at once.
    package static func chatSendInRoom(_ count: Int) -> RequestRate {
        RequestRate("chat.send", count, inSeconds: 60, burst: max(1, count / 3), each: .room)
    }
}
