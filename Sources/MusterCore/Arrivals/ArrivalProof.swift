/// The observations that prove an arrival or a departure, as far as they were made.
struct ArrivalProof: Sendable, Equatable {
    /// What is proved.
    enum Kind: UInt8, Sendable {
        case arrival
        case departure
    }

    /// The times of the rule in milliseconds.
    static let stay: Int64 = 55_000
    static let silence: Int64 = 60_000
    static let long: Int64 = 300_000

    /// The position of the first fix inside, or the first clear one.
    let point: ArrivalPoint
    /// The time of that fix.
    let at: Timestamp
    /// The arrival of that fix.
    let due: Timestamp
    let kind: Kind
    /// Whether there was a second fix.
    private(set) var isSeconded = false
    /// Whether the last clear fix was not near the first one.
    private(set) var isApart = false
    /// Whether silence was tried without result since the last report.
    var isSilenceTried = false

    /// Begins with a fix.
    init(_ kind: Kind, _ first: ArrivalFix) {
        self.point = first.point
        self.at = first.at
        self.due = first.due
        self.kind = kind
    }

    /// Adds a fix inside, or a clear one, and returns whether it completes the proof.
    ///
    /// The stay is the current one, which the fix has been added to.
    mutating func add(_ fix: ArrivalFix, in stay: Stay) -> Bool {
        self.isSeconded = true
        self.isSilenceTried = false
        if fix.at - self.at >= Self.long { return true }
        switch self.kind {
        case .arrival:
            return stay.elsewhere == nil && fix.at - max(self.at, stay.first.at) >= Self.stay
        case .departure:
            self.isApart = !fix.point.isNear(self.point)
            return self.isApart && fix.at - self.at >= Self.stay
        }
    }

    /// The moment at which silence completes the proof; nil if it does not.
    ///
    /// No silence counts before `resumedAt`.
    func silenceEnd(in stay: Stay, _ reports: ReportInterval, since resumedAt: Timestamp) -> Timestamp? {
        guard !self.isSilenceTried else { return nil }
        let begin = max(self.due, resumedAt)
        var end = begin + Self.long
        switch self.kind {
        case .arrival:
            end = min(end, max(begin, stay.first.due) + Self.silence)
        case .departure:
            guard self.isSeconded else { return nil }
            if self.isApart { end = min(end, begin + Self.silence) }
        }
        return max(end, reports.silentFrom(notBefore: resumedAt))
    }
}

extension ArrivalProof {
    /// The proof as storage keeps it.
    var stored: StoredArrival.Proof {
        StoredArrival.Proof(
            kind: self.kind == .arrival ? "arrival" : "departure",
            lat: self.point.coordinate.latitude,
            lon: self.point.coordinate.longitude,
            accuracy: self.point.accuracy,
            at: StoredMoment(self.at),
            due: StoredMoment(self.due),
            isSeconded: self.isSeconded,
            isApart: self.isApart
        )
    }

    /// Creates a proof from storage; nil if it is damaged.
    init?(_ stored: StoredArrival.Proof) {
        guard let coordinate = Coordinate(validating: stored.lat, stored.lon),
            stored.accuracy >= 0, stored.kind == "arrival" || stored.kind == "departure"
        else { return nil }
        self.point = ArrivalPoint(coordinate: coordinate, accuracy: stored.accuracy)
        self.at = stored.at.moment
        self.due = stored.due.moment
        self.kind = stored.kind == "arrival" ? .arrival : .departure
        self.isSeconded = stored.isSeconded
        self.isApart = stored.isApart
    }
}
