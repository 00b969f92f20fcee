extension StandingState {
    /// Shows a value under a name that no error has otherwise.
    package init(_ field: StaticString, _ value: some Encodable) {
        self.init(field: field.description, json: WireEncoder.encode(value))
    }
}
