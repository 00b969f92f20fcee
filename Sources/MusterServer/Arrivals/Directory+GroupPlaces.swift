import MusterCore
import MusterWire
import Postgres

// Every change locks the group and ends in its snapshot, which contains the places and all choices.

extension Directory {
    /// Adds a place to a group, for a member; the same key of the same member returns the place that it added.
    ///
    /// - Throws: `badRequest`, `notMember`, `conflict` at the limit of places, `unavailable`.
    func addGroupPlace(_ draft: GroupPlaceAdd, by user: UserID) async throws -> Committed<GroupPlaceSight> {
        let name = try Validation.text(draft.name, GroupPlace.nameRule, field: "name")
        try Validation.point(draft.coordinate)
        let now = self.now
        let id: GroupPlaceID = self.nextID(at: now)
        return try await self.transaction { transaction in
            _ = try await transaction.lockGroup(draft.group, as: user)
            let results = try await transaction.pipeline([
                PostgresStatement(
                    """
                    INSERT INTO muster.group_place (id, group_id, key, name, icon, lat, lon, radius, created_by, created_at)
                    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
                    WHERE (SELECT count(*) FROM muster.group_place WHERE group_id = $2) < $11
                    ON CONFLICT (group_id, created_by, key) DO NOTHING
                    """,
                    [
                        .id(id), .id(draft.group), .text(draft.key), .text(name), .text(draft.icon.rawValue),
                        .float8(draft.coordinate.latitude), .float8(draft.coordinate.longitude),
                        .float8(draft.radius), .id(user), .timestamptz(now), .int64(Int64(ArrivalGround.capacity)),
                    ]
                ),
                PostgresStatement(
                    "SELECT id FROM muster.group_place WHERE group_id = $1 AND created_by = $2 AND key = $3",
                    [.id(draft.group), .id(user), .text(draft.key)]
                ),
            ])
            guard let row = results[1].first else {
                throw FrameError(
                    .conflict,
                    message: "A group has at most \(ArrivalGround.capacity) places. Delete one before you add another."
                )
            }
            return try await transaction.sight(of: try row.id("id"), in: draft.group, for: user)
        }
    }

    /// Changes a place, for the member who added it or the owner of the group.
    ///
    /// - Throws: `badRequest`; `notFound`; `forbidden`; `conflict` if `revision` is not the newest; `unavailable`.
    func updateGroupPlace(_ change: GroupPlaceUpdate, by user: UserID) async throws -> Committed<GroupPlaceSight> {
        let name = try change.name.map { try Validation.text($0, GroupPlace.nameRule, field: "name") }
        if let coordinate = change.coordinate { try Validation.point(coordinate) }
        return try await self.transaction { transaction in
            let (group, isAllowed) = try await transaction.lockPlace(change.place, as: user)
            guard isAllowed else { throw Self.foreignPlace }
            // A place elsewhere has another state, which must be found out first.
            let results = try await transaction.pipeline([
                PostgresStatement(
                    """
                    DELETE FROM muster.place_state s USING muster.group_place p
                    WHERE p.id = $1 AND s.place_id = p.id AND p.revision = $2
                        AND (p.lat, p.lon, p.radius) IS DISTINCT FROM
                            (coalesce($3::float8, p.lat), coalesce($4::float8, p.lon), coalesce($5::float8, p.radius))
                    """,
                    [
                        .id(change.place), .int64(change.revision), .optional(change.coordinate?.latitude),
                        .optional(change.coordinate?.longitude), .optional(change.radius),
                    ]
                ),
                PostgresStatement(
                    """
                    UPDATE muster.group_place SET name = coalesce($3::text, name), icon = coalesce($4::text, icon),
                        lat = coalesce($5::float8, lat), lon = coalesce($6::float8, lon),
                        radius = coalesce($7::float8, radius), revision = revision + 1
                    WHERE id = $1 AND revision = $2
                    """,
                    [
                        .id(change.place), .int64(change.revision), .optional(name), .optional(change.icon?.rawValue),
                        .optional(change.coordinate?.latitude), .optional(change.coordinate?.longitude),
                        .optional(change.radius),
                    ]
                ),
            ])
            guard results[1].affectedRows == 1 else {
                let sights = try await transaction.sights(of: group, for: user)
                guard let sight = sights.first(where: { $0.place.id == change.place }) else { throw Self.noPlace }
                throw FrameError.groupPlaceConflict(sight)
            }
            return try await transaction.sight(of: change.place, in: group, for: user)
        }
    }

