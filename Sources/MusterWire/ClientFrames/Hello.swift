package import MusterCore

/// The first frame of a session.
package struct Hello: Sendable, Equatable {
    /// What the client says of the device that it runs on.
    package struct Device: Encodable, Sendable, Equatable {
        /// The client's own stable name for the device, 1…64 characters.
        package var key: String
        /// What people call it, at most 80 characters; nil when the client did not say.
        package var name: String?
        /// What it is.
        package var kind: DeviceKind

        /// Describes a device.
        package init(key: String, name: String? = nil, kind: DeviceKind) {
            self.key = key
            self.name = name
            self.kind = kind
        }
    }

    /// The mark of the request.
    package var tag: RequestTag?
    /// The secret of the login.
    package var token: String
    /// The device.
    package var device: Device
    /// What the client already holds of rosters.
    package var resume: [GroupID: RosterVersion]
    /// The highest notification number that the client already holds; 0 for none.
    package var heldNotification: Int64
    /// What the client already holds of rooms; nil for a client that knows no rooms.
    package var rooms: [RoomID: RoomPosition]?

    /// Creates a hello.
    package init(
        tag: RequestTag? = nil,
        token: String,
        device: Device,
        resume: [GroupID: RosterVersion] = [:],
        heldNotification: Int64 = 0,
        rooms: [RoomID: RoomPosition]? = nil
    ) {
        self.tag = tag
        self.token = token
        self.device = device
        self.resume = resume
        self.heldNotification = heldNotification
        self.rooms = rooms
    }
}
