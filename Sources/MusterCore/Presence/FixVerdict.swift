/// The gate's verdict on a fix.
///
/// It is stored with every well-formed fix.
package enum FixVerdict: String, Sendable, CaseIterable {
    /// Shown, and used for gatherings.
    case ok
    /// Its number is known: acknowledged, not stored again.
    case duplicate
    /// More than 60 s ahead of the server's clock: taken as now.
    case future
    /// Older than the shown position: history.
    case outOfOrder = "out_of_order"
    /// More than 5 min old on arrival: history, and shown when newest.
    case late
    /// Accuracy above 100 m: shown with its circle, not used for gatherings.
    case inaccurate
    /// A teleport, pending until the next fix confirms it.
    case implausible
    /// Another device of the same person leads: history, not shown.
    case secondary
}
