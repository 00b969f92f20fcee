package import MusterCore

extension NotificationPayload {
    /// The JSON that storage keeps.
    package var json: [UInt8] {
        var text: [UInt8] = []
        text.append(.object(self.fields), names: nil)
        return text
    }

    /// Reads an object of JSON; what is no object is as if it were empty.
    package init(_ value: JSONValue) { self.init(value.fields.map { Field($0.key, Value($0.value)) }) }
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
