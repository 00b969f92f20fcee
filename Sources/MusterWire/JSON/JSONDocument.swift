import CMusterShims

/// A parsed JSON text, for clients and tests that read the server's output.
package final class JSONDocument {
    private let parser: JSONParser
    private let rootValue: muster_json_value

    /// Parses `bytes`, which are copied.
    ///
    /// - Throws: `badJSON` when they are not a JSON text.
    package init(_ bytes: [UInt8]) throws(FrameError) {
        let parser = JSONParser()
        self.rootValue = try parser.parse(copying: bytes)
        self.parser = parser
    }

    /// The root value.
    package var root: JSONValue { JSONValue(document: self, value: self.rootValue) }

    /// A field of the root object; absent when there is none.
    package subscript(_ key: String) -> JSONValue { self.root[key] }
}

@available(*, unavailable)
extension JSONDocument: Sendable {}
