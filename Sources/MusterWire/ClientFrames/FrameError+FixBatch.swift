extension FrameError {
    /// Says what is wrong with a fix of a batch.
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
