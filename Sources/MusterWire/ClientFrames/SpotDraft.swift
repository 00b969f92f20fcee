package import MusterCore

/// A spot as its author describes it.
package struct SpotDraft: Sendable, Equatable {
    package var coordinate: Coordinate
    /// What the author says of it, 1…500 characters.
    package var comment: String
    /// What kind of place it is; nil when the author says nothing.
    package var category: String?

    /// Describes a spot.
    package init(coordinate: Coordinate, comment: String, category: String? = nil) {
        self.coordinate = coordinate
        self.comment = comment
        self.category = category
    }
}
