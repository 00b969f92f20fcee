/// A session's subscription to new spots.
package struct SpotSubscription: Sendable, Equatable {
    /// The area of the spots.
    package enum Scope: Sendable, Equatable {
        /// A circle around the session's user that follows them; the radius is in metres.
        case nearby(radius: Double)
        /// Everywhere.
        case all
        /// Nowhere: ends the subscription.
        case none
    }

    package var scope: Scope
    /// The newest spot that the client has; nil when it needs no earlier spots.
    package var after: SpotID?

    /// Creates a subscription.
    package init(_ scope: Scope, after: SpotID? = nil) {
        self.scope = scope
        self.after = after
    }
}
