package import MusterCore

/// The ground truth of a generated trace.
package enum TraceTruth: Sendable, Equatable {
    /// A day of a group begins: `{"truth":{"group":…,"day":…,"story":…,"people":…}}`.
    case day(group: String, begin: Timestamp, story: String, people: Int)
    /// A user was left behind, with the time in which a notification is due:
    /// `{"truth":{"group":…,"user":…,"variant":…,"from":…,"until":…}}`.
    case left(group: String, user: String, LeftWithoutYou.Variant, from: Timestamp, until: Timestamp)
}
