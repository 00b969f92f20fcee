/// A position as a phone's app sent it, in the units of this server, before it is validated.
package struct AppFix: Sendable, Equatable {
    /// The time; nil when the app sent none.
    package var at: Timestamp?
    package var latitude: Double?
    package var longitude: Double?
    /// Metres; a negative value is unknown, as for the other numbers.
    package var accuracy: Double?
    package var altitude: Double?
    /// Metres per second.
    package var speed: Double?
    /// Degrees.
    package var course: Double?
    /// The charge of the battery, 0…1.
    package var battery: Double?
    package var trigger = Fix.Trigger.move

    /// Creates an empty position.
    package init() {}

    /// The valid fix.
    ///
    /// A detail that is out of range becomes unknown; apps send −1 for those that they do not know.
    ///
    /// - Throws: what is wrong with the position.
    package func validated() throws(AppProblem) -> Fix {
        guard let latitude = self.latitude, Coordinate.latitudes.contains(latitude) else {
            throw AppProblem("The latitude must be a number from -90 to 90.")
        }
        guard let longitude = self.longitude, Coordinate.longitudes.contains(longitude) else {
            throw AppProblem("The longitude must be a number from -180 to 180.")
        }
        guard latitude != 0 || longitude != 0 else {
            throw AppProblem("The position is 0, 0: the phone does not know where it is.")
        }
        return Fix(
            sequence: 0,
            at: self.at,
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            accuracy: Self.detail(self.accuracy, in: 0...1e9),
            altitude: Self.detail(self.altitude, in: -5_000...100_000),
            speed: Self.detail(self.speed, in: 0...1e6),
            course: Self.detail(self.course, in: 0...360),
            battery: Self.detail(self.battery, in: 0...1),
            trigger: self.trigger
        )
    }

    private static func detail(_ value: Double?, in range: ClosedRange<Double>) -> Float? {
        value.flatMap { range.contains($0) ? Float($0) : nil }
    }
}

/// What makes a report of an app, or a part of it, unusable: shown to its user as the last problem.
package struct AppProblem: Error, Sendable, Equatable {
    /// The maximum number of characters of a text.
    package static let longestText = 300

    /// A sentence.
    package let text: String

    /// Creates a problem.
    package init(_ text: String) { self.text = Excerpt.withEllipsis(text, longest: Self.longestText) }
}

/// What a report of an app contains.
package struct AppReport: Sendable, Equatable {
    /// The maximum number of fixes in a report.
    package static let fixLimit = 1_000

    /// The usable fixes, oldest first.
    package var fixes: [Fix] = []
    /// What was wrong with the other parts.
    package var problems: [AppProblem] = []

    /// Creates an empty report.
    package init() {}

    /// Adds a position.
    package mutating func add(_ fix: AppFix) {
        do throws(AppProblem) {
            self.fixes.append(try fix.validated())
        } catch {
            self.problems.append(error)
        }
    }

    /// Puts the fixes in the order of their times; those of the same time keep their order.
    package mutating func sort() {
        let places = self.fixes.indices.sorted { left, right in
            let times = (self.fixes[left].at ?? .never, self.fixes[right].at ?? .never)
            return times.0 == times.1 ? left < right : times.0 < times.1
        }
        self.fixes = places.map { self.fixes[$0] }
    }
}
