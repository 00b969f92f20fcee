/// The prefix of a text in a file.
package enum FileText {
    /// The byte order mark of UTF-8, which some editors write.
    package static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
