package import MusterCore

/// What really happened, as the plot of a generated trace knows it.
package enum TraceTruth: Sendable, Equatable {
    /// A day of a group begins: `{"truth":{"group":…,"day":…,"story":…,"people":…}}`.
    case day(group: String, begin: Timestamp, story: String, people: Int)
    /// Somebody was left, and should be told within a time: `{"truth":{"group":…,"user":…,"variant":…,"from":…,"until":…}}`.
    case left(group: String, user: String, LeftWithoutYou.Variant, from: Timestamp, until: Timestamp)
}
