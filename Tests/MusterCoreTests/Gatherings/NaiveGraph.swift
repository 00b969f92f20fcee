@testable import MusterCore

/// The naive model of `ProximityGraph`: it compares all members at each move.
struct NaiveGraph {
    private struct Pair {
        var link = LinkState.apart
        var isNear = false
        var lower: Coordinate?
        var higher: Coordinate?
    }

    private let radius: Double
    private var positions: [MemberPosition?]
    private var pairs: [[Pair]]

    init(count: Int, radius: Double) {
        self.radius = radius
        self.positions = Array(repeating: nil, count: count)
        self.pairs = Array(repeating: Array(repeating: Pair(), count: count), count: count)
    }

    func isNear(_ one: Int, _ other: Int) -> Bool { self.pairs[min(one, other)][max(one, other)].isNear }
    func isLinked(_ one: Int, _ other: Int) -> Bool { self.pairs[min(one, other)][max(one, other)].link.isLinked }

    /// The position of a member when they were last within R of another, with the stored precision.
    func place(of slot: Int, within other: Int) -> Coordinate? {
        let pair = self.pairs[min(slot, other)][max(slot, other)]
        return (slot < other ? pair.lower : pair.higher).map {
            Coordinate(latitude: Double(Float($0.latitude)), longitude: Double(Float($0.longitude)))
        }
    }

    mutating func move(_ slot: Int, to position: MemberPosition, at instant: Timestamp) {
        self.positions[slot] = position
        for other in self.positions.indices where other != slot {
            guard let theirs = self.positions[other] else { continue }
            let distance = position.point.distance(to: theirs.point)
            let accuracies = position.accuracy + theirs.accuracy
            let radius = max(self.radius, min(0.75 * accuracies / 2, 75))
            let credited = distance - min(accuracies, radius / 2)
            let (low, high) = (min(slot, other), max(slot, other))
            self.pairs[low][high].isNear = credited <= radius
            if distance <= radius {
                self.pairs[low][high].lower = self.positions[low]?.coordinate
                self.pairs[low][high].higher = self.positions[high]?.coordinate
            }
            let older = position.at < theirs.at ? position : theirs
            let isSpeedKnown = older.isStationary || older.interval <= 120_000
            let sample = LinkState.Sample(
                isLower: slot < other,
                isWithin: distance <= radius,
                isBeyond: credited - position.drift(from: theirs, at: instant) > 1.5 * radius
                    && credited > 1.5 * radius,
                isInformative: credited <= 1.5 * radius || abs(position.at - theirs.at) <= 60_000 && isSpeedKnown
                    || position.hasSettled || theirs.hasSettled || theirs.usableUntil < instant,
                isSettled: position.hasSettled && theirs.hasSettled,
                isOwnerSettled: position.hasSettled
            )
            self.pairs[low][high].link.fixed(sample, at: instant)
        }
    }

    mutating func timePassed(to instant: Timestamp) {
        for one in self.pairs.indices {
            for other in self.pairs.indices { self.pairs[one][other].link.timePassed(to: instant) }
        }
    }

    mutating func remove(_ slot: Int) {
        self.positions[slot] = nil
        for other in self.positions.indices { self.pairs[min(slot, other)][max(slot, other)] = Pair() }
    }
}
