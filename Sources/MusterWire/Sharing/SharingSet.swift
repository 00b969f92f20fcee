package import MusterCore

/// Sets the visibility of the user's position for one or all groups, and whether share pictures may show the user.
package struct SharingSet: ClientRequest {
    package static let type = "sharing.set"
    package static let order = RequestOrder.barrier
    package static let rate: RequestRate? = .sharing

    /// The new mode; nil for no change.
    package var mode: Sharing.Mode?
    /// The group; nil for all groups.
    package var group: GroupID?
    /// The time when sharing returns to live; nil for no automatic return.
    package var until: Timestamp?
    /// Whether share pictures may show the user; nil for no change.
    package var pictures: Bool?

    /// Creates a request with a mode, the setting for share pictures, or both.
    package init(
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

    package var isNeverRefused: Bool {
        switch self.mode {
        case .paused, .approximate: true
        case .live: false
        case nil: self.pictures == false
        }
    }

    package init(reading fields: JSONFields) throws(FrameError) {
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
