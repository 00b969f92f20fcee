// Input: the fixes of one person, with the verdicts of the gate. They wait for 3 s and are applied in the order in which
// they were taken. A moment of the rule's clock is therefore 3 s behind the server's.
//
// A fix is inside a circle when its distance is at most the radius. It is clear when distance − accuracy is more than
// 30 m above the radius. Otherwise it is between.
//
//   from              to        proof
//   unknown           either    as below, without a notification
//   outside           inside    two fixes inside and a stay of 55 s since the first, or two that are 300 s apart
//   inside            outside   two clear fixes that are not near each other, 55 s apart, or any two 300 s apart
//
// - Silence completes a proof after 60 s (300 s), and at least 1.25 times the interval of reports after the last one. One
//   fix inside is then enough; leaving takes two clear fixes always.
// - A clear fix ends a pending arrival. A fix that is not clear ends a pending departure.
// - A refused fix proves nothing, but silence begins again. The same coordinates as before are the same reading.
// - A clear ping that is not near the first clear fix begins the proof again.
// - Of overlapping places, a person is inside one at most (`ArrivalRule+Rivals.swift`).
// - Late fixes change the state without a notification. The next fix in time that agrees with it notifies.
//
// Invariants: `standings` has no default state; the fixes in `waiting` are sorted by `at` and by `due`;
// `nextDeadline` is nil only if nothing waits.

