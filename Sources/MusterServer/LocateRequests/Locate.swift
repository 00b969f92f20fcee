import MusterCore
import MusterWire

/// Requests the current position from a user's devices.
struct Locate: ClientRequest {
    typealias Answer = LocateAnswer
    static let type = "locate"
    static let audience = RequestAudience.allSessions
    static let order = RequestOrder.concurrent

    var group: GroupID
    var user: UserID

    /// Creates a request for a user in a common group.
    init(group: GroupID, user: UserID) {
        self.group = group
        self.user = user
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(group: try fields.group(), user: try fields.user())
    }
}

/// The confirmation of a locate request.
struct LocateAnswer: Encodable, Equatable, Sendable {
    private let request: LocateID
    private let devices: Int
    private let expiresAt: Timestamp

    /// Creates the answer: the request's id, the number of devices that get it, and the deadline for their answers.
    init(request: LocateID, devices: Int, expiresAt: Timestamp) {
        self.request = request
        self.devices = devices
        self.expiresAt = expiresAt
    }
}
