/// The degree to which a shown position represents the user's current one.
package enum Freshness: String, Sendable, CaseIterable {
    /// At most 5 minutes old.
    case live
    /// At most 45 minutes old, and the person was stationary.
    case recent
    /// Older.
    case stale
    /// Never reported, or not sharing.
    case unknown
}