/// Decides at which places of their groups a person arrives, and which ones they leave.
package struct ArrivalRule: Sendable, Equatable {
    /// The time in milliseconds by which the rule's clock is behind.
    package static let lag: Int64 = 3_000
    /// The distance in metres beyond the radius from which a fix is clear of a circle.
    ///
    /// The centimetre is the resolution of coordinates with 7 decimals.
    static let clearance = 30.01

    /// The places of a group that the person tells.
    struct Watch: Sendable, Equatable {
        var ground: ArrivalGround
        /// The places that count, as bits by index.
        var mask: UInt32
        /// Fixes taken earlier do not count.
        var since: Timestamp

        static func == (left: Self, right: Self) -> Bool {
            left.ground === right.ground && left.mask == right.mask && left.since == right.since
        }
    }

    /// The position of a fix relative to a circle.
    package enum Reading: String, Sendable {
        case inside
        case between
        case clear
    }

    var watches: [Watch] = []
    /// The states at places that are near or unknown.
    package internal(set) var standings: [ArrivalStanding] = []
    var waiting: [ArrivalFix] = []
    var stay: Stay?
    var reports: ReportInterval?
    /// The last fix that was used.
    var last: ArrivalFix?
    /// The moment from which silence counts, because the server did not run before.
    var resumedAt = Timestamp(milliseconds: 0)

    /// Creates a rule without places.
    package init() {}

    /// Whether the person tells no place.
    package var isIdle: Bool { self.watches.isEmpty }

    // MARK: Places

    /// Sets the places of a group that the person tells.
    ///
    /// - Parameters:
    ///   - ground: the places of the group.
    ///   - mask: those that count, as bits by index; 0 for none.
    ///   - since: fixes taken earlier do not count.
    ///   - unknown: whether new places are unknown; otherwise they are known to be outside.
    package mutating func watch(_ ground: ArrivalGround, mask: UInt32, since: Timestamp, unknown: Bool = true) {
        let before = self.watches.firstIndex { $0.ground.group == ground.group }
        let old = before.map { self.watches[$0] }
        if let before { self.watches.remove(at: before) }
        if mask != 0 { self.watches.append(Watch(ground: ground, mask: mask, since: since)) }
        func isWatched(_ place: GroupPlaceID, _ watch: Watch) -> ArrivalGround.Circle? {
            watch.ground.index(of: place).flatMap { watch.mask & 1 << UInt32($0) != 0 ? watch.ground.circles[$0] : nil }
        }
        let new = Watch(ground: ground, mask: mask, since: since)
        self.standings.removeAll { standing in
            guard standing.group == ground.group else { return false }
            return isWatched(standing.place, new) == nil || old.flatMap { isWatched(standing.place, $0) } == nil
        }
        for (index, circle) in ground.circles.enumerated() where mask & 1 << UInt32(index) != 0 {
            let known = old.flatMap { isWatched(circle.place, $0) }
            guard known == nil || known?.centre != circle.centre || known?.radius != circle.radius else { continue }
            self.standings.removeAll { $0.place == circle.place }
            if unknown { self.forget(circle.place, in: ground.group) }
        }
    }

    /// Makes the state at a place unknown, if the person tells it.
    package mutating func forget(_ place: GroupPlaceID, in group: GroupID) {
        self.standings.removeAll { $0.place == place }
        guard let watch = self.watches.first(where: { $0.ground.group == group }),
            let index = watch.ground.index(of: place),
            watch.mask & 1 << UInt32(index) != 0
        else { return }
        let standing = ArrivalStanding(
            place: place,
            group: group,
            since: watch.since,
            state: .unknown,
            told: .unknown
        )
        self.standings.append(standing)
    }

    /// The group of a place that the person tells; nil for other places.
    func group(of place: GroupPlaceID) -> GroupID? {
        self.watches.first { watch in
            watch.ground.index(of: place).map { watch.mask & 1 << UInt32($0) != 0 } ?? false
        }?.ground.group
    }

    /// The state at a place that the person tells.
    package func state(at place: GroupPlaceID) -> ArrivalStanding.State {
        self.standings.first { $0.place == place }?.state ?? .outside
    }

    // MARK: Fixes

    /// Accepts a fix, which is applied when it is due.
    ///
    /// It is due no later than the newer ones that wait, so that older fixes of a batch are applied first.
    package mutating func accept(_ fix: ArrivalFix) {
        var fix = fix
        var index = self.waiting.count
        while index > 0, fix.at < self.waiting[index - 1].at { index -= 1 }
        if index < self.waiting.count { fix.due = min(fix.due, self.waiting[index].due) }
        self.waiting.insert(fix, at: index)
        while index > 0, self.waiting[index - 1].due > fix.due {
            index -= 1
            self.waiting[index].due = fix.due
        }
    }

    /// The moment of the server's clock at which the rule has something to do; nil if it waits for fixes only.
    package var nextDeadline: Timestamp? {
        let next = min(self.waiting.first?.due ?? .never, self.silenceEnd ?? .never)
        return next == .never ? nil : next + Self.lag
    }

    /// The moment of the rule's clock at which silence completes a proof.
    private var silenceEnd: Timestamp? {
        guard let stay = self.stay, let reports = self.reports else { return nil }
        return self.standings.lazy.compactMap { $0.proof?.silenceEnd(in: stay, reports, since: self.resumedAt) }.min()
    }

    /// Applies everything that is due at a moment of the server's clock.
    package mutating func advance(to now: Timestamp, into events: inout [ArrivalEvent]) {
        let clock = now - Self.lag
        var applied = 0
        while applied < self.waiting.count, self.waiting[applied].due <= clock {
            let fix = self.waiting[applied]
            self.completeSilence(until: fix.due, into: &events)
            self.apply(fix, into: &events)
            applied += 1
        }
        if applied > 0 { self.waiting.removeFirst(applied) }
        self.completeSilence(until: clock + 1, into: &events)
    }

    private mutating func apply(_ fix: ArrivalFix, into events: inout [ArrivalEvent]) {
        if self.reports?.note(at: fix.at, due: fix.due) == nil {
            self.reports = ReportInterval(at: fix.at, due: fix.due)
        }
        for index in self.standings.indices { self.standings[index].proof?.isSilenceTried = false }
        guard fix.standing != .refused, self.last.map({ fix.at > $0.at }) ?? true else { return }
        if let last = self.last, last.device != fix.device { self.startAnew() }
        let isSameReading = self.last?.coordinate == fix.coordinate && self.last?.device == fix.device
        self.last = fix
        guard !isSameReading else { return }
        if self.stay?.add(fix) == nil {
            self.stay = Stay(Stay.Begin(point: fix.point, at: fix.at, due: fix.due))
        }
        for watch in self.watches where fix.at >= watch.since { self.apply(fix, to: watch, into: &events) }
        self.standings.removeAll(where: \.isDefault)
    }

    /// Rebuilds the stay and the rhythm of reports with a fix that was applied before a restart.
    mutating func recall(_ fix: ArrivalFix) {
        let standings = self.standings
        let watches = self.watches
        self.watches = []
        var none: [ArrivalEvent] = []
        self.apply(fix, into: &none)
        self.watches = watches
        self.standings = standings
    }

    /// Drops all proofs and the stay, because another device leads.
    private mutating func startAnew() {
        self.stay = nil
        for index in self.standings.indices { self.standings[index].proof = nil }
    }

    /// The position of a fix relative to a circle.
    package static func reading(of coordinate: Coordinate, accuracy: Float, at circle: ArrivalGround.Circle) -> Reading
    {
        if circle.isFar(coordinate) { return .clear }
        if coordinate.isWithin(circle.radius, of: circle.centre) { return .inside }
        let limit = circle.radius + Self.clearance + Double(accuracy)
        return coordinate.isWithin(limit, of: circle.centre) ? .between : .clear
    }

    private mutating func apply(_ fix: ArrivalFix, to watch: Watch, into events: inout [ArrivalEvent]) {
        var complete: UInt32 = 0
        let hasStandings = !self.standings.isEmpty
        for (index, circle) in watch.ground.circles.enumerated() where watch.mask & 1 << UInt32(index) != 0 {
            let reading = Self.reading(of: fix.coordinate, accuracy: fix.accuracy, at: circle)
            guard hasStandings || reading == .inside else { continue }
            var place = self.standings.firstIndex { $0.place == circle.place }
            if place == nil, reading == .inside {
                place = self.standings.count
                let standing = ArrivalStanding(
                    place: circle.place,
                    group: watch.ground.group,
                    since: fix.at,
                    state: .outside,
                    told: .outside
                )
                self.standings.append(standing)
            }
            guard let place else { continue }
            if self.advance(place, by: fix, reading) { complete |= 1 << UInt32(index) }
            self.agree(place, with: fix, reading, into: &events)
        }
        if !self.standings.isEmpty { self.settle(complete, in: watch, by: fix, into: &events) }
    }

    /// Applies a fix to the proof at a place, and returns whether it is complete.
    private mutating func advance(_ place: Int, by fix: ArrivalFix, _ reading: Reading) -> Bool {
        guard let stay = self.stay else { return false }
        let state = self.standings[place].state
        let kind = self.standings[place].proof?.kind
        switch reading {
        case .inside:
            if kind == .departure { self.standings[place].proof = nil }
            guard state != .inside else { return false }
            if kind == .arrival { return self.standings[place].proof?.add(fix, in: stay) ?? false }
            self.standings[place].proof = ArrivalProof(.arrival, fix)
        case .between:
            if kind == .departure { self.standings[place].proof = nil }
        case .clear:
            if kind == .arrival { self.standings[place].proof = nil }
            guard state != .outside else { return false }
            let isNear = self.standings[place].proof.map { fix.point.isNear($0.point) } ?? false
            if kind == .departure, isNear || !fix.isPing {
                return self.standings[place].proof?.add(fix, in: stay) ?? false
            }
            self.standings[place].proof = ArrivalProof(.departure, fix)
        }
        return false
    }

    /// Notifies of a state that only late fixes proved, if a fix in time agrees with it.
    private mutating func agree(
        _ place: Int,
        with fix: ArrivalFix,
        _ reading: Reading,
        into events: inout [ArrivalEvent]
    ) {
        let standing = self.standings[place]
        guard fix.standing == .timely, standing.state != standing.told,
            reading == (standing.state == .inside ? .inside : .clear)
        else { return }
        self.notify(place, into: &events)
    }

    /// Changes the state at a place; `isTimely` says whether a fix in time proves it, so that it is notified.
    mutating func change(
        _ place: Int,
        to state: ArrivalStanding.State,
        since: Timestamp? = nil,
        isTimely: Bool,
        into events: inout [ArrivalEvent]
    ) {
        let since = since ?? self.standings[place].proof?.at
        self.standings[place].proof = nil
        self.standings[place].state = state
        if let since { self.standings[place].since = since }
        if self.standings[place].told == .unknown { self.standings[place].told = state }
        if isTimely, self.standings[place].told != state { self.notify(place, into: &events) }
    }

    private mutating func notify(_ place: Int, into events: inout [ArrivalEvent]) {
        let standing = self.standings[place]
        self.standings[place].told = standing.state
        events.append(
            ArrivalEvent(
                group: standing.group,
                place: standing.place,
                hasArrived: standing.state == .inside,
                since: standing.since
            )
        )
    }

    // MARK: Silence

    /// Completes the proofs for which the phone was silent for long enough before a moment of the rule's clock.
    private mutating func completeSilence(until clock: Timestamp, into events: inout [ArrivalEvent]) {
        while let end = self.silenceEnd, end < clock {
            self.endSilence(at: end, into: &events)
        }
        self.standings.removeAll(where: \.isDefault)
    }

    private mutating func endSilence(at end: Timestamp, into events: inout [ArrivalEvent]) {
        guard let stay = self.stay, let reports = self.reports, let last = self.last else { return }
        for watch in self.watches {
            var complete: UInt32 = 0
            for place in self.standings.indices where self.standings[place].group == watch.ground.group {
                guard let due = self.standings[place].proof?.silenceEnd(in: stay, reports, since: self.resumedAt),
                    due <= end,
                    let index = watch.ground.index(of: self.standings[place].place)
                else { continue }
                self.standings[place].proof?.isSilenceTried = true
                complete |= 1 << UInt32(index)
            }
            if complete != 0 { self.settle(complete, in: watch, by: last, isSilent: true, into: &events) }
        }
    }

    /// Begins all proofs and the stay again, because the server's clock was set back.
    mutating func rewind(to now: Timestamp) {
        self.waiting = []
        self.reports = nil
        self.last = nil
        self.stay = nil
        self.resumedAt = min(self.resumedAt, now)
        for index in self.standings.indices {
            self.standings[index].proof = nil
            self.standings[index].since = min(self.standings[index].since, now)
        }
        for index in self.watches.indices { self.watches[index].since = min(self.watches[index].since, now) }
        self.standings.removeAll(where: \.isDefault)
    }

    /// Counts no silence before a moment, because the server did not run.
    package mutating func resume(at now: Timestamp) { self.resumedAt = max(self.resumedAt, now - Self.lag) }
}
