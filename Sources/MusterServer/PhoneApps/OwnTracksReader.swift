import MusterCore
import MusterWire

/// Reads a post of OwnTracks: one message, or an array of them.
struct OwnTracksReader {
    /// Types that are valid and say nothing about the position of the phone.
    private static let ignored: Set<String> = [
        "beacon", "card", "cmd", "configuration", "lwt", "request", "status", "steps", "transition", "waypoint",
        "waypoints",
    ]

    /// The usable fixes, and what was wrong with the rest.
    private(set) var report = AppReport()
    /// Whether a message was encrypted, so that the answer must be.
    private(set) var isEncrypted = false
    /// Whether a message has the mark of Android's app.
    private(set) var isAndroid = false
    private let secret: TrackerSecret?

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - body: the body; empty for a sign of life.
    ///   - secret: the tracker's key; nil when it is not known yet.
    init(_ body: [UInt8], secret: TrackerSecret?) {
        self.secret = secret
        guard !body.allSatisfy({ $0 <= 0x20 }) else { return }
        self.read(text: body, mayBeEncrypted: true)
    }

    private mutating func read(text: [UInt8], mayBeEncrypted: Bool) {
        do throws(FrameError) {
            let document = try JSONDocument(text)
            if document.root.isArray {
                for message in document.root.elements { self.read(message, mayBeEncrypted: mayBeEncrypted) }
            } else {
                self.read(document.root, mayBeEncrypted: mayBeEncrypted)
            }
        } catch {
            self.report.problems.append(AppProblem(error.message))
        }
    }

    private mutating func read(_ message: JSONValue, mayBeEncrypted: Bool) {
        guard let type = message["_type"].string else {
            self.report.problems.append(AppProblem("The message has no _type."))
            return
        }
        switch type {
        case "location":
            if message["_id"].string != nil { self.isAndroid = true }
            self.readLocation(message)
        case "encrypted":
            self.isEncrypted = true
            guard mayBeEncrypted, let secret = self.secret else { return }
            guard let text = message["data"].string.flatMap(secret.open) else {
                self.report.problems.append(
                    AppProblem("The message cannot be decrypted: its key must be that of this phone's link.")
                )
                return
            }
            self.read(text: text, mayBeEncrypted: false)
        default:
            if !Self.ignored.contains(type) {
                self.report.problems.append(AppProblem("Messages of the type '\(type)' are unknown."))
            }
        }
    }

    private mutating func readLocation(_ message: JSONValue) {
        guard let seconds = message["tst"].int, 1...253_402_300_799 ~= seconds else {
            self.report.problems.append(AppProblem("tst must be the time of the fix in seconds since 1970."))
            return
        }
        var fix = AppFix()
        fix.at = Timestamp(milliseconds: seconds * 1_000)
        fix.latitude = message["lat"].double
        fix.longitude = message["lon"].double
        fix.accuracy = message["acc"].double
        fix.altitude = message["alt"].double
        fix.speed = message["vel"].double.map { $0 / 3.6 }
        fix.course = message["cog"].double
        fix.battery = message["batt"].double.map { $0 / 100 }
        fix.trigger = Fix.Trigger(ownTracksReason: message["t"].string, mode: message["m"].int)
        self.report.add(fix)
    }
}
