// Rule: a fix is stationary when its trigger is `ping`, or when the fixes of the 10 min before it span at least 5 min
// within 100 m. The second condition means: the unbroken run of fixes within 100 m of this one, at most 10 min back, is
// at least 5 min long. So a user who sat down 5 min ago is stationary, whatever they did before.
//
// The detector keeps slots instead of fixes. Each half minute with fixes has one slot with the first and last moment
// and the bounding box: at most 21 slots, however many fixes arrive. A slot lies within 100 m of a point when all
// corners of its box do. This is never true when one of its fixes lies outside. The order in which fixes arrive does
// not matter.
//
// After a restart only the last position is known. If it was stationary, it counts as 5 min spent there.

/// Detects from the last 10 minutes whether a device stays in place.
struct StationaryDetector: Sendable {
    private static let horizon: Int64 = 10 * 60_000
    private static let span: Int64 = 5 * 60_000
    private static let radius = 100.0
    private static let slotLength: Int64 = 30_000

    private struct Slot: Sendable {
        var first: Timestamp
        var last: Timestamp
        var southWest: Coordinate
        var northEast: Coordinate

        /// Whether all corners of the box are within the radius of a point.
        func isWithinReach(of point: Coordinate) -> Bool {
            let radius = StationaryDetector.radius
            return self.southWest.isWithin(radius, of: point) && self.northEast.isWithin(radius, of: point)
                && Coordinate(latitude: self.southWest.latitude, longitude: self.northEast.longitude)
                    .isWithin(radius, of: point)
                && Coordinate(latitude: self.northEast.latitude, longitude: self.southWest.longitude)
                    .isWithin(radius, of: point)
        }

        mutating func extend(to coordinate: Coordinate, at: Timestamp) {
            self.first = min(self.first, at)
            self.last = max(self.last, at)
            self.southWest.latitude = min(self.southWest.latitude, coordinate.latitude)
            self.southWest.longitude = min(self.southWest.longitude, coordinate.longitude)
            self.northEast.latitude = max(self.northEast.latitude, coordinate.latitude)
            self.northEast.longitude = max(self.northEast.longitude, coordinate.longitude)
        }
    }

    /// By time, oldest first.
    private var slots: [Slot] = []
    /// Whether the newest accepted fix was stationary.
    private(set) var isStationary = false

    /// Begins with the device's last position, if one is known.
    init(accepted: StoredPosition? = nil) {
        guard let accepted, accepted.isStationary, let at = accepted.fix.at else { return }
        self.isStationary = true
        guard accepted.fix.accuracy ?? 0 <= FixGate.accuracyLimit else { return }
        self.remember(accepted.fix.coordinate, at: at - Self.span)
        self.remember(accepted.fix.coordinate, at: at)
    }

    /// Resets the detector when it has recorded times ahead of now.
    mutating func rewind(to now: Timestamp) {
        guard let newest = self.slots.last, newest.last > now else { return }
        self.slots.removeAll()
        self.isStationary = false
    }

    /// Records an accepted fix, and returns whether it is stationary.
    mutating func accept(_ coordinate: Coordinate, at: Timestamp, trigger: Fix.Trigger?) -> Bool {
        self.remember(coordinate, at: at)
        let isStationary = trigger == .ping || self.stayed(at: coordinate, until: at)
        if let newest = self.slots.last?.last, newest <= at { self.isStationary = isStationary }
        return isStationary
    }

    private mutating func remember(_ coordinate: Coordinate, at: Timestamp) {
        let number = at.milliseconds / Self.slotLength
        // Usually the fix is within the newest half minute.
        if let last = self.slots.indices.last, self.slots[last].first.milliseconds / Self.slotLength == number {
            self.slots[last].extend(to: coordinate, at: at)
        } else {
            self.insert(coordinate, at: at, number)
        }
        guard let newest = self.slots.last, let oldest = self.slots.first,
            newest.last - oldest.last > Self.horizon
        else { return }
        self.slots.removeAll { newest.last - $0.last > Self.horizon }
    }

    private mutating func insert(_ coordinate: Coordinate, at: Timestamp, _ number: Int64) {
        let place = self.slots.lastIndex { $0.first.milliseconds / Self.slotLength <= number }
        if let place, self.slots[place].first.milliseconds / Self.slotLength == number {
            self.slots[place].extend(to: coordinate, at: at)
        } else {
            let slot = Slot(first: at, last: at, southWest: coordinate, northEast: coordinate)
            self.slots.insert(slot, at: place.map { $0 + 1 } ?? 0)
        }
    }

    private func stayed(at coordinate: Coordinate, until at: Timestamp) -> Bool {
        // No comparison is needed while nothing is old enough.
        guard let oldest = self.slots.first, at - oldest.first >= Self.span else { return false }
        for slot in self.slots.reversed() where slot.first <= at {
            guard at - slot.last <= Self.horizon, slot.isWithinReach(of: coordinate) else { return false }
            if at - slot.first >= Self.span { return true }
        }
        return false
    }
}
