// Rule (`secondary`): a fix is history and not shown when another device of the same person is elsewhere and moved
// ≥ 100 m more recently: the phone at the café leads, the browser at home does not.
//
// A device has moved when its fix lies 100 m, with both accuracies credited, from where it was when it had moved last; so a fix
// that shows movement is never secondary. Elsewhere is beyond 100 m with accuracies credited. Readings where the rule is silent:
//
// - A ping is what a device sends that does not move. One that says otherwise is believed when the next fix says it too; until
//   then the device may as well be where it was before. So no stray ping of a watch takes the lead from the phone beside it.
// - When neither has moved since it is known, one that is carried (phone, watch, tracker) leads before a browser, and then the
//   one whose position is shown. Otherwise both would be shown in turn.
// - A device leads for 45 min after its last fix, as long as a position can be usable; then the others are believed.
// - An inaccurate fix is secondary to whatever device leads, because its circle says nothing that a position does not say
//   better.
// - Where each device was when it had moved last is stored with it, and where it is, is in the history; both come when the
//   first device of a person arrives after a restart. Where they are not known the device whose position is shown leads,
//   though that is inaccurate: where the others are is elsewhere unless it is within 100 m of the middle of the circle.
// - A late or older fix keeps its verdict; it is not shown, and drives nothing, like a secondary one.
//
// Invariant: of two devices that are apart, at most one is shown until the other moves or the first is silent.

/// Knows which of a person's devices says where they are.
package struct DeviceLead: Sendable {
    /// From so many metres on a device has moved, or is elsewhere.
    static let distance = 100.0

    private struct Entry: Sendable {
        let device: DeviceID
        var place: Coordinate
        var at: Timestamp
        /// Where it was when it had moved last.
        var anchor: Coordinate
        @Packed var movedAt: Timestamp?
        var accuracy: Float
        var anchorAccuracy: Float
        var isCarried: Bool
        /// Whether all that is known of it is the position that is shown.
        var isGuess = false
        /// Whether storage knows the anchor.
        var isNoted = false
        /// Where it may as well be, while its last fix is a ping and the first that says that it moved.
        var before: Coordinate?

        /// Whether a fix is elsewhere than the device.
        func isElsewhere(_ fix: Fix) -> Bool {
            !DeviceLead.isNear(fix, self.place, self.accuracy)
                && self.before.map { !DeviceLead.isNear(fix, $0, self.anchorAccuracy) } ?? true
        }
    }

    /// What makes a device lead before another.
    private struct Rank: Comparable {
        var movedAt: Int64
        var isCarried: Bool
        var isShown: Bool

        private var order: (Int64, Int, Int) { (self.movedAt, self.isCarried ? 1 : 0, self.isShown ? 1 : 0) }
        static func < (left: Self, right: Self) -> Bool { left.order < right.order }
    }

    private var entries: [Entry] = []

    /// Begins with the position that is shown, if one is known.
    package init(shown: StoredPosition? = nil) {
        guard let shown, let at = shown.fix.at else { return }
        self.note(shown.fix, of: shown.device, isCarried: true, at: at)
        self.entries[0].isGuess = true
        // Credited with a radius of kilometres, it would be nowhere else than any other device.
        if shown.fix.accuracy ?? 0 > FixGate.accuracyLimit { self.entries[0].accuracy = 0 }
    }

    /// Lets a judgement stand if the device leads, and makes it history otherwise.
    ///
    /// - Parameters:
    ///   - judged: what the device's gate says of the fix.
    ///   - fix: the fix.
    ///   - device: the device that sent it.
    ///   - kind: what the device is.
    ///   - shown: the device whose position is shown.
    package mutating func weigh(
        _ judged: inout JudgedFix,
        of fix: Fix,
        from device: DeviceID,
        kind: DeviceKind,
        shown: DeviceID?
    ) {
        guard judged.isShown || judged.drivesGatherings else { return }
        let isCarried = kind != .browser
        if judged.drivesGatherings { self.note(fix, of: device, isCarried: isCarried, at: judged.at) }
        guard self.entries.count > 1 || self.entries.first.map({ $0.device != device }) ?? false else { return }

        let isAccurate = (fix.accuracy ?? 0) <= FixGate.accuracyLimit
        let own = Rank(
            movedAt: self.entries.first { $0.device == device }?.movedAt?.milliseconds ?? .min,
            isCarried: isCarried,
            isShown: device == shown
        )
        let isLed = self.entries.contains { other in
            guard other.device != device, judged.at - other.at <= Freshness.recentAge else { return false }
            let rank = Rank(
                movedAt: other.movedAt?.milliseconds ?? .min,
                isCarried: other.isCarried,
                isShown: other.device == shown
            )
            guard own < rank else { return false }
            return !isAccurate || other.isElsewhere(fix)
        }
        guard isLed else { return }
        judged.isShown = false
        judged.drivesGatherings = false
        switch judged.verdict {
        case .ok, .future, .inaccurate: judged.verdict = .secondary
        case .duplicate, .outOfOrder, .late, .implausible, .secondary: break
        }
    }

    /// Takes over what storage knows of devices that have not been heard since.
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
                // It was in doubt, or else this were its anchor.
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

    /// Takes what is known of a time ahead of now as known now.
    package mutating func turnBack(to now: Timestamp) {
        for index in self.entries.indices {
            self.entries[index].at = min(self.entries[index].at, now)
            self.entries[index].movedAt = self.entries[index].movedAt.map { min($0, now) }
        }
    }

    /// Where a device was when it had moved last; nil when no fix of it was accepted.
    package func anchor(of device: DeviceID) -> DeviceAnchor? {
        self.entries.first { $0.device == device }.map {
            DeviceAnchor(coordinate: $0.anchor, accuracy: $0.anchorAccuracy, movedAt: $0.movedAt)
        }
    }

    /// Whether a device has an anchor that storage does not know; from now on it is taken as known.
    package mutating func consumeNews(of device: DeviceID) -> Bool {
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

    /// Whether a fix is at most `distance` from a place, with both accuracies credited.
    private static func isNear(_ fix: Fix, _ place: Coordinate, _ accuracy: Float) -> Bool {
        fix.coordinate.isWithin(self.distance + Double(accuracy) + Double(fix.accuracy ?? 0), of: place)
    }

    /// Whether a fix is at least `distance` from a place, with both accuracies credited.
    private static func isAway(_ fix: Fix, _ place: Coordinate, _ accuracy: Float) -> Bool {
        let distance = self.distance + Double(accuracy) + Double(fix.accuracy ?? 0)
        return !fix.coordinate.isWithin(distance.nextDown, of: place)
    }
}
