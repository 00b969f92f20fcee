import Postgres

/// SQL conditions for the visibility of data to a user, in any frame or answer.
///
/// Invisible data is treated as nonexistent. Parameters are SQL expressions of ids.
///
/// Where they are parameters of the statement and not columns, PostgreSQL evaluates the condition before it looks for
/// the row. So an answer about invisible data takes as long as one about nonexistent data.
enum VisibilityCondition {
    /// Whether the existence of `person` is visible to `user`.
    static func person(_ person: String, _ user: String) -> String {
        """
        (\(person) = \(user)
            OR EXISTS (SELECT FROM muster.membership vx JOIN muster.membership vy ON vy.group_id = vx.group_id
                WHERE vx.user_id = \(user) AND vy.user_id = \(person))
            OR EXISTS (SELECT FROM muster.spot vs WHERE vs.author_id = \(person))
            OR EXISTS (SELECT FROM muster.pin vp WHERE vp.user_id = \(person))
            OR EXISTS (SELECT FROM muster.event e WHERE e.host_id = \(person)
                AND \(PostgresTransaction.mayFindEvent(user)))
            OR EXISTS (SELECT FROM muster.event_guest vg JOIN muster.event e ON e.id = vg.event_id
                WHERE vg.user_id = \(person) AND vg.rsvp <> 'removed' AND (e.host_id = \(user)
                    OR EXISTS (SELECT FROM muster.event_guest vo WHERE vo.event_id = e.id AND vo.user_id = \(user)
                        AND vo.rsvp IN ('yes', 'maybe', 'waiting'))))
            OR EXISTS (SELECT FROM muster.room_member vb
                JOIN muster.message vm ON vm.room_id = vb.room_id AND vm.seq >= vb.from_seq
                WHERE vb.user_id = \(user) AND vm.author_id = \(person))
            OR EXISTS (SELECT FROM muster.gathering_member vt JOIN muster.gathering vh ON vh.id = vt.gathering_id
                JOIN muster.membership vk ON vk.group_id = vh.group_id AND vk.user_id = \(user)
                WHERE vt.user_id = \(person) AND vt.took_part AND coalesce(vh.ended_at, 'infinity') > vk.joined_at)
            OR EXISTS (SELECT FROM muster.plan_share vl
                JOIN muster.membership vk ON vk.group_id = vl.group_id AND vk.user_id = \(user)
                WHERE vl.user_id = \(person))
            OR EXISTS (SELECT FROM muster.share vr JOIN muster.share_member vw ON vw.share_id = vr.id
                WHERE vr.maker_id = \(person) AND vw.user_id = \(user))
            OR EXISTS (SELECT FROM muster.notification vn WHERE vn.user_id = \(user) AND (vn.from_id = \(person)
                OR vn.payload -> 'together' @> jsonb_build_array(jsonb_build_object('id', (\(person))::text))))
            OR EXISTS (SELECT FROM muster.block vq WHERE vq.user_id = \(user) AND vq.blocked_id = \(person)))
        """
    }

    /// Whether `person` made the invite with the code `invite`; its preview shows them to each holder of the code.
    static func inviter(_ person: String, _ invite: String) -> String {
        "EXISTS (SELECT FROM muster.invite vi WHERE vi.code = \(invite) AND vi.created_by = \(person))"
    }

    /// Whether `photo` is visible to `user`.
    ///
    /// The conditions are evaluated for id 0, which nothing has, where there is no such photo or no such use.
    static func photo(_ photo: String, _ user: String) -> String {
        """
        EXISTS (SELECT FROM (SELECT \(photo)) vk (id)
            LEFT JOIN muster.photo vp ON vp.id = vk.id
            LEFT JOIN muster.photo_use vu ON vu.photo_id = vk.id
            WHERE vp.user_id = \(user) OR vu.spot_id IS NOT NULL
                OR \(Self.person("coalesce(vu.face_of, 0)", user))
                OR EXISTS (SELECT FROM muster.event e WHERE e.id = coalesce(vu.event_id, 0)
                    AND \(PostgresTransaction.mayFindEvent(user)))
                OR EXISTS (SELECT FROM muster.room_member vb WHERE vb.room_id = coalesce(vu.room_id, 0)
                    AND vb.user_id = \(user) AND vu.message_seq >= vb.from_seq))
        """
    }

    /// The query for a user whom another may report or block: `$1` the user, `$2` the other, `$3` the code of an invite.
    static let visiblePerson = """
        SELECT a.id, a.name FROM muster.account a
        WHERE a.id = $1 AND (\(Self.person("$1", "$2")) OR \(Self.inviter("$1", "$3")))
        """

    /// The query for a photo that a user may report: `$1` the photo, `$2` the user.
    static let visiblePhoto = """
        SELECT p.user_id, NULL FROM muster.photo p WHERE p.id = $1 AND \(Self.photo("$1", "$2"))
        """
}
