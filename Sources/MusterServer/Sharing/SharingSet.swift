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
    /// The time when the mode ends; nil for no end.
    var until: Timestamp?
    /// The mode after `until`.
    var then: Sharing.After
    /// Whether share pictures may show the user; nil for no change.
    var pictures: Bool?

    /// Creates a request with a mode, the setting for share pictures, or both.
    init(
        _ mode: Sharing.Mode?,
        group: GroupID? = nil,
        until: Timestamp? = nil,
        then: Sharing.After = .live,
        pictures: Bool? = nil
    ) {
        self.mode = mode
        self.group = group
        self.until = until
        self.then = then
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
        let then: Sharing.After? = try fields.choice("then")
        if then != nil, until == nil {
            throw FrameError(.badRequest, message: "then is allowed only together with until.", field: "then")
        }
        self.init(mode, group: try fields.identifier("group"), until: until, then: then ?? .live, pictures: pictures)
    }
}
