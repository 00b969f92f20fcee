import CMusterShims
import MusterCore

// The rules for a fix:
// - `seq`, `lat` and `lon` are required. A field that is `null` counts as missing.
// - `seq` is 1…2⁵³. A fix at exactly 0,0 is an error of a receiver without a position.
// - Phones report −1 for an unknown `accuracy`, `speed`, `course` or `battery`. It counts as missing.
// - If `seq`, `lat`, `lon`, `at` or `accuracy` has the wrong type or is out of range, the fix is malformed: an error
//   for the client is better than a wrong position. Any other invalid field is dropped, and the fix is accepted.

/// A decoder of a fix from its parsed fields.
struct FixReader {
    private let fields: muster_json_fix

    init(_ fields: muster_json_fix) { self.fields = fields }

    /// Returns the fix.
    ///
    /// Without a `seq`, it gets the number `fallback` if there is one.
    func read(orNumber fallback: Int64? = nil) throws(FrameError) -> Fix {
        let sequence = try self.sequence(or: fallback)
        let coordinate = Coordinate(
            latitude: try self.degrees(self.fields.lat, "lat", in: Coordinate.latitudes),
            longitude: try self.degrees(self.fields.lon, "lon", in: Coordinate.longitudes)
        )
        if coordinate.latitude == 0 && coordinate.longitude == 0 {
            throw self.malformed("lat", "and lon must not both be 0")
        }
        var dropped: FixDetails = []
        return Fix(
            sequence: sequence,
            at: try self.timestamp(),
            coordinate: coordinate,
            accuracy: try self.accuracy(),
            altitude: self.altitude(orDropFrom: &dropped),
            speed: self.measure(self.fields.speed, .speed, upTo: .greatestFiniteMagnitude, orDropFrom: &dropped),
            course: self.measure(self.fields.course, .course, upTo: 360, orDropFrom: &dropped),
            battery: self.measure(self.fields.battery, .battery, upTo: 1, orDropFrom: &dropped),
            trigger: self.trigger(orDropFrom: &dropped),
            answer: self.answer(orDropFrom: &dropped),
            dropped: dropped
        )
    }

    private func sequence(or fallback: Int64?) throws(FrameError) -> Int64 {
        let scalar = JSONScalar(self.fields.seq)
        if scalar.isMissing, let fallback { return fallback }
        guard let sequence = scalar.wholeNumber, 1...JSONScalar.greatestInteger ~= sequence else {
            throw self.malformed("seq", "must be an integer from 1")
        }
        return sequence
    }

    private func malformed(_ field: String, _ rule: String) -> FrameError {
        let sequence = JSONScalar(self.fields.seq).wholeNumber
        return FrameError(.badFix, message: "\(field) \(rule).", field: field, sequence: sequence)
    }

    private func degrees(
        _ value: muster_json_value,
        _ field: String,
        in range: ClosedRange<Double>
    ) throws(FrameError) -> Double {
        guard let degrees = JSONScalar(value).anyNumber, range.contains(degrees) else {
            throw self.malformed(field, "must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return degrees
    }

    private func timestamp() throws(FrameError) -> Timestamp? {
        let scalar = JSONScalar(self.fields.at)
        guard !scalar.isMissing else { return nil }
        guard let milliseconds = scalar.wholeNumber, Timestamp.wireRange.contains(milliseconds) else {
            let isFine = scalar.anyNumber.map { $0 > Double(Timestamp.wireRange.upperBound) } ?? false
            let unit = isFine ? ", not micro- or nanoseconds" : ""
            throw self.malformed("at", "must be an integer: milliseconds since the Unix epoch\(unit)")
        }
        return Timestamp(milliseconds: milliseconds)
    }

    private func accuracy() throws(FrameError) -> Float? {
        let scalar = JSONScalar(self.fields.accuracy)
        guard !scalar.isMissing else { return nil }
        let metres = scalar.anyNumber.map { Float($0) }
        if metres == -1 { return nil }
        guard let metres, 0...(.greatestFiniteMagnitude) ~= metres else {
            throw self.malformed("accuracy", "must be a number, 0 or more")
        }
        return metres
    }

    private func altitude(orDropFrom dropped: inout FixDetails) -> Float? {
        let scalar = JSONScalar(self.fields.altitude)
        guard !scalar.isMissing else { return nil }
        guard let metres = scalar.anyNumber, Self.altitudes.contains(metres) else {
            dropped.insert(.altitude)
            return nil
        }
        return Float(metres)
    }

    private func measure(
        _ value: muster_json_value,
        _ detail: FixDetails,
        upTo limit: Float,
        orDropFrom dropped: inout FixDetails
    ) -> Float? {
        let scalar = JSONScalar(value)
        guard !scalar.isMissing else { return nil }
        let measure = scalar.anyNumber.map { Float($0) }
        if measure == -1 { return nil }
        guard let measure, 0...limit ~= measure else {
            dropped.insert(detail)
            return nil
        }
        return measure
    }

    private func trigger(orDropFrom dropped: inout FixDetails) -> Fix.Trigger? {
        let scalar = JSONScalar(self.fields.trigger)
        guard !scalar.isMissing else { return nil }
        // Most fixes have the trigger `move`. Comparing 4 bytes is faster than a lookup.
        if scalar.isText("move") { return .move }
        guard let trigger = scalar.string.flatMap(Fix.Trigger.init(rawValue:)) else {
            dropped.insert(.trigger)
            return nil
        }
        return trigger
    }

    private func answer(orDropFrom dropped: inout FixDetails) -> LocateID? {
        let scalar = JSONScalar(self.fields.answer)
        guard !scalar.isMissing else { return nil }
        guard let request = scalar.string.flatMap({ LocateID($0) }) else {
            dropped.insert(.answer)
            return nil
        }
        return request
    }

    /// From below the deepest mine to the edge of space, in metres.
    private static let altitudes = -5_000.0...100_000
}
