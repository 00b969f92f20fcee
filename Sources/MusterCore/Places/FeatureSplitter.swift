// A GeoJSON file is one feature, a collection of features, or (GeoJSON lines, RFC 8142 too) many of either in a row. Whatever
// stands at the top, or in a list of an object at the top, and is an object, is handed out: of a collection these are its
// features. Only brackets and strings are looked at.

/// Cuts a stream of GeoJSON into features, without holding more than one of them.
package struct FeatureSplitter: Sendable {
    /// Bytes of the longest feature; a longer one is left out.
    package static let longest = 16_777_216

    private enum State: Sendable { case between, string, escape }

    /// Open brackets.
    private var stack: [UInt8] = []
    private var state = State.between
    private var feature: [UInt8] = []
    private var isTooLong = false
    /// The line that is being read, from 1.
    package private(set) var line = 1
    /// The line in which the feature begins that is being read, from 1.
    private var featureLine = 1
    /// Whether the object at the top holds a list of features, and is none itself.
    private var isCollection = false
    /// Whether a bracket closed that was not open.
    package private(set) var isDamaged = false

    /// Begins before the first feature.
    package init() {}

    /// Whether nothing is half read.
    package var isComplete: Bool { self.stack.isEmpty && !self.isDamaged }

    /// Consumes bytes, and calls `body` with every feature that ends among them, and the line in which it begins.
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
                    // An object in a list of the object at the top: what was read so far was the head of a collection.
                    if byte == UInt8(ascii: "{"), self.stack.count == 3, self.stack[1] == UInt8(ascii: "[") {
                        self.isCollection = true
                        self.featureLine = self.line
                        self.feature.removeAll(keepingCapacity: true)
                    }
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    // ASCII has the closing bracket two behind the opening one.
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
