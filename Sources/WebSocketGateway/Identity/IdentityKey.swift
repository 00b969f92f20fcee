/// What an `IdentityTable` finds a thing by.
protocol IdentityKey: Equatable {
    /// A number whose lowest bits differ among the keys of a table.
    var scatter: UInt64 { get }
}
