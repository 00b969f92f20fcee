import CMusterShims
import MusterCore

// The rules of a fix:
// - `seq`, `lat` and `lon` are required; every field that is `null` is as if it were not there.
// - `seq` is 1…2⁵³. A fix that is exactly at 0,0 is a receiver without a position.
// - `accuracy`, `speed`, `course` and `battery` of −1 are what phones say for "unknown", and are taken as that.
// - Every other field that is of the wrong type or out of range makes the fix malformed: the client is told of a defect
//   rather than shown in a wrong place.

/// Reads a fix from the fields that were found.
struct FixReader {
    private let fields: muster_json_fix

    init(_ fields: muster_json_fix) { self.fields = fields }

    /// The fix; one without `seq` gets the number `fallback`, when that is given.
    func read(orNumber fallback: Int64? = nil) throws(FixBatch.Malformed) -> Fix {
        let sequence = try self.sequence(or: fallback)
        let coordinate = Coordinate(
            latitude: try self.degrees(self.fields.lat, "lat", in: Coordinate.latitudes),
            longitude: try self.degrees(self.fields.lon, "lon", in: Coordinate.longitudes)
        )
        if coordinate.latitude == 0 && coordinate.longitude == 0 { throw self.malformed("lat", "and lon are both 0") }
        return Fix(
            sequence: sequence,
            at: try self.timestamp(),
            coordinate: coordinate,
            accuracy: try self.measure(self.fields.accuracy, "accuracy", upTo: .greatestFiniteMagnitude),
            altitude: try self.altitude(),
            speed: try self.measure(self.fields.speed, "speed", upTo: .greatestFiniteMagnitude),
            course: try self.measure(self.fields.course, "course", upTo: 360),
            battery: try self.measure(self.fields.battery, "battery", upTo: 1),
            trigger: try self.trigger(),
            answer: try self.answer()
        )
    }

    private func sequence(or fallback: Int64?) throws(FixBatch.Malformed) -> Int64 {
        let scalar = JSONScalar(self.fields.seq)
        if scalar.isMissing, let fallback { return fallback }
        guard let sequence = scalar.wholeNumber, 1...JSONScalar.greatestInteger ~= sequence else {
            throw self.malformed("seq", "must be an integer from 1")
        }
        return sequence
    }

    private func malformed(_ field: String, _ rule: String) -> FixBatch.Malformed {
        FixBatch.Malformed(
            sequence: JSONScalar(self.fields.seq).wholeNumber,
            reason: "\(field) \(rule).",
            field: field
        )
    }

    private func degrees(
        _ value: muster_json_value,
        _ field: String,
        in range: ClosedRange<Double>
    ) throws(FixBatch.Malformed) -> Double {
        guard let degrees = JSONScalar(value).anyNumber, range.contains(degrees) else {
            throw self.malformed(field, "must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return degrees
    }

    private func timestamp() throws(FixBatch.Malformed) -> Timestamp? {
        let scalar = JSONScalar(self.fields.at)
        guard !scalar.isMissing else { return nil }
        guard let milliseconds = scalar.wholeNumber, Timestamp.wireRange.contains(milliseconds) else {
            throw self.malformed("at", "must be an integer: milliseconds since the Unix epoch")
        }
        return Timestamp(milliseconds: milliseconds)
    }

    private func altitude() throws(FixBatch.Malformed) -> Float? {
        let scalar = JSONScalar(self.fields.altitude)
        guard !scalar.isMissing else { return nil }
        guard let metres = scalar.anyNumber.map({ Float($0) }), metres.isFinite else {
            throw self.malformed("altitude", "must be a number of metres")
        }
        return metres
    }

    private func measure(
        _ value: muster_json_value,
        _ field: String,
        upTo limit: Float
    ) throws(FixBatch.Malformed) -> Float? {
        let scalar = JSONScalar(value)
        guard !scalar.isMissing else { return nil }
        guard let measure = scalar.anyNumber.map({ Float($0) }) else { throw self.malformed(field, "must be a number") }
        if measure == -1 { return nil }
        guard 0...limit ~= measure else {
            throw self.malformed(field, limit > 360 ? "must not be negative" : "must be within 0...\(Int(limit))")
        }
        return measure
    }

    private func trigger() throws(FixBatch.Malformed) -> Fix.Trigger? {
        let scalar = JSONScalar(self.fields.trigger)
        guard !scalar.isMissing else { return nil }
        // Most fixes say `move`: the comparison of 4 bytes comes before the search for a word.
        if scalar.isText("move") { return .move }
        guard let trigger = scalar.string.flatMap(Fix.Trigger.init(rawValue:)) else {
            throw self.malformed("trigger", "must be one of \(Fix.Trigger.listed)")
        }
        return trigger
    }

    private func answer() throws(FixBatch.Malformed) -> LocateID? {
        let scalar = JSONScalar(self.fields.answer)
        guard !scalar.isMissing else { return nil }
        guard let request = scalar.string.flatMap({ LocateID($0) }) else {
            throw self.malformed("answer", "must be an id, which is a decimal string")
        }
        return request
    }
}
