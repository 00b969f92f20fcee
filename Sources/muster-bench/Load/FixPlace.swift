import MusterCore

/// A place in units of 10⁻⁷ degree, the wire's precision.
struct FixPlace: Equatable {
    /// How the members of a group go about.
    enum Walk {
        /// Members 2 km from each other; everybody paces up and down 200 m in steps of a metre.
        case apart
        /// Six of ten within 60 m, the others 2 km from each other; everybody goes up and down 4 km in steps of 10 m.
        case together
    }

    let latitude: Int64
    let longitude: Int64

    /// Where a member of a group is at their `number`th fix; groups lie apart.
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

    /// The same in degrees.
    var coordinate: Coordinate {
        Coordinate(latitude: Double(self.latitude) / 1e7, longitude: Double(self.longitude) / 1e7)
    }

    /// Steps from where one began, after so many.
    private static func pace(_ number: Int64, turningAfter steps: Int64) -> Int64 {
        let step = number % (2 * steps)
        return step < steps ? step : 2 * steps - step
    }
}
