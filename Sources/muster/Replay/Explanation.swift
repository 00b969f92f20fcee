import Foundation
import MusterCore
import MusterWire

/// The explanation of a decision about a user, as a JSON line.
struct Explanation {
    /// A change of the user's leading device, which determines whether this device's fixes are only history.
    enum Lead: String {
        case giveWay = ": another device of the user leads until this list says otherwise"
        case leadAgain = ": this device leads again"
    }

    /// The time of the decision.
    let at: Timestamp
    private let user: UserID
    /// The time of the fix in question, if it is different.
    private let taken: Timestamp?
    private let group: GroupID?
    private let what: String
    /// The other user, for a decision about two users.
    private let other: UserID?
    /// The measurement behind the decision.
    private let measure: GatheringMeasure?
    /// The clause and value that decided.
    private let ground: GatheringGround?

    /// Explains a step of the group's gathering machine for a user whose sharing mode in the group is `sharing`.
    init(of user: UserID, group: GroupID, sharing: Sharing.Mode?, _ entry: GatheringTraceEntry) {
        self.user = user
        self.at = entry.at
        self.taken = nil
        self.group = group
        let users = entry.reason.users
        self.what =
            users.isEmpty || users.contains(user)
            ? Self.words(for: entry.reason, sharing: sharing) : "a member became unknown: no fix for a long time"
        self.other = users.first { $0 != user }
        self.measure = entry.measure
        self.ground = entry.ground
    }

    /// Explains why two nearby members are not linked.
    init(of user: UserID, at: Timestamp, group: GroupID, _ pair: UnlinkedPair, radius: Double) {
        self.user = user
        self.at = at
        self.taken = nil
        self.group = group
        self.what = Self.words(for: pair, radius: radius)
        self.other = pair.other
        self.measure = pair.measure
        self.ground = pair.ground
    }

    /// Creates an explanation with a free text.
    init(of user: UserID, at: Timestamp, group: GroupID?, saying what: String) {
        self.user = user
        self.at = at
        self.taken = nil
        self.group = group
        self.what = what
        self.other = nil
        self.measure = nil
        self.ground = nil
    }

    /// Explains a fix that was not used normally, and the effect on its device.
    init(of record: FixRecord, does lead: Lead? = nil) {
        self.user = record.user
        self.at = record.receivedAt
        self.taken = record.fix.at.flatMap { $0 == record.receivedAt ? nil : $0 }
        self.group = nil
        self.what = "fix \(record.fix.sequence) is \(record.verdict.rawValue)\(lead?.rawValue ?? "")"
        self.other = nil
        self.measure = nil
        self.ground = nil
    }

    /// Explains that a pending fix is used after all, because the next one agrees with it.
    init(of user: UserID, confirming sequence: Int64, taken: Timestamp, at: Timestamp, as verdict: FixVerdict) {
        self.user = user
        self.at = at
        self.taken = taken == at ? nil : taken
        self.group = nil
        self.what = "fix \(sequence) becomes \(verdict.rawValue): the next fix agrees with it"
        self.other = nil
        self.measure = nil
        self.ground = nil
    }

    /// The explanation as a frame.
    var line: Frame<FieldList> {
        Frame(
            "explanation",
            nil,
            [
                "user": self.user, "at": self.at, "time": self.at.text, "taken": self.taken, "group": self.group,
                "what": self.what, "with": self.other, "metres": Self.whole(self.measure?.distance),
                "seconds": Self.seconds(self.measure?.age), "otherSeconds": Self.seconds(self.measure?.otherAge),
                "clause": self.ground?.clause.rawValue, "value": Self.tenths(self.ground?.value),
                "limit": Self.tenths(self.ground?.limit), "unit": self.ground?.unit?.rawValue,
            ]
        )
    }

    private static func seconds(_ milliseconds: Int64?) -> RoundedNumber? {
        Self.whole(milliseconds.map { Double($0) / 1000 })
    }

    private static func tenths(_ number: Double?) -> RoundedNumber? { number.map { RoundedNumber($0, decimals: 1) } }
    private static func whole(_ number: Double?) -> RoundedNumber? { number.map { RoundedNumber($0, decimals: 0) } }

