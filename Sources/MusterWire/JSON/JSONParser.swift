import CMusterShims

/// The owner of a simdjson parser, whose memory is reused for each text.
final class JSONParser {
    private let handle: OpaquePointer

    init() {
        guard let handle = muster_json_parser_create() else { preconditionFailure("no memory for a JSON parser") }
        self.handle = handle
    }

    deinit { muster_json_parser_destroy(self.handle) }

    /// Parses one text.
    ///
    /// All values of the previous text become invalid.
    ///
    /// An escaped lone surrogate is read as U+FFFD.
    ///
    /// `FrameDecoder.padding` readable bytes must follow the end of `bytes`. `bytes` is only needed during the call.
    func parse(padded bytes: UnsafeRawBufferPointer) throws(FrameError) -> muster_json_value {
        try self.parse(bytes, isPadded: true)
    }

    /// Parses a copy of one text.
    ///
    /// All values of the previous text become invalid.
    func parse(copying bytes: [UInt8]) throws(FrameError) -> muster_json_value {
        try bytes.withUnsafeBufferPointer { (buffer) throws(FrameError) in
            try self.parse(UnsafeRawBufferPointer(buffer), isPadded: false)
        }
    }

    private func parse(_ bytes: UnsafeRawBufferPointer, isPadded: Bool) throws(FrameError) -> muster_json_value {
        var root = muster_json_value()
        // An empty buffer may have a null address, which C does not accept.
        guard let start = bytes.baseAddress, !bytes.isEmpty else { throw Self.error("the text is empty") }
        guard let problem = muster_json_parse(self.handle, start, bytes.count, isPadded, &root) else { return root }
        // Only a rejected text is searched for lone surrogates.
        if let whole = Array(bytes).replacingLoneSurrogates() { return try self.parse(copying: whole) }
        throw Self.error(String(cString: problem))
    }

    private static func error(_ problem: String) -> FrameError {
        FrameError(.badJSON, message: "Invalid JSON: \(problem)")
    }
}

@available(*, unavailable)
extension JSONParser: Sendable {}
