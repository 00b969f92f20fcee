/// The requests that a decoder knows, by the `type` of their frames.
package struct RequestCatalog: Sendable {
    private let types: [String: any ClientRequest.Type]

    /// Creates a catalog of these requests.
    ///
    /// - Precondition: their `type`s are distinct.
    package init(_ types: [any ClientRequest.Type] = []) {
        self.types = Dictionary(types.map { ($0.type, $0) }) { first, second in
            preconditionFailure("\(first) and \(second) have the same type on the wire")
        }
    }

    /// Decodes a frame of the type `word`.
    ///
    /// - Throws: `unknownType`; `badRequest` when a field is invalid.
    func read(_ word: String, from fields: JSONFields) throws(FrameError) -> any ClientRequest {
        guard let type = self.types[word] else {
            throw FrameError(.unknownType, message: "type is not the name of a known frame.", field: "type")
        }
        return try type.init(reading: fields)
    }
}
