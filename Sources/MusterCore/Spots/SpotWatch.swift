/// Which new spots a session wants to be told of.
package struct SpotWatch: Sendable, Equatable, Codable {
    /// Where they are.
    package enum Scope: Sendable, Equatable, Codable {
        /// Within so many metres of the session's person, wherever they go.
        case nearby(radius: Double)
        /// Anywhere.
        case all
        /// Nowhere: nothing of spots is told any more.
        case none
    }

    package var scope: Scope
    /// The newest spot that the client holds; nil when it wants nothing of what was before.
    package var after: SpotID?

    /// Watches.
    package init(_ scope: Scope, after: SpotID? = nil) {
        self.scope = scope
        self.after = after
    }
}