    /// Deletes a place with all choices and unseen notifications, for the member who added it or the owner.
    ///
    /// - Throws: `notFound`, `forbidden`, `unavailable`.
    /// - Returns: the group.
    func deleteGroupPlace(_ place: GroupPlaceID, by user: UserID) async throws -> Committed<GroupID> {
        try await self.transaction { transaction in
            let (group, isAllowed) = try await transaction.lockPlace(place, as: user)
            guard isAllowed else { throw Self.foreignPlace }
            _ = try await transaction.pipeline([
                PostgresStatement("DELETE FROM muster.group_place WHERE id = $1", [.id(place)]),
                PostgresStatement(
                    "DELETE FROM muster.notification n WHERE \(Self.unseenArrival) AND n.group_id = $2",
                    [.id(place), .id(group)]
                ),
            ])
            let snapshot = try Self.only(try await transaction.bump([group]))
            return Committed(group, [.group(snapshot)])
        }
    }

    /// The places of a group as a member sees them.
    ///
    /// - Throws: `notMember`, `unavailable`.
    func groupPlaces(of group: GroupID, for user: UserID) async throws -> [GroupPlaceSight] {
        try await self.requireMember(user, of: group)
        return try await self.transaction { try await $0.sights(of: group, for: user) }
    }

    /// Sets the members whom a user notifies at a place.
    ///
    /// - Throws: `notFound`; `badRequest` for a receiver who is not another member; `unavailable`.
    func setArrivalReceivers(_ choice: GroupPlaceNotify, by user: UserID) async throws -> Committed<GroupPlaceSight> {
        let now = self.now
        var members: [UserID] = []
        if case .members(let chosen) = choice.to { members = chosen }
        try require(!members.contains(user), "to", "must contain other members only")
        return try await self.transaction { [members] transaction in
            let (group, _) = try await transaction.lockPlace(choice.place, as: user)
            let found = try await transaction.query(
                "SELECT count(*) AS members FROM muster.membership WHERE group_id = $1 AND user_id = ANY($2)",
                [.id(group), .ids(members)]
            )
            let count = try found.first?.int64("members") ?? 0
            try require(count == Int64(members.count), "to", "must contain members of the group only")
            // Deleting the row also deletes the state and the receivers.
            var statements = [
                PostgresStatement(
                    "DELETE FROM muster.place_consent WHERE place_id = $1 AND user_id = $2",
                    [.id(choice.place), .id(user)]
                )
            ]
            if choice.to != .nobody {
                statements += [
                    PostgresStatement(
                        """
                        INSERT INTO muster.place_consent (place_id, user_id, group_id, everybody, at)
                        VALUES ($1, $2, $3, $4, $5)
                        """,
                        [
                            .id(choice.place), .id(user), .id(group), .bool(choice.to == .everybody),
                            .timestamptz(now),
                        ]
                    ),
                    PostgresStatement(
                        """
                        INSERT INTO muster.place_receiver (place_id, user_id, receiver_id, group_id)
                        SELECT $1, $2, x.id, $3 FROM unnest($4::bigint[]) AS x(id)
                        """,
                        [.id(choice.place), .id(user), .id(group), .ids(members)]
                    ),
                ]
            }
            statements.append(
                PostgresStatement(
                    """
                    DELETE FROM muster.notification n WHERE \(Self.unseenArrival) AND n.group_id = $2
                        AND n.from_id = $3 AND NOT ($4 OR n.user_id = ANY($5))
                    """,
                    [
                        .id(choice.place), .id(group), .id(user), .bool(choice.to == .everybody), .ids(members),
                    ]
                )
            )
            _ = try await transaction.pipeline(statements)
            return try await transaction.sight(of: choice.place, in: group, for: user)
        }
    }

