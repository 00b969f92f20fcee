/// A value that is already encoded as JSON.
///
/// `WireEncoder` writes it unchanged.
package struct EncodedJSON: Encodable, Equatable, Sendable {
    /// The JSON, in UTF-8.
    package let bytes: [UInt8]

    /// Wraps encoded JSON.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: self.bytes, as: UTF8.self))
    }
}
