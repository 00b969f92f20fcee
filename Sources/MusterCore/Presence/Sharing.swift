/// The sharing setting of a member for one group.
package struct Sharing: Sendable, Equatable {
    /// The precision that the group sees.
    package enum Mode: String, Sendable, CaseIterable, Encodable {
        /// The position as it is.
        case live
        /// The position snapped to a grid of 0.01°.
        case approximate
        /// Nothing.
        case paused
    }

    /// The time at which sharing returns to `live`; nil means that it does not expire.
    @Packed package var until: Timestamp?
    /// No fix taken before this moment is ever shown to the group: the end of the last pause, or the time of joining.
    package var visibleSince: Timestamp
    /// Whether `visibleSince` is the end of a pause.
    package var hasPaused: Bool
    /// The precision until `until`; it is `live` from then on.
    package var mode: Mode
    /// Whether share pictures may show the member.
    package var isPictured: Bool

    /// Creates a setting.
    package init(
        mode: Mode = .live,
        until: Timestamp? = nil,
        visibleSince: Timestamp = Timestamp(milliseconds: 0),
        hasPaused: Bool = false,
        isPictured: Bool = true
    ) {
        self.mode = mode
        self.isPictured = isPictured
        self.until = until
        self.visibleSince = visibleSince
        self.hasPaused = hasPaused
    }
}
