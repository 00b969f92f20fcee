extension ConflictState {
    /// Encodes a value under a name that no error uses otherwise.
    package init(_ field: StaticString, _ value: some Encodable) {
        self.init(field: field.description, json: WireEncoder.encode(value))
    }
}
