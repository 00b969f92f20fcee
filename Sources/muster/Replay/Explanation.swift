import Foundation
import MusterCore
import MusterWire

/// The explanation of a decision about a user, as a JSON line.
struct Explanation {
    /// A change of the user's leading device, which determines whether this device's fixes are only history.
    enum Lead: String {
        case giveWay = ": another device of theirs leads, until this list says that this one does again"
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
            ? Self.words(for: entry.reason, sharing: sharing) : "another one is unknown: not heard of for long"
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
        self.what = "fix \(sequence) is \(verdict.rawValue) after all: the next one agrees with it"
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
        case .becameUsable: "position became usable"
        case .becameUnknown: "position became too old: unknown"
        case .withdrew:
            switch sharing {
            case .paused: "sharing is paused: takes no part"
            case .approximate: "sharing is approximate: takes no part"
            case .live, nil: "sharing is not live: takes no part"
            }
        case .tookUp: "sharing is live: takes part"
        case .linkClosed: "link closed"
        case .linkOpened: "link opened"
        case .dwellStarted: "dwell started: more than half are together"
        case .dwellBroken: "dwell broken: not more than half are together"
        case .began: "gathering began"
        case .fellBelow: "gathering is below: not more than half are together"
        case .recovered: "gathering recovered"
        case .ended: "gathering ended"
        case .becameAbsent(_, let missing): "became absent, with \(missing) missing in all"
        case .manyMissing(_, let missing, let limit): "no alert: \(missing) missing, at most \(limit) may be"
        case .fewMissing(_, let missing, let limit):
            "\(missing) missing, at most \(limit) may be: an alert is possible again"
        case .ceasedToBeAbsent: "ceased to be absent"
        case .tookPart: "no alert: took part in this gathering"
        case .alreadyTold: "no alert: already told of this gathering"
        case .cooledDown(_, let variant): "alert \(variant.rawValue) suppressed by cooldown"
        case .alerted(_, let variant): "alert \(variant.rawValue)"
        case .departure(_, let step): Self.words(for: step)
        }
    }

    private static func words(for pair: UnlinkedPair, radius: Double) -> String {
        let most = pair.accuracies.max() ?? 0
        let noise = most > radius / 2 ? "; a position is only \(Self.metres(most)) exact" : ""
        return switch pair.obstacle {
        case .band:
            "near, and not linked: further apart than \(Self.metres(radius)), by no more than accuracy explains: nothing changes there\(noise)"
        case .settled: "near, and not linked: neither has moved for long, so noise must be ruled out for 10 min\(noise)"
        case .unproven: "near, and not linked yet: too lately, or at too few fixes of both\(noise)"
        }
    }

    private static func words(for step: DepartureStep) -> String {
        switch step {
        case .cameApart(let place):
            "departure: came apart, all links to the rest are open; last with them at \(Self.words(for: place))"
        case .waits(let obstacle): "departure: \(Self.words(for: obstacle))"
        case .metInPassing:
            "departure: no alert: they and the rest had not both stayed there for long, so they met in passing"
        case .leftByChoice: "departure: no alert: left by choice, twice beyond 1.5 radiuses of that place"
        case .leftBehind: "departure: left behind, the rest was away for 60 s"
        case .forgotten: "departure: back with the rest"
        case .gaveUp: "departure: no alert: the gathering ended before it was known who left whom"
        }
    }

    private static func words(for obstacle: DepartureObstacle) -> String {
        switch obstacle {
        case .restIsScattered: "no two of the rest are together"
        case .restIsNear(let limit): "the rest is within \(Self.metres(limit)) of that place"
        case .restLeftLately(let limit): "the rest is \(Self.metres(limit)) or more from that place: must last for 60 s"
        case .strayed(let distance): "\(Self.metres(distance)) from that place: a second fix like this is a choice"
        case .wandered(let distance): "no alert yet: \(Self.metres(distance)) from that place, neither there nor gone"
        case .silent: "no alert yet: not heard of since the rest is away"
        case .restIsSilent: "no alert yet: fewer than two of the rest were heard of within 45 min"
        case .manyLeft(let count): "no alert yet: \(count) are left behind, more than may be missing"
        }
    }

    private static func words(for place: Coordinate) -> String {
        String(format: "%.5f, %.5f", place.latitude, place.longitude)
    }

    private static func metres(_ distance: Double) -> String { String(format: "%.0f m", distance) }
}
