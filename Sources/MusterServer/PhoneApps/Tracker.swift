import MusterCore

/// A phone that reports by an app of its own.
struct Tracker: Sendable {
    let device: DeviceID
    let app: PhoneApp
    let name: String
    let createdAt: Timestamp
    /// The time of the last report; nil before the first.
    let reportedAt: Timestamp?
    /// The number of reports, or parts of them, that could not be used.
    let problems: Int64
    /// The last of them.
    let lastProblem: Problem?

    /// A part of a report that could not be used.
    struct Problem: Sendable {
        let text: String
        let at: Timestamp
    }
}

/// A tracker's report whose token is valid.
struct TrackerAdmission: Sendable {
    /// The user and the device, for the world.
    let arrival: Arrival
    /// What storage has of the device's reports.
    let stored: StoredReports
}
