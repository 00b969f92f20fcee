package import MusterCore

/// Requests the current position from a user's devices.
package struct Locate: ClientRequest {
    package typealias Answer = LocateAnswer
    package static let type = "locate"
    package static let audience = RequestAudience.allSessions
    package static let order = RequestOrder.concurrent

    package var group: GroupID
    package var user: UserID

    /// Creates a request for a user in a common group.
    package init(group: GroupID, user: UserID) {
        self.group = group
        self.user = user
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(group: try fields.group(), user: try fields.user())
    }
}

/// The confirmation of a locate request.
package struct LocateAnswer: Encodable, Equatable, Sendable {
    private let request: LocateID
    private let devices: Int
    private let expiresAt: Timestamp

    /// Creates the answer: the request's id, the number of devices that get it, and the deadline for their answers.
    package init(request: LocateID, devices: Int, expiresAt: Timestamp) {
        self.request = request
        self.devices = devices
        self.expiresAt = expiresAt
    }
}
