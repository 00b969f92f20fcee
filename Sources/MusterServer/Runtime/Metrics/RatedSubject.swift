import MusterCore
import MusterWire

/// The key of a bucket of a rate: a user, or a user in one room or group.
struct RatedSubject: Hashable, Sendable {
    let user: UserID
    /// The room or group; nil where the rate counts all requests of the user.
    let subject: Int64?

    /// Creates the key of a request's bucket.
    init(_ user: UserID, _ request: any ClientRequest) {
        self.user = user
        self.subject = request.ratedSubject
    }
}

extension RateMeter {
    /// Creates a meter for a rate of the table.
    convenience init(_ rate: RequestRate) {
        self.init(rate: Double(rate.count) / Double(rate.seconds), burst: Double(rate.burst))
    }
}
