@testable import MusterWire

/// The times of a report's fixes, in milliseconds from now.
///
/// Fixes less than a second apart count as one sample.
enum ReportTimes {
    /// From now on, because fixes from before a user joined are not visible.
    static let fromNow: [Int64] = [0, 1100, 2200]
    /// Over the last minute and a half, so that the user counts as staying.
    static let stay: [Int64] = [-90_000, -45_000, 0]
}

/// Sends one fix per time for each user, and waits in between, by default until it is stored.
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
