extension StringProtocol {
    /// The lines of a text file with the line endings of any system: without the endings, including empty lines.
    ///
    /// Swift treats CR LF as one character, which is not the line feed. A byte order mark before the first line is
    /// removed.
    package var fileLines: [SubSequence] {
        self.drop { $0 == "\u{FEFF}" }
            .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }
}
