import Foundation
import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// The choices of a user about pushes.
    ///
    /// - Throws: `unavailable`.
    func pushSettings(of user: UserID) async throws -> PushSettings {
        let result = try await self.query(
            "SELECT kinds::text AS kinds, muted::text AS muted, quiet::text AS quiet FROM muster.push_setting WHERE user_id = $1",
            [.id(user)]
        )
        return try result.first?.pushSettings() ?? PushSettings()
    }

    /// Changes the choices of a user about pushes in one transaction.
    ///
    /// - Throws: the error of `change`, `unavailable`.
    func changePushSettings(
        of user: UserID,
        _ change: @Sendable (inout PushSettings) throws -> Void
    ) async throws -> PushSettings {
        let now = self.now
        return try await self.transaction { transaction in
            let before = try await transaction.pipeline([
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR NO KEY UPDATE", [.id(user)]),
                PostgresStatement(
                    """
                    SELECT kinds::text AS kinds, muted::text AS muted, quiet::text AS quiet FROM muster.push_setting
                    WHERE user_id = $1
                    """,
                    [.id(user)]
                ),
            ])
            guard !before[0].isEmpty else { throw Self.deadToken }
            var settings = try before[1].first?.pushSettings() ?? PushSettings()
            try change(&settings)
            settings.muted = settings.muted.filter { settings.isMuted($0.key, at: now) }
            try await transaction.query(
                """
                INSERT INTO muster.push_setting (user_id, kinds, muted, quiet) VALUES ($1, $2, $3, $4)
                ON CONFLICT (user_id) DO UPDATE SET kinds = excluded.kinds, muted = excluded.muted, quiet = excluded.quiet
                """,
                [
                    .id(user), .jsonb(Self.json(PushSettingsBody.kinds(settings))),
                    .jsonb(Self.json(PushSettingsBody.muted(settings))),
                    settings.quiet.map { .jsonb(Self.json(PushSettingsBody.Quiet($0))) } ?? .null,
                ]
            )
            return settings
        }
    }

    private static func json(_ value: some Encodable) -> String {
        String(decoding: WireEncoder.encode(value), as: UTF8.self)
    }
}

/// The choices of a user about pushes, as JSON.
struct PushSettingsBody: Encodable {
    /// The quiet hours.
    struct Quiet: Encodable {
        let start: String
        let end: String
        let tz: String
        let kinds: [String]

        init(_ quiet: QuietHours) {
            self.start = QuietHours.text(quiet.start)
            self.end = QuietHours.text(quiet.end)
            self.tz = quiet.zone
            self.kinds = quiet.kinds
        }
    }

    private let settings: PushSettings
    /// The key for subscriptions of browsers; nil where this server sends no pushes.
    private let key: String?

    init(_ settings: PushSettings, key: String?) {
        self.settings = settings
        self.key = key
    }

    func encode(to encoder: any Encoder) throws {
        let all = NotificationKind.table.map { kind in
            (name: kind.name, value: self.settings.wants(kind) as (any Encodable)?)
        }
        let fields: FieldList = [
            "kinds": FieldList(all), "muted": Self.muted(self.settings), "quiet": self.settings.quiet.map(Quiet.init),
            "key": self.key,
        ]
        try fields.encode(to: encoder)
    }

    /// The kinds that the user has chosen or refused.
    static func kinds(_ settings: PushSettings) -> FieldList {
        FieldList(settings.kinds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// The muted groups with the ends.
    static func muted(_ settings: PushSettings) -> FieldList {
        FieldList(
            settings.muted.sorted { $0.key < $1.key }.map { group, end in
                (group.description, end.map { PushMuteEnd(at: $0.milliseconds) } ?? PushMuteEnd(at: nil))
            }
        )
    }
}

/// The end of a mute in milliseconds, or null.
private struct PushMuteEnd: Encodable {
    let at: Int64?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let at { try container.encode(at) } else { try container.encodeNil() }
    }
}

extension PushSettings {
    /// Applies a change in JSON: absent parts stay as they are.
    ///
    /// - Throws: `badRequest` with the name of the field.
    mutating func apply(_ body: JSONValue) throws(FrameError) {
        for (kind, value) in body["kinds"].fields {
            guard NotificationKind.named(kind) != nil else {
                throw FrameError(
                    .badRequest,
                    message: "kinds must contain only kinds of notifications.",
                    field: "kinds"
                )
            }
            guard let isOn = value.bool else {
                throw FrameError(.badRequest, message: "kinds.\(kind) must be true or false.", field: "kinds")
            }
            self.kinds[kind] = isOn
        }
        for (group, value) in body["muted"].fields {
            guard let id = GroupID(group) else {
                throw FrameError(.badRequest, message: "muted must contain only ids of groups.", field: "muted")
            }
            if value.isNull {
                self.muted[id] = .some(nil)
            } else if value.bool == false {
                self.muted[id] = nil
            } else if let end = value.int, end > 0 {
                self.muted[id] = .some(Timestamp(milliseconds: end))
            } else {
                throw FrameError(
                    .badRequest,
                    message: "muted.\(group) must be a time, null for no end, or false.",
                    field: "muted"
                )
            }
        }
        let quiet = body["quiet"]
        if quiet.isNull {
            self.quiet = nil
        } else if !quiet.isAbsent {
            self.quiet = try QuietHours(quiet)
        }
    }
}

extension QuietHours {
    fileprivate init(_ value: JSONValue) throws(FrameError) {
        guard let start = value["start"].string.flatMap(QuietHours.minute),
            let end = value["end"].string.flatMap(QuietHours.minute)
        else {
            throw FrameError(
                .badRequest,
                message: "quiet.start and quiet.end must be times such as 22:00.",
                field: "quiet"
            )
        }
        guard let zone = value["tz"].string, zone.utf8.count <= 64, TimeZone(identifier: zone) != nil else {
            throw FrameError(
                .badRequest,
                message: "quiet.tz must be a time zone such as Europe/Berlin.",
                field: "quiet"
            )
        }
        var kinds = Self.usualKinds
        if value["kinds"].isArray {
            kinds = value["kinds"].elements.compactMap(\.string)
            guard kinds.count == value["kinds"].count, kinds.allSatisfy({ NotificationKind.named($0) != nil }) else {
                throw FrameError(.badRequest, message: "quiet.kinds must be kinds of notifications.", field: "quiet")
            }
        }
        self.init(start: start, end: end, zone: zone, kinds: kinds)
    }

    /// The minute of the user's day at a time.
    func minute(at now: Timestamp) -> Int {
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1_000)
        return Self.minute(at: now, offset: TimeZone(identifier: self.zone)?.secondsFromGMT(for: date) ?? 0)
    }
}

extension PostgresRow {
    /// The choices in `kinds`, `muted` and `quiet`, each a JSON text; NULL means that nothing was chosen.
    func pushSettings() throws -> PushSettings {
        var settings = PushSettings()
        let text = """
            {"kinds":\(try self.optionalText("kinds") ?? "{}"),"muted":\(try self.optionalText("muted") ?? "{}"),\
            "quiet":\(try self.optionalText("quiet") ?? "null")}
            """
        let document = try JSONDocument(Array(text.utf8))
        // A kind that a later version stored is unknown to an earlier one.
        for (kind, value) in document["kinds"].fields { settings.kinds[kind] = value.bool }
        for (group, value) in document["muted"].fields {
            guard let id = GroupID(group) else { continue }
            settings.muted[id] = .some(value.int.map { Timestamp(milliseconds: $0) })
        }
        settings.quiet = document["quiet"].isNull ? nil : try? QuietHours(document["quiet"])
        return settings
    }
}
