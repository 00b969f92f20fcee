package import MusterCore

/// Chooses what one group, or every group, sees of oneself, and whether share pictures may show one.
package struct SharingSet: ClientRequest {
    package static let type = "sharing.set"
    package static let order = RequestOrder.barrier
    package static let rate: RequestRate? = .sharing

    /// Nil leaves it as it is.
    package var mode: Sharing.Mode?
    /// The group that it is about; nil for all of them.
    package var group: GroupID?
    /// When sharing returns to live; nil for never by itself.
    package var until: Timestamp?
    /// Whether share pictures may show one; nil leaves it as it is.
    package var pictures: Bool?

    /// Asks for a mode, or a word about pictures, or both.
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
            throw FrameError(.badRequest, message: "until goes with a mode.", field: "until")
        }
        self.init(mode, group: try fields.identifier("group"), until: until, pictures: pictures)
    }
}
