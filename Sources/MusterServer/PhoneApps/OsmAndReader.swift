import MusterCore
import MusterWire

/// Reads a post in the protocol of OsmAnd, which Traccar Client also uses: parameters in the query or in a form, or
/// JSON of Traccar Client 9.
struct OsmAndReader {
    /// Metres per second of a knot.
    private static let knot = 1_852.0 / 3_600
    /// Metres of accuracy for a dilution of precision of 1.
    private static let metresPerDilution = 5.0

    /// The token, which the app calls its identifier; nil when there is none.
    private(set) var token: String?
    /// The usable fixes, and what was wrong with the rest.
    private(set) var report = AppReport()

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - query: the parameters in the address.
    ///   - body: the body: empty, a form, or JSON.
    init(query: [(name: String, value: String)], body: [UInt8]) {
        self.token = Self.value(["id", "deviceid", "device_id"], in: query)
        guard let first = body.first(where: { $0 > 0x20 }) else {
            self.read(query)
            return
        }
        guard first == UInt8(ascii: "{") else {
            let form = FormFields.decoded(body)
            self.token = Self.value(["id", "deviceid"], in: form) ?? self.token
            self.read(query + form)
            return
        }
        do throws(FrameError) {
            let document = try JSONDocument(body)
            self.token = document["device_id"].string ?? document["deviceId"].string ?? self.token
            self.read(document.root)
        } catch {
            self.report.problems.append(AppProblem(error.message))
        }
    }

    // MARK: - Parameters

    private mutating func read(_ parameters: [(name: String, value: String)]) {
        func text(_ names: String...) -> String? { Self.value(names, in: parameters) }
        func number(_ names: String...) -> Double? { Self.value(names, in: parameters).flatMap(Double.init) }
        let pair = text("location").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        let place = (
            latitude: text("lat") ?? pair?.first, longitude: text("lon") ?? (pair?.count == 2 ? pair?.last : nil)
        )
        // Without a position it is a sign of life.
        guard place.latitude != nil || place.longitude != nil else { return }
        if let valid = text("valid"), !["1", "true"].contains(valid.lowercased()) {
            self.report.problems.append(AppProblem("The app marks the position as invalid."))
            return
        }
        var fix = AppFix()
        if let time = text("timestamp") {
            guard let at = Timestamp(appText: time) else {
                self.report.problems.append(AppProblem("timestamp must be seconds, milliseconds, or ISO 8601."))
                return
            }
            fix.at = at
        }
        fix.latitude = place.latitude.flatMap(Double.init)
        fix.longitude = place.longitude.flatMap(Double.init)
        fix.accuracy = number("accuracy") ?? number("hdop").map { $0 * Self.metresPerDilution }
        fix.altitude = number("altitude")
        let unit: Double =
            switch text("speedunit")?.lowercased() {
            case "ms": 1
            case "kmh": 1 / 3.6
            case .some, nil: Self.knot
            }
        fix.speed = number("speed").map { $0 * unit }
        fix.course = number("bearing", "heading")
        fix.battery = number("batt").map { $0 / 100 }
        self.report.add(fix)
    }

    private static func value(_ names: [String], in parameters: [(name: String, value: String)]) -> String? {
        parameters.first { names.contains($0.name) && !$0.value.isEmpty }?.value
    }

    // MARK: - JSON

    private mutating func read(_ body: JSONValue) {
        let location = body["location"]
        guard !location.isAbsent, !location.isNull else { return }
        let coordinates = location["coords"]
        var fix = AppFix()
        guard let time = location["timestamp"].string, let at = Timestamp(appText: time) else {
            self.report.problems.append(AppProblem("location.timestamp must be a time in ISO 8601."))
            return
        }
        fix.at = at
        fix.latitude = coordinates["latitude"].double
        fix.longitude = coordinates["longitude"].double
        fix.accuracy = coordinates["accuracy"].double
        fix.altitude = coordinates["altitude"].double
        fix.speed = coordinates["speed"].double
        fix.course = coordinates["heading"].double
        fix.battery = location["battery"]["level"].double
        if location["is_moving"].bool == false { fix.trigger = .ping }
        self.report.add(fix)
    }
}
