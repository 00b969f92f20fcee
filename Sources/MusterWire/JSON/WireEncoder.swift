// Foundation's encoder orders fields by a hash table or alphabetically. The order of the protocol is easier to read,
// and tests compare bytes.

/// An encoder of values as JSON.
///
/// Fields keep the order in which they are encoded; numbers are written as by `JSONWriter`.
///
/// It is for infrequent output; the output for every fix is written by `JSONWriter`. Bytes are written immediately: a
/// type that uses several containers must fill one after the other.
package enum WireEncoder {
    /// Returns the JSON of a value.
    ///
    /// `names` replace the ids that have one.
    ///
    /// - Precondition: its `encode(to:)` does not throw. The encoder itself accepts every value.
    package static func encode(_ value: some Encodable, names: IdentityNames? = nil) -> [UInt8] {
        let text = Text(names)
        do {
            try text.write(value)
        } catch {
            preconditionFailure("\(Swift.type(of: value)) does not let itself be encoded: \(error)")
        }
        return text.bytes
    }

    /// The output so far, shared by all encoders and containers of a value.
    fileprivate final class Text {
        var bytes: [UInt8] = []
        /// The pending closing brackets, the innermost last.
        private var open: [UInt8] = []
        private let names: IdentityNames?

        init(_ names: IdentityNames?) { self.names = names }

        /// The number of open objects and arrays.
        var depth: Int { self.open.count }

        /// Opens an object or array inside `depth` others, or continues the one that is already open there.
        func open(_ opening: Unicode.Scalar, _ closing: Unicode.Scalar, at depth: Int) {
            guard self.depth == depth else { return self.close(to: depth + 1) }
            self.bytes.append(UInt8(ascii: opening))
            self.open.append(UInt8(ascii: closing))
        }

        /// Closes all containers except the outermost `depth`.
        func close(to depth: Int) {
            precondition(self.depth >= depth, "a container is written to that was closed by a later one")
            while self.depth > depth { self.bytes.append(self.open.removeLast()) }
        }

        /// Begins the next element of the container at `depth`.
        func beginElement(at depth: Int) {
            self.close(to: depth)
            self.bytes.separateFromPrevious()
        }

        /// Begins the next field of the container at `depth`.
        func beginField(_ name: String, at depth: Int) {
            self.beginElement(at: depth)
            self.bytes.append(string: name)
            self.bytes.append(UInt8(ascii: ":"))
        }

        /// Writes a whole value.
        ///
        /// A value that encodes nothing becomes an empty object.
        func write(_ value: some Encodable) throws {
            if let number = value as? RoundedNumber {
                return self.bytes.append(number: number.value, decimals: number.decimals)
            }
            if let json = value as? EncodedJSON { return self.bytes.append(contentsOf: json.bytes) }
            if let name = self.names?.name(of: value) { return self.bytes.append(string: name) }
            let start = self.bytes.count
            let depth = self.depth
            try value.encode(to: TextEncoder(self))
            self.close(to: depth)
            if self.bytes.count == start { self.bytes.append(json: "{}") }
        }
    }

    fileprivate struct TextEncoder: Encoder {
        let text: Text
        let depth: Int
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        init(_ text: Text) {
            self.text = text
            self.depth = text.depth
        }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            self.text.open("{", "}", at: self.depth)
            return KeyedEncodingContainer(Fields<Key>(text: self.text, depth: self.depth + 1))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer {
            self.text.open("[", "]", at: self.depth)
            return Elements(text: self.text, depth: self.depth + 1)
        }

        func singleValueContainer() -> any SingleValueEncodingContainer { Value(text: self.text) }
    }

    fileprivate struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let text: Text
        let depth: Int
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { Value(text: self.begin(key)).encodeNil() }

        func encode(_ value: some Encodable, forKey key: Key) throws { try self.begin(key).write(value) }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            TextEncoder(self.begin(key)).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            TextEncoder(self.begin(key)).unkeyedContainer()
        }

        func superEncoder() -> any Encoder {
            self.text.beginField("super", at: self.depth)
            return TextEncoder(self.text)
        }

        func superEncoder(forKey key: Key) -> any Encoder { TextEncoder(self.begin(key)) }

        private func begin(_ key: Key) -> Text {
            self.text.beginField(key.stringValue, at: self.depth)
            return self.text
        }
    }

    fileprivate struct Elements: UnkeyedEncodingContainer {
        let text: Text
        let depth: Int
        private(set) var count = 0
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil() { Value(text: self.begin()).encodeNil() }

        mutating func encode(_ value: some Encodable) throws { try self.begin().write(value) }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> {
            TextEncoder(self.begin()).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            TextEncoder(self.begin()).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { TextEncoder(self.begin()) }

        private mutating func begin() -> Text {
            self.text.beginElement(at: self.depth)
            self.count += 1
            return self.text
        }
    }

    fileprivate struct Value: SingleValueEncodingContainer {
        let text: Text
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { self.text.bytes.append(json: "null") }
        func encode(_ value: Bool) { self.text.bytes.append(bool: value) }
        func encode(_ value: String) { self.text.bytes.append(string: value) }
        func encode(_ value: Double) { self.text.bytes.append(number: value) }
        func encode(_ value: Float) { self.text.bytes.append(number: value) }
        func encode(_ value: Int) { self.text.bytes.append(integer: value) }
        func encode(_ value: Int8) { self.text.bytes.append(integer: value) }
        func encode(_ value: Int16) { self.text.bytes.append(integer: value) }
        func encode(_ value: Int32) { self.text.bytes.append(integer: value) }
        func encode(_ value: Int64) { self.text.bytes.append(integer: value) }
        func encode(_ value: UInt) { self.text.bytes.append(integer: value) }
        func encode(_ value: UInt8) { self.text.bytes.append(integer: value) }
        func encode(_ value: UInt16) { self.text.bytes.append(integer: value) }
        func encode(_ value: UInt32) { self.text.bytes.append(integer: value) }
        func encode(_ value: UInt64) { self.text.bytes.append(integer: value) }
        func encode(_ value: some Encodable) throws { try self.text.write(value) }
    }
}
