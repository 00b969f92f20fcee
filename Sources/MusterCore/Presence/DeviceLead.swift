// Rule (`secondary`): a fix is history and not shown when another device of the same user is elsewhere and moved ≥ 100
// m more recently. So the phone in the café leads, and the browser at home does not.
//
// A device has moved when its fix is at least 100 m from its anchor after subtracting both accuracies. The anchor is
// the position of its last movement, so a fix that shows movement is never secondary. "Elsewhere" means more than 100 m
// away after subtracting both accuracies. Interpretations where the rule is silent:
//
// - A ping comes from a device that does not move. A ping away from the anchor is believed when the next fix confirms
//   it; until then the device may also be at its former position. So a stray ping of a watch does not take the lead
//   from the phone beside it.
// - If no device has moved since it became known, a carried one (phone, watch, tracker) leads before a browser. Next
//   comes the one whose position is shown. Otherwise they would be shown alternately.
// - A device leads for 45 min after its last fix, the longest time for which a position can be usable. After that the
//   other devices are believed.
// - An inaccurate fix is secondary to any leading device, because its circle adds nothing to an accurate position.
// - The anchor of each device is stored with it, and its last position is in the history. Both are restored when the
//   first device of a user arrives after a restart. Where they are unknown, the device whose position is shown leads,
//   even if that position is inaccurate. The other devices are then elsewhere unless they are within 100 m of the
//   centre of its circle.
// - A late or older fix keeps its verdict. Like a secondary one, it is not shown and drives no gathering.
//
// Invariant: of two devices that are apart, at most one is shown until the other moves or the first becomes silent.

/// Decides which of a user's devices determines the shown position.
struct DeviceLead: Sendable {
    /// The minimum distance in metres at which a device has moved, or is elsewhere.
    static let distance = 100.0

    private struct Entry: Sendable {
        let device: DeviceID
        var place: Coordinate
        var at: Timestamp
        /// The position of its last movement.
        var anchor: Coordinate
        @Packed var movedAt: Timestamp?
        var accuracy: Float
        var anchorAccuracy: Float
        var isCarried: Bool
        /// Whether only the shown position is known of the device.
        var isGuess = false
        /// Whether storage has the anchor.
        var isNoted = false
        /// The former position, where the device may still be while its last fix is an unconfirmed ping.
        @Boxed var before: Coordinate?

        /// Whether a fix is elsewhere than the device.
        func isElsewhere(_ fix: Fix) -> Bool {
            !DeviceLead.isNear(fix, self.place, self.accuracy)
                && self.before.map { !DeviceLead.isNear(fix, $0, self.anchorAccuracy) } ?? true
        }
    }

    /// The criteria by which a device leads before another.
    private struct Rank: Comparable {
        var movedAt: Int64
        var isCarried: Bool
        var isShown: Bool

        private var order: (Int64, Int, Int) { (self.movedAt, self.isCarried ? 1 : 0, self.isShown ? 1 : 0) }
        static func < (left: Self, right: Self) -> Bool { left.order < right.order }
    }

    private var entries: [Entry] = []

    /// Begins with the shown position, if one is known.
    init(shown: StoredPosition? = nil) {
        guard let shown, let at = shown.fix.at else { return }
        self.note(shown.fix, of: shown.device, isCarried: true, at: at)
        self.entries[0].isGuess = true
        // With a radius of kilometres subtracted, it would not be elsewhere than any other device.
        if shown.fix.accuracy ?? 0 > FixGate.accuracyLimit { self.entries[0].accuracy = 0 }
    }

    /// Keeps the verdict if the device is the user's leading device; otherwise marks the fix `secondary`.
    ///
    /// - Parameters:
    ///   - evaluated: the gate's result for the fix.
    ///   - fix: the fix.
    ///   - device: the device that sent it.
    ///   - kind: the kind of the device.
    ///   - shown: the device whose position is shown.
    package mutating func evaluate(
        _ evaluated: inout EvaluatedFix,
        of fix: Fix,
        from device: DeviceID,
        kind: DeviceKind,
        shown: DeviceID?
    ) {
        guard evaluated.isShown || evaluated.drivesGatherings else { return }
        let isCarried = kind != .browser
        if evaluated.drivesGatherings { self.note(fix, of: device, isCarried: isCarried, at: evaluated.at) }
        guard self.entries.count > 1 || self.entries.first.map({ $0.device != device }) ?? false else { return }

        let isAccurate = (fix.accuracy ?? 0) <= FixGate.accuracyLimit
        let own = Rank(
            movedAt: self.entries.first { $0.device == device }?.movedAt?.milliseconds ?? .min,
            isCarried: isCarried,
            isShown: device == shown
        )
        let isLed = self.entries.contains { other in
            guard other.device != device, evaluated.at - other.at <= Freshness.recentAge else { return false }
            let rank = Rank(
                movedAt: other.movedAt?.milliseconds ?? .min,
                isCarried: other.isCarried,
                isShown: other.device == shown
            )
            guard own < rank else { return false }
            return !isAccurate || other.isElsewhere(fix)
        }
        guard isLed else { return }
        evaluated.isShown = false
        evaluated.drivesGatherings = false
        switch evaluated.verdict {
        case .ok, .future, .inaccurate: evaluated.verdict = .secondary
        case .duplicate, .outOfOrder, .late, .implausible, .secondary: break
        }
    }

