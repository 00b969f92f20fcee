import MusterCore
import MusterWire

/// Whose bucket of a rate something counts in: a person's, or a person's for one room or group.
struct RatedSubject: Hashable, Sendable {
    let user: UserID
    /// The room or group; nil where the rate counts all that a person does.
    let subject: Int64?

    /// Names the bucket of a request.
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
