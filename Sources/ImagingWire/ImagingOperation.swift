/// What a child process of the server does with pictures; its name is the label of the metrics.
///
/// A feature adds a line here, and what it does in the target `Imaging`.
package enum ImagingOperation: String, Sendable, CaseIterable {
    /// A photo as people upload it: whole, and as a thumbnail.
    case photo
    /// A person's face: a square, large and small.
    case face
    /// People of a group on a map: a `SharePicture` becomes one PNG of 1200×630.
    case share
}
