import MusterCore
import Postgres

// The state that the world needs for a user who is not loaded, as `hello` and group snapshots select it.

extension PostgresRow {
    /// The columns of a profile: `user_id`, `name`, `avatar`.
    func profile() throws -> UserProfile {
        UserProfile(id: try self.id("user_id"), name: try self.text("name"), avatar: try self.optionalText("avatar"))
    }

    /// The columns of `Directory.positionColumns`; nil when the user has no position.
    func storedPosition() throws -> StoredPosition? {
        guard let device = try self.optionalInt64("position_device") else { return nil }
        return StoredPosition(
            device: DeviceID(device),
            fix: try self.fix(),
            isStationary: try self.bool("stationary"),
            isClockKnown: try self.bool("is_clock_known")
        )
    }

    /// The columns of a fix, with names that begin with `prefix`.
    func fix(prefix: String = "") throws -> Fix {
        Fix(
            sequence: try self.int64(prefix + "seq"),
            at: try self.timestamp(prefix + "at"),
            coordinate: Coordinate(
                latitude: try self.float8(prefix + "lat"),
                longitude: try self.float8(prefix + "lon")
            ),
            accuracy: try self.optionalFloat4(prefix + "accuracy"),
            altitude: try self.optionalFloat4(prefix + "altitude"),
            speed: try self.optionalFloat4(prefix + "speed"),
            course: try self.optionalFloat4(prefix + "course"),
            battery: try self.optionalFloat4(prefix + "battery"),
            trigger: try self.optionalText(prefix + "trigger").flatMap(Fix.Trigger.init(rawValue:))
        )
    }
}

extension Directory {
    /// The columns of `muster.position p`, for `storedPosition()`.
    static let positionColumns = """
        p.device_id AS position_device, p.seq, p.at, p.lat, p.lon, p.accuracy, p.altitude, p.speed, p.course, p.battery,
        p.trigger, p.stationary,
        (SELECT d.clock_offset FROM muster.device d WHERE d.id = p.device_id) IS NOT NULL AS is_clock_known
        """
}
