package import MusterCore

/// Asks a person's devices where they are.
package struct Locate: ClientRequest {
    package typealias Answer = LocateAnswer
    package static let type = "locate"
    package static let audience = RequestAudience.allSessions
    package static let order = RequestOrder.beside

    package var group: GroupID
    package var user: UserID

    /// Names the person, and the group in which both are.
    package init(group: GroupID, user: UserID) {
        self.group = group
        self.user = user
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(group: try fields.group(), user: try fields.user())
    }
}

/// The question is on its way.
package struct LocateAnswer: Encodable, Equatable, Sendable {
    private let request: LocateID
    private let devices: Int
    private let expiresAt: Timestamp

    /// Names the question, to how many devices it goes, and until when it can be answered.
    package init(request: LocateID, devices: Int, expiresAt: Timestamp) {
        self.request = request
        self.devices = devices
        self.expiresAt = expiresAt
    }
}