    /// Sets whether a user receives notifications about a place.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func mute(_ choice: GroupPlaceMute, by user: UserID) async throws -> Committed<GroupPlaceSight> {
        try await self.transaction { transaction in
            let (group, _) = try await transaction.lockPlace(choice.place, as: user)
            let sql =
                choice.muted
                ? """
                INSERT INTO muster.place_mute (place_id, user_id, group_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
                """
                : "DELETE FROM muster.place_mute WHERE place_id = $1 AND user_id = $2 AND group_id = $3"
            try await transaction.query(sql, [.id(choice.place), .id(user), .id(group)])
            return try await transaction.sight(of: choice.place, in: group, for: user)
        }
    }

    /// The condition of unseen notifications `n` about the place `$1`.
    private static let unseenArrival = """
        n.kind IN ('place_arrived', 'place_left') AND n.seen_at IS NULL AND (n.payload -> 'place' ->> 'id')::bigint = $1
        """

    fileprivate static var noPlace: FrameError { FrameError(.notFound, message: "There is no such place.") }

    private static var foreignPlace: FrameError {
        FrameError(.forbidden, message: "Only the member who added the place and the owner of the group may do this.")
    }
}

extension PostgresTransaction {
    /// Locks the group of a place for one of its members.
    ///
    /// - Throws: `notFound`, also for a place of another group.
    /// - Returns: the group, and whether the member may change the place.
    fileprivate func lockPlace(_ place: GroupPlaceID, as user: UserID) async throws -> (GroupID, Bool) {
        let found = try await self.query("SELECT group_id FROM muster.group_place WHERE id = $1", [.id(place)])
        guard let row = found.first else { throw Directory.noPlace }
        let group: GroupID = try row.id("group_id")
        let role: GroupSnapshot.Role
        do {
            role = try await self.lockGroup(group, as: user)
        } catch {
            guard FrameError(error).code == .notMember else { throw error }
            throw Directory.noPlace
        }
        let current = try await self.query("SELECT created_by FROM muster.group_place WHERE id = $1", [.id(place)])
        guard let row = current.first else { throw Directory.noPlace }
        let isOwn = try !row.isNull("created_by") && UserID(try row.int64("created_by")) == user
        return (group, role == .owner || isOwn)
    }

    /// Raises the revision of a locked group, and returns one of its places.
    fileprivate func sight(
        of place: GroupPlaceID,
        in group: GroupID,
        for user: UserID
    ) async throws -> Committed<GroupPlaceSight> {
        let snapshot = try Directory.only(try await self.bump([group]))
        let sights = try await self.sights(of: group, for: user)
        guard let sight = sights.first(where: { $0.place.id == place }) else { throw Directory.noPlace }
        return Committed(sight, [.group(snapshot)])
    }

    /// The places of a group as a member sees them.
    fileprivate func sights(of group: GroupID, for user: UserID) async throws -> [GroupPlaceSight] {
        let results = try await self.pipeline([
            PostgresStatement(
                "SELECT \(GroupPlace.column) AS places FROM muster.grp g WHERE g.id = $1",
                [.id(group)]
            ),
            PostgresStatement(
                """
                SELECT s.place_id, s.user_id, s.since
                FROM muster.place_state s JOIN muster.group_place p ON p.id = s.place_id
                WHERE p.group_id = $1 AND s.user_id <> $2 AND coalesce((s.proof ->> 'told')::boolean, s.inside)
                    AND NOT EXISTS (SELECT FROM muster.block k
                        WHERE (k.user_id, k.blocked_id) IN (($2, s.user_id), (s.user_id, $2)))
                ORDER BY s.user_id
                """,
                [.id(group), .id(user)]
            ),
        ])
        guard let text = try results[0].first?.optionalText("places") else { return [] }
        let present = try results[1].map { row in
            (
                place: GroupPlaceID(try row.int64("place_id")),
                here: GroupPlaceSight.Present(user: try row.id("user_id"), since: try row.timestamp("since"))
            )
        }
        return try GroupPlace.read(text, of: group).map { place in
            let here = present.filter { each in
                each.place == place.id && place.consent(of: each.here.user)?.includes(user) == true
            }
            return GroupPlaceSight(place, for: user, here: here.map(\.here))
        }
    }
}
