import MusterCore
import MusterWire

extension NotificationPayload {
    /// The stored JSON.
    package var json: [UInt8] { WireEncoder.encode(self.list) }

    /// The fields as in a frame.
    var list: FieldList { FieldList(self.fields.map { ($0.name, Written(value: $0.value)) }) }

    /// A value as in a frame.
    struct Written: Encodable {
        let value: Value

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self.value {
            case .null: try container.encodeNil()
            case .bool(let truth): try container.encode(truth)
            case .integer(let number): try container.encode(number)
            case .number(let number): try container.encode(RoundedNumber(number, decimals: 7))
            case .text(let text): try container.encode(text)
            case .user(let user): try container.encode(user)
            case .list(let values): try container.encode(values.map(Written.init))
            case .object(let fields): try container.encode(NotificationPayload(fields).list)
            }
        }
    }

    /// Creates a payload from a JSON object.
    ///
    /// Any other value counts as an empty object.
    init(_ value: JSONValue) { self.init(value.fields.map { Field($0.key, Value($0.value)) }) }
}

extension NotificationPayload.Value {
    fileprivate init(_ value: JSONValue) {
        if let number = value.int {
            self = .integer(number)
        } else if let number = value.double {
            self = .number(number)
        } else if let text = value.string {
            self = .text(text)
        } else if let truth = value.bool {
            self = .bool(truth)
        } else if value.isArray {
            self = .list(value.elements.map(Self.init))
        } else if value.isNull || value.isAbsent {
            self = .null
        } else {
            self = .object(value.fields.map { NotificationPayload.Field($0.key, Self($0.value)) })
        }
    }
}
