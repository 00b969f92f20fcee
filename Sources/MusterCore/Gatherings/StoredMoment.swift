/// A moment in a stored state, as readable text.
struct StoredMoment: Sendable, Equatable, Codable {
    let moment: Timestamp

    /// Wraps a moment.
    init(_ moment: Timestamp) { self.moment = moment }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let moment = Timestamp(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a timestamp must be a time in UTC")
        }
        self.moment = moment
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.moment.text)
    }
}
