/// What an `IdentityTable` finds a thing by.
protocol IdentityKey: Equatable {
    /// A number that hardly two keys of a table share, and that no client can choose; the table spreads it.
    var scatter: UInt64 { get }
}
