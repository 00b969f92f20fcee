import MusterCore
import MusterWire

/// Sets the visibility of the user's position for one or all groups, and whether share pictures may show the user.
struct SharingSet: ClientRequest {
    static let type = "sharing.set"
    static let order = RequestOrder.barrier
    static let rate: RequestRate? = .sharing

    /// The new mode; nil for no change.
    var mode: Sharing.Mode?
    /// The group; nil for all groups.
    var group: GroupID?
    /// The time when sharing returns to live; nil for no automatic return.
    var until: Timestamp?
    /// Whether share pictures may show the user; nil for no change.
    var pictures: Bool?

    /// Creates a request with a mode, the setting for share pictures, or both.
    init(
        _ mode: Sharing.Mode?,
        group: GroupID? = nil,
        until: Timestamp? = nil,
        pictures: Bool? = nil
    ) {
        self.mode = mode
        self.group = group
        self.until = until
        self.pictures = pictures
    }

    var isNeverRefused: Bool {
        switch self.mode {
        case .paused, .approximate: true
        case .live: false
        case nil: self.pictures == false
        }
    }

    init(reading fields: JSONFields) throws(FrameError) {
        let pictures = try fields.flag("pictures")
        let mode: Sharing.Mode? = try fields.choice("mode")
        if pictures == nil { _ = try fields.required("mode", mode) }
        let until = try fields.timestamp("until")
        if mode == nil, until != nil {
            throw FrameError(.badRequest, message: "until is allowed only together with mode.", field: "until")
        }
        self.init(mode, group: try fields.identifier("group"), until: until, pictures: pictures)
    }
}
