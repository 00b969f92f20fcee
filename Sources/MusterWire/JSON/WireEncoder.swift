// The tree is built first and written then, so that a type may ask for its containers in any order. Foundation's encoder
// puts fields into the order of a hash table or of the alphabet; clients and people like those of the protocol better, and
// tests compare bytes.

/// Encodes values as JSON, fields in the order in which they are encoded, numbers as `JSONPen` writes them.
///
/// For what is written now and then; what is written for every fix is written by the pen.
package enum WireEncoder {
    /// The JSON of a value.
    ///
    /// - Precondition: its `encode(to:)` throws nothing, for the encoder itself takes everything.
    package static func encode(_ value: some Encodable) -> [UInt8] {
        let root = Node()
        do {
            try root.set(value)
        } catch {
            preconditionFailure("\(Swift.type(of: value)) does not let itself be encoded: \(error)")
        }
        var bytes: [UInt8] = []
        root.append(to: &bytes)
        return bytes
    }

    /// A value of the tree; the root of an object that several encoders fill is shared by them.
    fileprivate final class Node {
        enum Content {
            case nothing
            case scalar([UInt8])
            case object([(name: String, value: Node)])
            case array([Node])
        }

        var content = Content.nothing

        /// A new field of the object that the node is from now on.
        func field(_ name: String) -> Node {
            let node = Node()
            if case .object(var fields) = self.content {
                // Out of the node while it grows, so that it is not copied.
                self.content = .nothing
                fields.append((name, node))
                self.content = .object(fields)
            } else {
                self.content = .object([(name, node)])
            }
            return node
        }

        /// A new element of the array that the node is from now on.
        func element() -> Node {
            let node = Node()
            if case .array(var elements) = self.content {
                self.content = .nothing
                elements.append(node)
                self.content = .array(elements)
            } else {
                self.content = .array([node])
            }
            return node
        }

        func append(to bytes: inout [UInt8]) {
            switch self.content {
            // A type that encodes nothing at all is an object without fields.
            case .nothing: bytes.append(json: "{}")
            case .scalar(let text): bytes.append(contentsOf: text)
            case .array(let elements): bytes.append(array: elements) { $1.append(to: &$0) }
            case .object(let fields):
                bytes.append(UInt8(ascii: "{"))
                for (name, value) in fields {
                    bytes.separateFromPrevious()
                    bytes.append(string: name)
                    bytes.append(UInt8(ascii: ":"))
                    value.append(to: &bytes)
                }
                bytes.append(UInt8(ascii: "}"))
            }
        }

        func set(_ write: (inout [UInt8]) -> Void) {
            var text: [UInt8] = []
            write(&text)
            self.content = .scalar(text)
        }

        func set(_ value: some Encodable) throws {
            switch value {
            case let number as RoundedNumber: self.set { $0.append(number: number.value, decimals: number.decimals) }
            case _: try value.encode(to: TreeEncoder(self))
            }
        }
    }

    fileprivate struct TreeEncoder: Encoder {
        let node: Node
        let codingPath: [any CodingKey] = []
        let userInfo: [CodingUserInfoKey: Any] = [:]

        init(_ node: Node) { self.node = node }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            if case .nothing = self.node.content { self.node.content = .object([]) }
            return KeyedEncodingContainer(Fields<Key>(node: self.node))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer {
            if case .nothing = self.node.content { self.node.content = .array([]) }
            return Elements(node: self.node)
        }

        func singleValueContainer() -> any SingleValueEncodingContainer { Value(node: self.node) }
    }

    fileprivate struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: Node
        let codingPath: [any CodingKey] = []

        func encodeNil(forKey key: Key) { self.node.field(key.stringValue).set { $0.append(json: "null") } }

        func encode(_ value: some Encodable, forKey key: Key) throws {
            try self.node.field(key.stringValue).set(value)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            TreeEncoder(self.node.field(key.stringValue)).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            TreeEncoder(self.node.field(key.stringValue)).unkeyedContainer()
        }

        func superEncoder() -> any Encoder { TreeEncoder(self.node.field("super")) }

        func superEncoder(forKey key: Key) -> any Encoder { TreeEncoder(self.node.field(key.stringValue)) }
    }

    fileprivate struct Elements: UnkeyedEncodingContainer {
        let node: Node
        let codingPath: [any CodingKey] = []

        var count: Int { if case .array(let elements) = self.node.content { elements.count } else { 0 } }

        func encodeNil() { self.node.element().set { $0.append(json: "null") } }

        func encode(_ value: some Encodable) throws { try self.node.element().set(value) }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            TreeEncoder(self.node.element()).container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            TreeEncoder(self.node.element()).unkeyedContainer()
        }

        func superEncoder() -> any Encoder { TreeEncoder(self.node.element()) }
    }

    fileprivate struct Value: SingleValueEncodingContainer {
        let node: Node
        let codingPath: [any CodingKey] = []

        func encodeNil() { self.node.set { $0.append(json: "null") } }
        func encode(_ value: Bool) { self.node.set { $0.append(bool: value) } }
        func encode(_ value: String) { self.node.set { $0.append(string: value) } }
        func encode(_ value: Double) { self.node.set { $0.append(number: value) } }
        func encode(_ value: Float) { self.node.set { $0.append(number: value) } }
        func encode(_ value: Int) { self.integer(value) }
        func encode(_ value: Int8) { self.integer(value) }
        func encode(_ value: Int16) { self.integer(value) }
        func encode(_ value: Int32) { self.integer(value) }
        func encode(_ value: Int64) { self.integer(value) }
        func encode(_ value: UInt) { self.integer(value) }
        func encode(_ value: UInt8) { self.integer(value) }
        func encode(_ value: UInt16) { self.integer(value) }
        func encode(_ value: UInt32) { self.integer(value) }
        func encode(_ value: UInt64) { self.integer(value) }
        func encode(_ value: some Encodable) throws { try self.node.set(value) }

        private func integer(_ value: some FixedWidthInteger) { self.node.set { $0.append(integer: value) } }
    }
}
