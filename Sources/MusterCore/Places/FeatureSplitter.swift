// A GeoJSON file is one feature, one collection of features, or a sequence of either (GeoJSON lines, also RFC 8142).
// The splitter yields each object at the top level. For a collection it yields each object in a list of the top-level
// object, that is, its features. Only brackets and strings are parsed.

/// Splits a stream of GeoJSON into features, buffering one feature at a time.
package struct FeatureSplitter: Sendable {
    /// The maximum length of a feature in bytes; longer features are skipped.
    package static let longest = 16_777_216

    private enum State: Sendable { case between, string, escape }

    /// Open brackets.
    private var stack: [UInt8] = []
    private var state = State.between
    private var feature: [UInt8] = []
    private var isTooLong = false
    /// The current line, from 1.
    package private(set) var line = 1
    /// The line in which the current feature begins, from 1.
    private var featureLine = 1
    /// Whether the top-level object contains a list of features and is not a feature itself.
    private var isCollection = false
    /// Whether a closing bracket without an opening one was found.
    private(set) var isDamaged = false

    /// Creates a splitter at the start of a stream.
    package init() {}

    /// Whether no feature is incomplete.
    package var isComplete: Bool { self.stack.isEmpty && !self.isDamaged }

    /// Processes bytes, and calls `body` with every feature that ends in them and the line in which it begins.
    package mutating func consume<Failure: Error>(
        _ bytes: [UInt8],
        _ body: (_ feature: [UInt8], _ line: Int) throws(Failure) -> Void
    ) throws(Failure) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { self.line += 1 }
            switch self.state {
            case .escape: self.state = .string
            case .string:
                if byte == UInt8(ascii: "\\") { self.state = .escape }
                if byte == UInt8(ascii: "\"") { self.state = .between }
            case .between:
                switch byte {
                case UInt8(ascii: "\""): self.state = .string
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    self.stack.append(byte)
                    if self.stack.count == 1 { self.featureLine = self.line }
                    // An object in a list of the top-level object: the bytes so far were the head of a collection.
                    if byte == UInt8(ascii: "{"), self.stack.count == 3, self.stack[1] == UInt8(ascii: "[") {
                        self.isCollection = true
                        self.featureLine = self.line
                        self.feature.removeAll(keepingCapacity: true)
                    }
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    // In ASCII the code of the closing bracket is that of the opening one plus two.
                    guard let open = self.stack.popLast(), byte == open + 2 else {
                        self.isDamaged = true
                        self.stack = []
                        continue
                    }
                    let endsMember = self.isCollection && self.stack.count == 2 && byte == UInt8(ascii: "}")
                    let endsTop = self.stack.isEmpty
                    if endsMember || endsTop && !self.isCollection {
                        self.feature.append(byte)
                        if !self.isTooLong { try body(self.feature, self.featureLine) }
                        self.feature.removeAll(keepingCapacity: true)
                        self.isTooLong = false
                        continue
                    }
                    if endsTop {
                        self.isCollection = false
                        self.feature.removeAll(keepingCapacity: true)
                        continue
                    }
                case _: break
                }
            }
            if !self.stack.isEmpty, !self.isCollection || self.stack.count > 2 {
                if self.feature.count < Self.longest { self.feature.append(byte) } else { self.isTooLong = true }
            }
        }
    }
}
