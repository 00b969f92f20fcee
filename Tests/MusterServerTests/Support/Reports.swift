import MusterWire

/// When the fixes of a report are taken, in milliseconds from now: readings of less than a second apart are one, and prove
/// nothing twice.
enum ReportTimes {
    /// From now on, for nobody sees what was taken before a person joined.
    static let fromNow: [Int64] = [0, 1100, 2200]
    /// Over a minute and a half until now: somebody stays.
    static let stay: [Int64] = [-90_000, -45_000, 0]
}

/// Lets people report where they are, each as often as there are times, and waits in between, by default until that is stored.
func report(
    _ people: [TestClient],
    at times: [Int64] = ReportTimes.fromNow,
    waiting: (TestClient) throws -> Void = { try $0.waitForAck() },
    from place: (Int) -> (latitude: Double, longitude: Double)
) throws {
    for (step, time) in times.enumerated() {
        for (index, person) in people.enumerated() {
            let (latitude, longitude) = place(index)
            let more: JSON = ["accuracy": 5, "speed": .integer(Int64(step)), "at": .now(plus: time)]
            try person.sendFix(latitude, longitude, more)
        }
        for person in people { try waiting(person) }
    }
}
