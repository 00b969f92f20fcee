/// A member's sharing setting for a group, as sent to the member.
package struct SharingTerms: Sendable, Equatable {
    package var mode: Sharing.Mode
    /// The time at which it ends; nil when it does not expire.
    package var until: Timestamp?
    /// The mode after `until`; nil when it does not expire.
    package var then: Sharing.After?
    /// Whether share pictures may show the member.
    package var pictures: Bool

    /// Creates the terms.
    package init(_ mode: Sharing.Mode, until: Timestamp? = nil, then: Sharing.After = .live, pictures: Bool = true) {
        self.mode = mode
        self.until = until
        self.then = until == nil ? nil : then
        self.pictures = pictures
    }

    /// Creates the terms of a setting.
    package init(_ sharing: Sharing) {
        self.init(sharing.mode, until: sharing.until, then: sharing.then, pictures: sharing.isPictured)
    }
}
