import CMusterShims
import MusterCore

/// A decoder of client frames.
///
/// Each thread needs its own, because it reuses its memory for each frame.
package final class FrameDecoder {
    /// The result of decoding.
    package enum Outcome: Sendable, Equatable {
        /// A frame whose fields are all valid.
        case frame(ClientFrame)
        /// An error to be sent in an `error` frame.
        case failure(FrameError)
    }

    /// The number of readable bytes that must follow the input.
    package static let padding = Int(MUSTER_JSON_PADDING)

    private let parser = JSONParser()
    private let requests: RequestCatalog

    /// Creates a decoder for the frames of the protocol and the given requests.
    package init(requests: RequestCatalog = RequestCatalog()) { self.requests = requests }

    /// Decodes one frame.
    ///
    /// At least `padding` readable bytes must follow the end of `bytes`. Their content does not matter.
    package func decode(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        self.outcome { () throws(FrameError) in try self.parser.parse(padded: bytes) }
    }

    /// Decodes one frame from an array, which is copied to add the padding.
    package func decode(copying bytes: [UInt8]) -> Outcome {
        self.outcome { () throws(FrameError) in try self.parser.parse(copying: bytes) }
    }

    private func outcome(_ parse: () throws(FrameError) -> muster_json_value) -> Outcome {
        do throws(FrameError) {
            return .frame(try self.read(try parse()))
        } catch {
            return .failure(error)
        }
    }

    private func read(_ root: muster_json_value) throws(FrameError) -> ClientFrame {
        // One pass finds the fields of a `location`, and the type and the tag of any frame.
        let found = muster_json_find_fix(root)
        var tag: RequestTag?
        do throws(FrameError) {
            tag = try RequestTag(reading: JSONScalar(found.id))
            let type = JSONScalar(found.type)
            if type.isText("location") { return .location(tag, try FixReader(found).read()) }
            guard let fields = JSONFields(root), let word = type.string else {
                throw FrameError(
                    .badRequest,
                    message: "A frame must be a JSON object with the string field type.",
                    field: "type"
                )
            }
            return try ClientFrame(reading: fields, type: word, tag: tag, requests: self.requests)
        } catch {
            var error = error
            error.tag = tag
            throw error
        }
    }
}

@available(*, unavailable)
extension FrameDecoder: Sendable {}

extension RequestTag {
    /// Decodes a request's `id`: a string of at most 64 characters, or an integer; nil when there is none.
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
