extension StringProtocol {
    /// The lines of a text file, whichever system wrote it: the empty ones too, without their ends.
    ///
    /// Swift takes CR LF for one character, which is not the line feed. The mark of byte order that some editors put before the
    /// first line is no part of it.
    package var fileLines: [SubSequence] {
        self.drop { $0 == "\u{FEFF}" }
            .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }
}
