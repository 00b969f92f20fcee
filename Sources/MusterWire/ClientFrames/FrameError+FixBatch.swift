extension FrameError {
    /// Creates the error of a malformed fix in a batch.
    package init(_ malformed: FixBatch.Malformed) {
        self.init(
            .badFix,
            message: malformed.reason,
            field: malformed.field,
            sequence: malformed.sequence,
            index: malformed.index
        )
    }
}
