/// How it stands, in the answer to a request that thought otherwise (`conflict`): one more field of the error's frame.
package struct StandingState: Sendable, Equatable {
    /// The name of the field.
    let field: String
    /// Its JSON.
    let json: [UInt8]
}
