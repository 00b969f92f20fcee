import Foundation
import MusterCore
import Postgres

// What the world needs of a person whom it does not hold, as `hello` and group snapshots select it.

extension PostgresRow {
    /// The columns of a profile: `user_id`, `name`, `avatar`.
    func profile() throws(PostgresError) -> UserProfile {
        UserProfile(id: try self.id("user_id"), name: try self.text("name"), avatar: try self.optionalText("avatar"))
    }

    /// The columns that `Directory.positionColumns` names; nil when the person never had a position.
    func storedPosition() throws(PostgresError) -> StoredPosition? {
        guard let device = try self.optionalInt64("position_device") else { return nil }
        return StoredPosition(
            device: DeviceID(device),
            fix: try self.fix(),
            isStationary: try self.bool("stationary")
        )
    }

    /// The columns of a fix, whose names begin with `prefix`.
    func fix(prefix: String = "") throws(PostgresError) -> Fix {
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

    /// The alerts in an array of JSON texts; NULL stands for none.
    func alerts(_ column: String) throws(PostgresError) -> [LeftWithoutYou] {
        guard try !self.isNull(column) else { return [] }
        let decoder = JSONDecoder()
        var alerts: [LeftWithoutYou] = []
        for case let text? in try self.textArray(column) {
            do {
                alerts.append(try decoder.decode(LeftWithoutYou.self, from: Data(text.utf8)))
            } catch {
                throw PostgresError(.decoding, message: "a notification's payload is not an alert")
            }
        }
        return alerts
    }
}

extension Directory {
    /// The columns of `muster.position p`, for `storedPosition()`.
    static let positionColumns = """
        p.device_id AS position_device, p.seq, p.at, p.lat, p.lon, p.accuracy, p.altitude, p.speed, p.course, p.battery,
        p.trigger, p.stationary
        """

    /// The unseen notifications of `muster.account a`, for `alerts(_:)`.
    static let unseenColumn = """
        (SELECT array_agg(n.payload::text ORDER BY n.number) FROM muster.notification n
            WHERE n.user_id = a.id AND n.seen_at IS NULL) AS unseen
        """
}
