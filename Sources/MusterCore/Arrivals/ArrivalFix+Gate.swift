extension ArrivalFix {
    /// Creates the fix that the gate evaluated; nil if its verdict does not concern arrivals.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - fix: the fix.
    ///   - evaluated: the gate's result.
    ///   - now: the arrival.
    init?(device: DeviceID, _ fix: Fix, _ evaluated: EvaluatedFix, receivedAt now: Timestamp) {
        self.init(
            device: device,
            at: evaluated.at,
            receivedAt: now,
            coordinate: fix.coordinate,
            accuracy: fix.accuracy ?? 0,
            // An older fix that is not plausible proves nothing.
            verdict: evaluated.verdict == .outOfOrder && !evaluated.drivesGatherings ? .implausible : evaluated.verdict,
            isPing: fix.trigger == .ping
        )
    }

    /// Creates the fix of a shown position; nil if its verdict does not concern arrivals.
    init?(_ shown: ShownPosition, receivedAt now: Timestamp) {
        self.init(
            device: shown.device,
            at: shown.at,
            receivedAt: now,
            coordinate: shown.fix.coordinate,
            accuracy: shown.fix.accuracy ?? 0,
            verdict: shown.verdict,
            isPing: shown.fix.trigger == .ping
        )
    }

    /// Creates a fix of the history; nil if its verdict does not concern arrivals.
    package init?(
        device: DeviceID,
        at: Timestamp,
        receivedAt now: Timestamp,
        coordinate: Coordinate,
        accuracy: Float,
        verdict: FixVerdict,
        isPing: Bool
    ) {
        let standing: Standing
        switch verdict {
        case .ok, .future: standing = .timely
        // The rule drops one that is older than the last fix that it applied.
        case .outOfOrder: standing = accuracy > FixGate.accuracyLimit ? .refused : .timely
        case .late: standing = accuracy > FixGate.accuracyLimit ? .refused : .late
        case .inaccurate, .implausible: standing = .refused
        case .duplicate, .secondary: return nil
        }
        self.init(
            device: device,
            at: at,
            receivedAt: now,
            coordinate: coordinate,
            accuracy: accuracy,
            standing: standing,
            isPing: isPing
        )
    }
}
