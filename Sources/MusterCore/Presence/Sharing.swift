/// What a member lets one group see of where they are.
package struct Sharing: Sendable, Equatable, Codable {
    /// How much is seen.
    package enum Mode: String, Sendable, Codable, CaseIterable {
        /// The position as it is.
        case live
        /// The position snapped to a grid of 0.01°.
        case approximate
        /// Nothing.
        case paused
    }

    /// When sharing returns to `live`; nil means never by itself.
    @Packed package var until: Timestamp?
    /// No fix taken before this moment is ever shown to the group: the last time at which sharing was taken up again, or that
    /// of joining.
    package var visibleSince: Timestamp
    /// Whether `visibleSince` is the end of a pause.
    package var hasPaused: Bool
    /// How much is seen until `until`, and `live` from then on.
    package var mode: Mode
    /// Whether share pictures may show them.
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
