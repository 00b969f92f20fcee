import MusterCore
import MusterWire

/// The result of a replay for one user in one group, summarised in a sentence for the user.
struct Finding {
    private var notified: (alert: NotificationContent, count: Int)?
    private var gatherings: Set<GatheringID> = []
    /// The deciding step; a step that only describes a state never replaces a deciding one.
    private var decision: GatheringTraceEntry?
    private var isGathered = false
    private var wasTogether = false

    /// Records a step of the gathering machine.
    mutating func note(_ entry: GatheringTraceEntry, about user: UserID) {
        if case .began = entry.reason { self.isGathered = true }
        if case .ended = entry.reason { self.isGathered = false }
        if case .departure(let other, .forgotten) = entry.reason, other == user,
            self.decision?.isDepartureThatWaits == true
        {
            self.decision = nil
        }
        guard entry.reason.users.contains(user), let weight = Self.weight(of: entry.reason) else { return }
        // Only steps during a gathering explain a missing alert; at the end of a trace all members become unknown.
        guard self.isGathered, weight >= self.decision.flatMap({ Self.weight(of: $0.reason) }) ?? 0 else { return }
        self.decision = entry
    }

    /// The relevance of a step for a missing alert; nil when it has none.
    private static func weight(of reason: GatheringReason) -> Int? {
        switch reason {
        // The obstacle of a departure explains more than the missing decision does.
        case .alreadyNotified, .cooledDown, .departure(_, .leftByChoice), .departure(_, .metInPassing),
            .departure(_, .waits(.manyLeft)), .departure(_, .waits(.wandered)), .departure(_, .waits(.restIsSilent)):
            4
        case .tookPart, .departure(_, .gaveUp): 3
        case .manyMissing, .withdrew, .departure(_, .waits(.silent)): 2
        case .becameAbsent, .becameUnknown, .departure: 1
        case .becameUsable, .tookUp, .linkClosed, .linkOpened, .dwellStarted, .dwellBroken, .began, .fellBelow,
            .recovered, .ended, .fewMissing, .ceasedToBeAbsent, .alerted:
            nil
        }
    }

    /// Records the state of a gathering.
    mutating func note(_ status: GatheringStatus, about user: UserID) {
        self.gatherings.insert(status.gathering)
        if status.together.contains(user) { self.wasTogether = true }
    }

    /// Records an alert to the user.
    mutating func note(_ alert: NotificationContent) { self.notified = (alert, (self.notified?.count ?? 0) + 1) }

    /// The summary.
    func sentence(name: String, group: String, names: IdentityNames) -> String {
        if let (alert, count) = self.notified {
            let others = Self.together(in: alert, names).joined(separator: ", ")
            let hasDeparted = alert.payload["variant"]?.text == LeftWithoutYou.Variant.departed.rawValue
            let how = hasDeparted ? "had left without them" : "were together without them"
            let times = count > 1 ? ", the last of \(count) times" : ""
            let metres = Int((alert.payload["distance"]?.number ?? 0).rounded())
            return "In short: \(name) was alerted at \(alert.at.text)\(times) that \(others) \(how), \(metres) m away."
        }
        if self.gatherings.isEmpty {
            return
                "In short: \(name) got no alert, because more than half of \(group) were never together for long enough."
        }
        return "In short: \(name) got no alert, because \(self.cause)\(self.evidence)."
    }

    private static func together(in alert: NotificationContent, _ names: IdentityNames) -> [String] {
        guard case .list(let people) = alert.payload["together"] else { return [] }
        return people.map { person in
            if case .user(let id) = person["id"], let name = names.users[id] {
                name
            } else {
                person["name"]?.text ?? ""
            }
        }
    }

    /// The time, clause and value of the decision.
    private var evidence: String {
        guard let decision = self.decision else { return "" }
        let ground = decision.ground
        var words = "decided at \(decision.at.text) by clause '\(ground.clause.rawValue)'"
        if let value = ground.value, let limit = ground.limit, let unit = ground.unit {
            words += ", \(Self.number(value)) of \(Self.number(limit)) \(unit.rawValue)"
        }
        return " (\(words))"
    }

    private static func number(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\((number * 10).rounded() / 10)"
    }

    private var cause: String {
        switch self.decision?.reason {
        case .manyMissing(_, let missing, let limit): "\(missing) were missing, more than the limit of \(limit)"
        case .tookPart: "they were part of the gathering themselves"
        case .alreadyNotified: "they had already been alerted about it"
        case .cooledDown: "they had been alerted shortly before (cooldown)"
        case .withdrew: "they did not share their live position"
        case .becameUnknown: "their position was unknown"
        case .departure(_, .leftByChoice): "they left by choice"
        case .departure(_, .metInPassing): "they and the others had only met in passing"
        case .departure(_, .waits(.silent)): "they sent no fix after the others had left"
        case .departure(_, .waits(.restIsSilent)):
            "fewer than two of the others had sent a recent fix, so it was not clear that they had left together"
        case .departure(_, .waits(.manyLeft(let count))):
            "\(count) were left behind, more than the limit of missing members"
        case .departure(_, .waits(.wandered(let distance))):
            "they were \(Self.number(distance)) m from where the others had left them, neither there nor away"
        case .departure(_, .gaveUp): "the gathering ended before it was clear who had left"
        case .departure: "they were with the others, or back before it was certain that the others had left"
        case .becameAbsent: "they were not missing for long enough"
        case .becameUsable, .tookUp, .linkClosed, .linkOpened, .dwellStarted, .dwellBroken, .began, .fellBelow,
            .recovered, .ended, .fewMissing, .ceasedToBeAbsent, .alerted, nil:
            self.wasTogether ? "they were with the others" : "their position was unknown, or they were near the others"
        }
    }
}

extension GatheringTraceEntry {
    /// Whether the step says what the decision about a departure waits for.
    fileprivate var isDepartureThatWaits: Bool {
        if case .departure(_, .waits) = self.reason { true } else { false }
    }
}
