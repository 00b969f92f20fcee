package import MusterCore

/// Chooses what one group, or every group, sees of oneself.
package struct SharingSet: ClientRequest {
    package static let type = "sharing.set"
    package static let order = RequestOrder.barrier

    package var mode: Sharing.Mode
    /// The group that it is about; nil for all of them.
    package var group: GroupID?
    /// When sharing returns to live; nil for never by itself.
    package var until: Timestamp?

    /// Asks for a mode.
    package init(_ mode: Sharing.Mode, group: GroupID? = nil, until: Timestamp? = nil) {
        self.mode = mode
        self.group = group
        self.until = until
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("mode", fields.choice("mode")),
            group: try fields.identifier("group"),
            until: try fields.timestamp("until")
        )
    }
}