    /// Restores stored devices that have sent nothing since the start.
    package mutating func recall(_ devices: [StoredDevice]) {
        for stored in devices {
            guard let anchor = stored.anchor else { continue }
            let index = self.entries.firstIndex { $0.device == stored.device }
            guard index.map({ self.entries[$0].isGuess }) ?? true else { continue }
            var entry = Entry(
                device: stored.device,
                place: anchor.coordinate,
                at: anchor.movedAt ?? Timestamp(milliseconds: 0),
                anchor: anchor.coordinate,
                accuracy: anchor.accuracy,
                anchorAccuracy: anchor.accuracy,
                isCarried: stored.kind != .browser,
                isNoted: true
            )
            entry.movedAt = anchor.movedAt
            if let accepted = stored.accepted, let at = accepted.at {
                entry.place = accepted.coordinate
                entry.accuracy = accepted.accuracy ?? 0
                entry.at = at
                // The position was unconfirmed; otherwise it would be the anchor.
                let isAway = Self.isAway(accepted, anchor.coordinate, anchor.accuracy)
                entry.before = isAway ? anchor.coordinate : nil
            } else if let index {
                entry.place = self.entries[index].place
                entry.accuracy = self.entries[index].accuracy
                entry.at = self.entries[index].at
            }
            if let index { self.entries[index] = entry } else { self.entries.append(entry) }
        }
    }

    /// Limits recorded times to now, after the clock was set back.
    mutating func rewind(to now: Timestamp) {
        for index in self.entries.indices {
            self.entries[index].at = min(self.entries[index].at, now)
            self.entries[index].movedAt = self.entries[index].movedAt.map { min($0, now) }
        }
    }

    /// The position of a device's last movement; nil when no fix of it was accepted.
    package func anchor(of device: DeviceID) -> DeviceAnchor? {
        self.entries.first { $0.device == device }.map {
            DeviceAnchor(coordinate: $0.anchor, accuracy: $0.anchorAccuracy, movedAt: $0.movedAt)
        }
    }

    /// Returns whether a device has an anchor that must be stored, and marks it as stored.
    mutating func consumeChange(of device: DeviceID) -> Bool {
        guard let index = self.entries.firstIndex(where: { $0.device == device }), !self.entries[index].isNoted else {
            return false
        }
        self.entries[index].isNoted = true
        return true
    }

    private mutating func note(_ fix: Fix, of device: DeviceID, isCarried: Bool, at: Timestamp) {
        let accuracy = fix.accuracy ?? 0
        guard let index = self.entries.firstIndex(where: { $0.device == device }) else {
            self.entries.removeAll { at - $0.at > Freshness.recentAge }
            self.entries.append(
                Entry(
                    device: device,
                    place: fix.coordinate,
                    at: at,
                    anchor: fix.coordinate,
                    accuracy: accuracy,
                    anchorAccuracy: accuracy,
                    isCarried: isCarried
                )
            )
            return
        }
        var entry = self.entries[index]
        guard at >= entry.at else { return }
        let isAway = Self.isAway(fix, entry.anchor, entry.anchorAccuracy)
        let isDoubtful = isAway && entry.before == nil && fix.trigger == .ping
        entry.before = isDoubtful ? entry.place : nil
        entry.isCarried = isCarried
        entry.isGuess = false
        entry.place = fix.coordinate
        entry.accuracy = accuracy
        entry.at = at
        if isAway, !isDoubtful {
            entry.anchor = fix.coordinate
            entry.anchorAccuracy = accuracy
            entry.movedAt = at
            entry.isNoted = false
        }
        self.entries[index] = entry
    }

    /// Whether a fix is at most `distance` from a position, after subtracting both accuracies.
    private static func isNear(_ fix: Fix, _ place: Coordinate, _ accuracy: Float) -> Bool {
        fix.coordinate.isWithin(self.distance + Double(accuracy) + Double(fix.accuracy ?? 0), of: place)
    }

    /// Whether a fix is at least `distance` from a position, after subtracting both accuracies.
    private static func isAway(_ fix: Fix, _ place: Coordinate, _ accuracy: Float) -> Bool {
        let distance = self.distance + Double(accuracy) + Double(fix.accuracy ?? 0)
        return !fix.coordinate.isWithin(distance.nextDown, of: place)
    }
}
