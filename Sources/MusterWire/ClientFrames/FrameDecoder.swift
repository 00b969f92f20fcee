import CMusterShims
import MusterCore

/// Reads clients' frames; one a thread, because it reuses its memory from frame to frame.
package final class FrameDecoder {
    /// What bytes turned out to be.
    package enum Outcome: Sendable, Equatable {
        /// A frame whose fields are all within what the protocol allows.
        case frame(ClientFrame)
        /// Something to be answered with an `error` frame.
        case failure(FrameError)
    }

    /// How many readable bytes must follow the end of what is decoded.
    package static let padding = Int(MUSTER_JSON_PADDING)

    private let parser = JSONParser()
    private let requests: RequestCatalog

    /// Creates a decoder that knows these requests.
    package init(requests: RequestCatalog = RequestCatalog()) { self.requests = requests }

    /// Reads one frame.
    ///
    /// At least `padding` readable bytes must follow the end of `bytes`; what they hold does not matter.
    package func decode(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        self.outcome { () throws(FrameError) in try self.parser.parse(padded: bytes) }
    }

    /// Reads one frame from an array, which is copied to pad it.
    package func decode(copying bytes: [UInt8]) -> Outcome {
        self.outcome { () throws(FrameError) in try self.parser.parse(copying: bytes) }
    }

    /// Reads the body of `POST /v1/locations`: `{"fixes":[…]}`; it is copied to pad it.
    package func decodeFixes(copying bytes: [UInt8]) throws(FrameError) -> FixBatch {
        guard let fields = JSONFields(try self.parser.parse(copying: bytes)) else {
            throw FrameError(.badRequest, message: "The body must be an object.", field: "fixes")
        }
        return try FixBatch(reading: fields)
    }

    private func outcome(_ parse: () throws(FrameError) -> muster_json_value) -> Outcome {
        do throws(FrameError) {
            return .frame(try self.read(try parse()))
        } catch {
            return .failure(error)
        }
    }

    private func read(_ root: muster_json_value) throws(FrameError) -> ClientFrame {
        // One pass finds what a `location` consists of, and with it the type and the mark of any frame.
        let found = muster_json_find_fix(root)
        var tag: RequestTag?
        do throws(FrameError) {
            tag = try RequestTag(reading: JSONScalar(found.id))
            let type = JSONScalar(found.type)
            if type.isText("location") { return .location(tag, try Self.fix(found)) }
            guard let fields = JSONFields(root), let word = type.string else {
                throw FrameError(.badRequest, message: "A frame must be an object with a string type.", field: "type")
            }
            return try ClientFrame(reading: fields, type: word, tag: tag, requests: self.requests)
        } catch {
            var error = error
            error.tag = tag
            throw error
        }
    }

    private static func fix(_ fields: muster_json_fix) throws(FrameError) -> Fix {
        do throws(FixBatch.Malformed) {
            return try FixReader(fields).read()
        } catch {
            throw FrameError(.badFix, message: error.reason, field: error.field, sequence: error.sequence)
        }
    }
}

@available(*, unavailable)
extension FrameDecoder: Sendable {}

extension RequestTag {
    /// Reads a request's `id`: a string of at most 64 characters, or an integer; nil when there is none.
    fileprivate init?(reading id: JSONScalar) throws(FrameError) {
        guard !id.isMissing else { return nil }
        if let number = id.wholeNumber {
            self = .number(number)
        } else if let text = id.string, text.unicodeScalars.count <= 64, !text.utf8.contains(0) {
            self = .text(text)
        } else {
            throw FrameError(
                .badRequest,
                message: "id must be a string of at most 64 characters, or an integer.",
                field: "id"
            )
        }
    }
}
