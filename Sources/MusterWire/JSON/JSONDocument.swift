/// A parsed JSON text, to look into: for clients and tests that read what the server sent.
package final class JSONDocument {
    /// Parses `bytes`, which are copied.
    ///
    /// - Throws: `badJSON` when they are not one JSON text.
    package init(_ bytes: some Sequence<UInt8>) throws(FrameError) { preconditionFailure("skeleton") }

    /// The outermost value.
    package var root: JSONValue { preconditionFailure("skeleton") }

    /// A field of the outermost object; absent when there is none.
    package subscript(_ key: String) -> JSONValue { self.root[key] }
}

@available(*, unavailable)
extension JSONDocument: Sendable {}
