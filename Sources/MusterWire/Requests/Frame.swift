package import MusterCore

/// A frame: its type, the tag of the request that it is or answers, and the fields of a value.
package struct Frame<Fields: Encodable>: Encodable {
    private let type: String
    private let tag: RequestTag?
    private let fields: Fields

    /// Creates a frame.
    package init(_ type: String, _ tag: RequestTag? = nil, _ fields: Fields) {
        self.type = type
        self.tag = tag
        self.fields = fields
    }

    /// The frame's JSON.
    package var encoded: [UInt8] { WireEncoder.encode(self) }

    package func encode(to encoder: any Encoder) throws {
        var head = encoder.container(keyedBy: Head.self)
        try head.encode(self.type, forKey: .type)
        switch self.tag {
        case .number(let number): try head.encode(number, forKey: .id)
        case .text(let text): try head.encode(text, forKey: .id)
        case nil: break
        }
        try self.fields.encode(to: encoder)
    }
}

extension Frame {
    /// Creates the confirmation of the request with the tag `tag`.
    package static func ok(_ tag: RequestTag, _ answer: Fields) -> Frame { Frame("ok", tag, answer) }
}

extension Frame<FieldList> {
    /// Returns the JSON of a frame without a tag.
    package static func encode(_ type: String, _ fields: FieldList) -> [UInt8] { Frame(type, nil, fields).encoded }

    /// Returns the frame with more fields at the end.
    package static func + (frame: Frame, more: FieldList) -> Frame { Frame(frame.type, frame.tag, frame.fields + more) }
}

/// The first fields of every frame.
private enum Head: CodingKey {
    case type
    case id
}
