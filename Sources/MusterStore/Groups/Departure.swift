package import MusterCore

/// A group after somebody left it.
package struct Departure: Sendable {
    package var group: GroupSnapshot
    /// The plans to which they had said something, without that.
    package var plans: [PlanChange]
}
