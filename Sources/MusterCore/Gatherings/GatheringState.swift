// Layout, version 4: an object that an operator can read in `muster.gathering_state`. Moments are times in UTC, members
// and gatherings are ids, places are degrees. Numbers are written with as many digits as an exact round trip needs.
//
// Nearness, C and the strayed members are derived. Queued observations are not stored: they are in the members'
// positions, which return through `adopt`.
//
// Links are stored as clusters: all members of a cluster are linked, except for the pairs listed as apart.

/// The state of a gathering machine that must survive a restart.
package struct GatheringState: Sendable, Equatable, Codable {
    /// The version that is written, and the only one that is read.
    static let version = 4

    /// A place in degrees.
    struct Place: Sendable, Equatable, Codable {
        var lat: Double
        var lon: Double
    }

    /// A period that a member spent at a place.
    struct Stay: Sendable, Equatable, Codable {
        var place: Place
        var since: StoredMoment
        var until: StoredMoment?
    }

    /// The last position of a member.
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
        /// Whether a second fix was within the stay; written only if there was none.
        var isStayProven: Bool?
        /// The milliseconds since the last separate fix, if this fix is a repeated delivery.
        var repeats: Int64?
    }

    /// A member.
    struct Member: Sendable, Equatable, Codable {
        /// The usability of the member's position.
        package enum Standing: String, Sendable, Codable {
            /// The position is good enough to decide about.
            case usable
            /// The position is too old; the member counts at it.
            case frozen
            /// The position is too old.
            case unknown
        }

        var user: UserID
        /// The slot, which breaks ties; written only if it differs from the index in the list, because another member
        /// left.
        var slot: Int?
        var isSharing: Bool
        var standing: Standing
        /// Whether the member was usable within 24 h.
        var counts: Bool
        var position: Position?
        /// The position at which a frozen member counts, if the last position arrived late and is another one.
        var countsAt: Position?
        var linkedSince: StoredMoment?
    }

    /// Two members.
    struct Pair: Sendable, Equatable, Codable {
        var one: UserID
        var other: UserID
    }

    /// A set of members connected by links.
    struct Cluster: Sendable, Equatable, Codable {
        var members: [UserID]
        var apart: [Pair]
    }

    /// A link that is closing or opening; `one` is the member with the lower slot.
    struct Transition: Sendable, Equatable, Codable {
        var pair: Pair
        /// Whether the link opens.
        var opens: Bool
        var since: StoredMoment
        /// The fixes counted so far: of `one` and `other` if the link closes, of the member who left if it opens.
        var fixes: [UInt8]
        /// If the link closes: whether both members are settled.
        ///
        /// If it opens: whether `one` is the member who left.
        var flag: Bool
    }

    /// The positions of two members when they were last within R.
    struct Parting: Sendable, Equatable, Codable {
        var pair: Pair
        var onePlace: Place
        var otherPlace: Place
        var at: StoredMoment
        /// The seconds that both had stayed near the first place, and near the second; earlier states lack it.
        var stayed: [Int64]?
    }

    /// A member whose absence is in doubt.
    struct Doubt: Sendable, Equatable, Codable {
        var user: UserID
        var since: StoredMoment
    }

    /// The absent members and those in doubt.
    struct Absence: Sendable, Equatable, Codable {
        var members: [UserID]
        var doubts: [Doubt]
    }

    /// An alert that suppresses another one.
    struct Cooldown: Sendable, Equatable, Codable {
        var user: UserID
        var variant: LeftWithoutYou.Variant
        var at: StoredMoment
    }

    /// The departure of a member who came apart from the others.
    struct Departure: Sendable, Equatable, Codable {
        /// The state of a departure.
        enum State: String, Sendable, Codable {
            case undecided
            case inPassing
            case leftByChoice
            case told
            /// Together with the others again. Not written any more; such departures are not stored.
            case returned
        }

        var user: UserID
        var place: Place
        var companions: [UserID]
        var state: State
        /// The moment since which the rest has been away.
        var since: StoredMoment?
        var isRipe: Bool
        var fixesBeyond: UInt8
        var seen: StoredMoment?
        /// The time of the member's last fix, under its name in stored states.
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
        /// The members last announced as together and as absent.
        var toldTogether: [UserID]
        var toldAbsent: [UserID]
        var together: [UserID]
        var participants: [UserID]
        var told: [UserID]
        var absent: [UserID]
        var absentSince: StoredMoment?
        var isAbsenceSpoken: Bool
        /// The moment since which some absent members are not usable; earlier states lack it.
        var absenceGapSince: StoredMoment?
        var belowSince: StoredMoment?
        var bond: [UserID]
        var departures: [Departure]
        /// The point at which the gathering may have moved to, and since when.
        var elsewhere: Stay?
    }

    var version: Int
    var at: StoredMoment
    var members: [Member]
    var clusters: [Cluster]
    var transitions: [Transition]
    var partings: [Parting]
    /// The moment since which the group is a candidate; nil if it is not.
    var candidateSince: StoredMoment?
    var gathering: Gathered?
    var absence: Absence?
    var cooldowns: [Cooldown]
}

extension GatheringState.Place {
    init(_ coordinate: Coordinate) {
        self.init(lat: coordinate.latitude, lon: coordinate.longitude)
    }

    /// Returns the place as a coordinate.
    ///
    /// - Throws: `StateDamage` if it is outside the valid range.
    func coordinate() throws(StateDamage) -> Coordinate {
        guard let place = Coordinate(validating: self.lat, self.lon) else { throw StateDamage() }
        return place
    }
}
