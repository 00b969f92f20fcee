/// The current state in a `conflict` error, after a request with a wrong assumption: one more field of the error's
/// frame.
package struct ConflictState: Sendable, Equatable {
    /// The name of the field.
    let field: String
    /// Its JSON.
    let json: [UInt8]
}
