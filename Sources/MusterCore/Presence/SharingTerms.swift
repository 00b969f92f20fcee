/// What one lets a group see, as one is told oneself.
package struct SharingTerms: Sendable, Equatable, Codable {
    package var mode: Sharing.Mode
    /// When it returns to `live`; nil for never by itself.
    package var until: Timestamp?
    /// Whether share pictures may show one.
    package var pictures: Bool

    /// Says it.
    package init(_ mode: Sharing.Mode, until: Timestamp? = nil, pictures: Bool = true) {
        self.mode = mode
        self.until = until
        self.pictures = pictures
    }

    /// Says it of a setting.
    package init(_ sharing: Sharing) {
        self.init(sharing.mode, until: sharing.until, pictures: sharing.isPictured)
    }
}
