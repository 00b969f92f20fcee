import MusterCore
import MusterWire

/// Reads a batch of Overland: GeoJSON features, oldest first, and the current position while older ones wait.
enum OverlandReader {
    /// Returns the usable fixes, and what was wrong with the rest.
    static func report(_ body: [UInt8]) -> AppReport {
        var report = AppReport()
        do throws(FrameError) {
            let document = try JSONDocument(body)
            guard document["locations"].isArray else {
                report.problems.append(AppProblem("locations must be an array of GeoJSON features."))
                return report
            }
            for feature in document["locations"].elements { self.read(feature, into: &report) }
            let current = document["current"]
            if !current.isAbsent, !current.isNull { self.read(current, into: &report) }
        } catch {
            report.problems.append(AppProblem(error.message))
        }
        report.sort()
        return report
    }

    private static func read(_ feature: JSONValue, into report: inout AppReport) {
        let properties = feature["properties"]
        // The end of a trip repeats positions that were sent before.
        guard properties["type"].string != "trip" else { return }
        guard let at = properties["timestamp"].string.flatMap({ Timestamp(appText: $0) }) else {
            report.problems.append(AppProblem("properties.timestamp must be a time in ISO 8601."))
            return
        }
        var fix = AppFix()
        fix.at = at
        fix.longitude = feature["geometry"]["coordinates"][0].double
        fix.latitude = feature["geometry"]["coordinates"][1].double
        fix.accuracy = properties["horizontal_accuracy"].double
        fix.altitude = properties["altitude"].double
        fix.speed = properties["speed"].double
        fix.course = properties["course"].double
        fix.battery = properties["battery_level"].double
        let isAtRest = properties["motion"].elements.contains { $0.string == "stationary" }
        if isAtRest || properties["action"].string == "visit" { fix.trigger = .ping }
        report.add(fix)
    }
}
