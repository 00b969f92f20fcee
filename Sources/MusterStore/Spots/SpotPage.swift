package import MusterCore

/// A page of all spots, newest first.
package struct SpotPage: Sendable, Equatable {
    package var spots: [Spot]
    /// The id after which the next page begins; nil on the last page.
    package var next: SpotID?
}
