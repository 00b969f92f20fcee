package import MusterCore

/// The first frame of a session.
package struct Hello: Sendable, Equatable {
    /// The description of the client's device.
    package struct Device: Sendable, Equatable {
        /// The client's own stable id for the device, 1…64 characters.
        package var key: String
        /// The device's name, at most 80 characters; nil when the client sent none.
        package var name: String?
        /// The kind of the device.
        package var kind: DeviceKind

        /// Creates a device.
        package init(key: String, name: String? = nil, kind: DeviceKind) {
            self.key = key
            self.name = name
            self.kind = kind
        }
    }

    /// The tag of the request.
    package var tag: RequestTag?
    /// The token of the login.
    package var token: String
    /// The device.
    package var device: Device
    /// The roster versions that the client already has.
    package var resume: [GroupID: RosterVersion]
    /// The highest notification number that the client already has; 0 for none.
    package var knownNotification: Int64
    /// The positions of rooms that the client already has; nil for a client that does not support rooms.
    package var rooms: [RoomID: RoomPosition]?

    /// Creates a hello.
    package init(
        tag: RequestTag? = nil,
        token: String,
        device: Device,
        resume: [GroupID: RosterVersion] = [:],
        knownNotification: Int64 = 0,
        rooms: [RoomID: RoomPosition]? = nil
    ) {
        self.tag = tag
        self.token = token
        self.device = device
        self.resume = resume
        self.knownNotification = knownNotification
        self.rooms = rooms
    }
}
