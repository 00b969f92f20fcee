// Layout, version 4: an object that an operator can read in `muster.gathering_state`. Moments are times in UTC, people and
// gatherings are named by their ids, places are degrees; a number comes back exactly as it was, since it is written in as many
// digits as that takes. Nearness, C and who has strayed follow from the rest. What waits in the queue is not stored: it is in
// the members' positions, which come back through `adopt`.
//
// Links are told by clusters: all of a cluster are linked, but for the pairs that are listed as apart.

/// All that a gathering machine must not forget over a restart.
package struct GatheringState: Sendable, Equatable, Codable {
    /// The version that is written, and the only one that is read.
    static let version = 4

    /// A place in degrees.
    struct Place: Sendable, Equatable, Codable {
        var lat: Double
        var lon: Double
    }

    /// A time that somebody spent about a place.
    struct Stay: Sendable, Equatable, Codable {
        var place: Place
        var since: StoredMoment
        var until: StoredMoment?
    }

    /// Where somebody was last.
    struct Position: Sendable, Equatable, Codable {
        var at: StoredMoment
        var place: Place
        var accuracy: Double
        var isStationary: Bool
        var speed: Double
        var interval: Int64
        var usableUntil: StoredMoment
        var rest: Stay
        var stay: Stay
        var longStay: Stay?
        /// Whether the last fix was beyond the stay.
        var isBeyondStay: Bool
        /// Whether a second fix was within the stay; written only when none was.
        var isStayProven: Bool?
        /// How many milliseconds after a reading of its own it was taken, if it is one delivered again.
        var repeats: Int64?
    }

    /// A member.
    struct Member: Sendable, Equatable, Codable {
        /// What is known of them.
        enum Standing: String, Sendable, Codable {
            /// Their position is good enough to decide about.
            case usable
            /// It is too old, and they count where they were.
            case frozen
            /// It is too old.
            case unknown
        }

        var user: UserID
        /// Their slot, which breaks ties; written where it is not their place in the list, because somebody left.
        var slot: Int?
        var isSharing: Bool
        var standing: Standing
        /// Whether they were usable within 24 h.
        var counts: Bool
        var position: Position?
        /// Where one who is frozen counts, if their last position is another one: it came late.
        var countsAt: Position?
        var linkedSince: StoredMoment?
    }

    /// Two members.
    struct Pair: Sendable, Equatable, Codable {
        var one: UserID
        var other: UserID
    }

    /// Members whom links connect.
    struct Cluster: Sendable, Equatable, Codable {
        var members: [UserID]
        var apart: [Pair]
    }

    /// A link on its way; the one of the two with the lower slot is `one`.
    struct Transition: Sendable, Equatable, Codable {
        var pair: Pair
        /// Whether it opens.
        var opens: Bool
        var since: StoredMoment
        /// Proofs by one and the other, or of who goes.
        var fixes: [UInt8]
        /// Of one that closes whether neither has moved, of one that opens whether `one` goes.
        var flag: Bool
    }

    /// Where two were when they were last within R.
    struct Parting: Sendable, Equatable, Codable {
        var pair: Pair
        var onePlace: Place
        var otherPlace: Place
        var at: StoredMoment
        /// For how many seconds both had stayed about where the one was, and about where the other was; earlier states lack it.
        var stayed: [Int64]?
    }

    /// One of whom it is in doubt whether they are absent.
    struct Doubt: Sendable, Equatable, Codable {
        var user: UserID
        var since: StoredMoment
    }

    /// Who is absent.
    struct Absence: Sendable, Equatable, Codable {
        var members: [UserID]
        var doubts: [Doubt]
    }

    /// An alert that keeps another one back.
    struct Cooldown: Sendable, Equatable, Codable {
        var user: UserID
        var variant: LeftWithoutYou.Variant
        var at: StoredMoment
    }

    /// One who came apart.
    struct Departure: Sendable, Equatable, Codable {
        /// Where they stand.
        enum State: String, Sendable, Codable {
            case undecided
            case inPassing
            case leftByChoice
            case told
            /// They are together with the others again: not written any more, and nothing is kept of such a one.
            case returned
        }

        var user: UserID
        var place: Place
        var companions: [UserID]
        var state: State
        /// Since when the rest is away.
        var since: StoredMoment?
        var isRipe: Bool
        var fixesBeyond: UInt8
        var seen: StoredMoment?
        /// When their last fix was taken, under the name that stored states have.
        var heard: StoredMoment?
        var rest: [UserID]
    }

    /// A gathering.
    struct Gathered: Sendable, Equatable, Codable {
        var id: GatheringID
        var hasMoved: Bool
        var since: StoredMoment
        var begin: StoredMoment
        var place: Place
        var placeName: String?
        /// Who was told of as together and absent.
        var toldTogether: [UserID]
        var toldAbsent: [UserID]
        var together: [UserID]
        var participants: [UserID]
        var told: [UserID]
        var absent: [UserID]
        var absentSince: StoredMoment?
        var isAbsenceSpoken: Bool
        /// Since when some of those absent are not usable; earlier states lack it.
        var absenceGapSince: StoredMoment?
        var belowSince: StoredMoment?
        var bond: [UserID]
        var departures: [Departure]
        /// Where it is, if it may have moved, since when.
        var elsewhere: Stay?
    }

    var version: Int
    var at: StoredMoment
    var members: [Member]
    var clusters: [Cluster]
    var transitions: [Transition]
    var partings: [Parting]
    /// Since when the group is a candidate; nil when it is none.
    var candidateSince: StoredMoment?
    var gathering: Gathered?
    var absence: Absence?
    var cooldowns: [Cooldown]
}

extension GatheringState.Place {
    init(_ coordinate: Coordinate) {
        self.init(lat: coordinate.latitude, lon: coordinate.longitude)
    }

    /// The place, which must be on the globe.
    func coordinate() throws(StateDamage) -> Coordinate {
        guard let place = Coordinate(validating: self.lat, self.lon) else { throw StateDamage() }
        return place
    }
}
