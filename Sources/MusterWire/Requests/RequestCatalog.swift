/// The requests that a decoder knows, by the `type` of their frames.
package struct RequestCatalog: Sendable {
    private let types: [String: any ClientRequest.Type]

    /// Knows these requests.
    ///
    /// - Precondition: no two of them have the same `type`.
    package init(_ types: [any ClientRequest.Type] = []) {
        self.types = Dictionary(types.map { ($0.type, $0) }) { first, second in
            preconditionFailure("\(first) and \(second) have the same type on the wire")
        }
    }

    /// Reads a frame of the type `word`.
    ///
    /// - Throws: `unknownType`; `badRequest` when a field is wrong.
    func read(_ word: String, from fields: JSONFields) throws(FrameError) -> any ClientRequest {
        guard let type = self.types[word] else {
            throw FrameError(.unknownType, message: "No frame of this type exists.", field: "type")
        }
        return try type.init(reading: fields)
    }
}
