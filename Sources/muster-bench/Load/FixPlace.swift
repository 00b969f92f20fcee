import MusterCore

/// A position in units of 10⁻⁷ degree, the precision of the wire format.
struct FixPlace: Equatable {
    /// The movement pattern of a group's members.
    enum Walk {
        /// Members 2 km from each other; each moves to and fro over 200 m in steps of a metre.
        case apart
        /// Six of ten members within 60 m, the others 2 km from each other; each moves to and fro over 4 km in steps of
        /// 10 m.
        case together
    }

    let latitude: Int64
    let longitude: Int64

    /// The position of a member's fix with the given number; groups are far apart.
    init(_ walk: Walk = .apart, group: Int, member: Int, number: Int64) {
        let offset: Int64
        switch walk {
        case .apart:
            offset = Int64(member) * 180_000 + Self.pace(number, turningAfter: 200) * 90
        case .together:
            let isWithOthers = member % 10 < 6
            offset = Int64(member) * (isWithOthers ? 900 : 180_000) + Self.pace(number, turningAfter: 400) * 900
        }
        self.latitude = Int64(group % 600) * 2_000_000 - 600_000_000 + offset + 7
        self.longitude = Int64(group / 600) * 10_000_000 + 1_234_567
    }

    /// The same position in degrees.
    var coordinate: Coordinate {
        Coordinate(latitude: Double(self.latitude) / 1e7, longitude: Double(self.longitude) / 1e7)
    }

    /// The distance from the start after `number` steps, in steps.
    private static func pace(_ number: Int64, turningAfter steps: Int64) -> Int64 {
        let step = number % (2 * steps)
        return step < steps ? step : 2 * steps - step
    }
}
