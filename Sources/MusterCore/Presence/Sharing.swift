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

    /// The precision after an end.
    package enum After: String, Sendable, CaseIterable, Encodable {
        /// The position as it is.
        case live
        /// Nothing.
        case paused
    }

    /// The time at which `mode` gives way to `then`; nil means that it does not expire.
    @Packed package var until: Timestamp?
    /// No fix taken before this moment is ever shown to the group: the end of the last pause, or the time of joining.
    package var visibleSince: Timestamp
    /// Whether `visibleSince` is the end of a pause.
    package var hasPaused: Bool
    /// The precision until `until`.
    package var mode: Mode
    /// The precision from `until` on.
    package var then: After
    /// Whether share pictures may show the member.
    package var isPictured: Bool

    /// Creates a setting.
    package init(
        mode: Mode = .live,
        until: Timestamp? = nil,
        then: After = .live,
        visibleSince: Timestamp = Timestamp(milliseconds: 0),
        hasPaused: Bool = false,
        isPictured: Bool = true
    ) {
        self.mode = mode
        self.isPictured = isPictured
        self.until = until
        self.then = then
        self.visibleSince = visibleSince
        self.hasPaused = hasPaused
    }
}
