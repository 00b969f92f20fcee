/// The notifications that a user has seen.
package enum SeenNotifications: Sendable, Equatable {
    /// All up to and including a number.
    case upTo(Int64)
    /// The notifications with these numbers.
    case numbers([Int64])

    /// The maximum number of notifications in one request.
    package static let mostNumbers = 100
}
