package import MusterCore

/// Some of all spots, the newest first.
package struct SpotPage: Sendable, Equatable {
    package var spots: [Spot]
    /// Behind which spot the next page begins; nil when this is the last.
    package var next: SpotID?
}
