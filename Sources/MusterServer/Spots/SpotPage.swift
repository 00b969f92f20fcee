import MusterCore

/// A page of all spots, newest first.
struct SpotPage: Sendable, Equatable {
    var spots: [Spot]
    /// The id after which the next page begins; nil on the last page.
    var next: SpotID?
}
