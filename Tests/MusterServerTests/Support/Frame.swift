@testable import MusterWire

/// A frame, or another JSON text, as the server sent it.
struct Frame: CustomStringConvertible {
    /// The text.
    let text: String
    private let document: JSONDocument

    /// Parses a text.
    init(_ bytes: [UInt8]) throws {
        self.text = String(decoding: bytes, as: UTF8.self)
        self.document = try JSONDocument(bytes)
    }

    /// The frame's type; empty if it has none.
    var type: String { self["type"].string ?? "" }

    /// A field; absent if the frame has none of this name.
    subscript(_ key: String) -> JSONValue { self.document[key] }

    var description: String { self.text }
}

extension JSONValue {
    /// The texts of an array of strings.
    var strings: [String] { self.elements.compactMap(\.string) }
}