    private static func words(for reason: GatheringReason, sharing: Sharing.Mode?) -> String {
        switch reason {
        case .becameUsable: "position is known"
        case .becameUnknown: "position is unknown: the last fix is too old"
        case .withdrew:
            switch sharing {
            case .paused: "sharing is paused: not evaluated"
            case .approximate: "sharing is approximate: not evaluated"
            case .live, nil: "sharing is not live: not evaluated"
            }
        case .tookUp: "sharing is live: evaluated"
        case .linkClosed: "link closed"
        case .linkOpened: "link opened"
        case .dwellStarted: "dwell started: more than half are together"
        case .dwellBroken: "dwell broken: not more than half are together"
        case .began: "gathering began"
        case .fellBelow: "gathering fell below: not more than half are together"
        case .recovered: "gathering recovered"
        case .ended: "gathering ended"
        case .becameAbsent(_, let missing): "became absent; \(missing) missing in total"
        case .manyMissing(_, let missing, let limit): "no alert: \(missing) missing, more than the limit of \(limit)"
        case .fewMissing(_, let missing, let limit):
            "\(missing) missing, within the limit of \(limit): an alert is possible again"
        case .ceasedToBeAbsent: "no longer absent"
        case .tookPart: "no alert: was part of this gathering"
        case .alreadyNotified: "no alert: already alerted about this gathering"
        case .cooledDown(_, let variant): "alert \(variant.rawValue) suppressed by cooldown"
        case .alerted(_, let variant): "alert \(variant.rawValue)"
        case .departure(_, let step): Self.words(for: step)
        }
    }

    private static func words(for pair: UnlinkedPair, radius: Double) -> String {
        let most = pair.accuracies.max() ?? 0
        let noise = most > radius / 2 ? "; the accuracy of a position is only \(Self.metres(most))" : ""
        return switch pair.obstacle {
        case .band:
            "near, not linked: more than \(Self.metres(radius)) apart, but within the accuracy, so nothing changes\(noise)"
        case .settled: "near, not linked: both are stationary, so 10 min are needed to rule out noise\(noise)"
        case .unproven: "near, not linked yet: for too short a time, or with too few fixes of both\(noise)"
        }
    }

    private static func words(for step: DepartureStep) -> String {
        switch step {
        case .cameApart(let place):
            "departure: separated, all links to the rest are open; last together at \(Self.words(for: place))"
        case .waits(let obstacle): "departure: \(Self.words(for: obstacle))"
        case .metInPassing:
            "departure: no alert: met in passing, because not both had stayed there for long"
        case .leftByChoice: "departure: no alert: left by choice, two fixes beyond 1.5 × radius from that place"
        case .leftBehind: "departure: left behind, the rest has been away for 60 s"
        case .forgotten: "departure: back with the rest"
        case .gaveUp: "departure: no alert: the gathering ended before it was clear who left"
        }
    }

    private static func words(for obstacle: DepartureObstacle) -> String {
        switch obstacle {
        case .restIsScattered: "no two of the rest are together"
        case .restIsNear(let limit): "the rest is within \(Self.metres(limit)) of that place"
        case .restLeftLately(let limit):
            "the rest is \(Self.metres(limit)) or more from that place: this must last for 60 s"
        case .strayed(let distance): "\(Self.metres(distance)) from that place: with a second such fix, left by choice"
        case .wandered(let distance): "no alert yet: \(Self.metres(distance)) from that place, neither there nor away"
        case .silent: "no alert yet: no fix since the rest left"
        case .restIsSilent: "no alert yet: fewer than two of the rest sent a fix within 45 min"
        case .manyLeft(let count): "no alert yet: \(count) are left behind, more than the limit of missing members"
        }
    }

    private static func words(for place: Coordinate) -> String {
        String(format: "%.5f, %.5f", place.latitude, place.longitude)
    }

    private static func metres(_ distance: Double) -> String { String(format: "%.0f m", distance) }
}
