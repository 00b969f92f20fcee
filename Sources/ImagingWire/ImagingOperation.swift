/// An imaging operation of a child process.
///
/// Its name is the label in metrics.
///
/// A feature adds a line here, and the implementation in the target `Imaging`.
package enum ImagingOperation: String, Sendable, CaseIterable {
    /// An uploaded photo: whole, and as a thumbnail.
    case photo
    /// A person's face: a square, large and small.
    case face
    /// People of a group on a map: a `SharePicture` becomes one PNG of 1200×630.
    case share
}
