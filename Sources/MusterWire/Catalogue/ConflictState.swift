/// The current state in a `conflict` error, after a request with a wrong assumption: one more field of the error's
/// frame.
package struct ConflictState: Sendable, Equatable {
    /// The name of the field.
    package let field: String
    /// Its JSON.
    package let json: [UInt8]
}
