import Foundation
import MusterCore
import Postgres

// Places are read with the snapshot of their group, as one JSON text: most groups have none.

extension GroupPlace {
    /// The places of `muster.grp g` with all choices, as a JSON array; NULL for a group without places.
    static let column = """
        (SELECT jsonb_agg(jsonb_build_object('id', p.id::text, 'name', p.name, 'icon', p.icon, 'lat', p.lat,
                'lon', p.lon, 'radius', p.radius, 'by', coalesce(p.created_by, (SELECT w.user_id
                    FROM muster.membership w WHERE w.group_id = p.group_id AND w.role = 'owner'))::text,
                'revision', p.revision,
                'consents', coalesce((SELECT jsonb_agg(jsonb_build_object('user', c.user_id::text,
                        'everybody', c.everybody, 'at', (extract(epoch FROM c.at) * 1000)::bigint,
                        'receivers', coalesce((SELECT jsonb_agg(r.receiver_id::text ORDER BY r.receiver_id)
                            FROM muster.place_receiver r
                            WHERE r.place_id = c.place_id AND r.user_id = c.user_id), '[]')) ORDER BY c.user_id)
                    FROM muster.place_consent c WHERE c.place_id = p.id), '[]'),
                'muted', coalesce((SELECT jsonb_agg(t.user_id::text ORDER BY t.user_id)
                    FROM muster.place_mute t WHERE t.place_id = p.id), '[]')) ORDER BY p.id)
            FROM muster.group_place p WHERE p.group_id = g.id)::text
        """

    private struct Line: Decodable {
        struct Choice: Decodable {
            var user: UserID
            var everybody: Bool
            var at: Int64
            var receivers: [UserID]
        }

        var id: GroupPlaceID
        var name: String
        var icon: Icon
        var lat: Double
        var lon: Double
        var radius: Double
        var by: UserID?
        var revision: Int64
        var consents: [Choice]
        var muted: [UserID]
    }

    /// Reads the value of `column`.
    static func read(_ text: String, of group: GroupID) throws -> [GroupPlace] {
        try JSONDecoder().decode([Line].self, from: Data(text.utf8)).map { line in
            GroupPlace(
                id: line.id,
                group: group,
                name: line.name,
                icon: line.icon,
                coordinate: Coordinate(latitude: line.lat, longitude: line.lon),
                radius: line.radius,
                by: line.by,
                revision: line.revision,
                consents: line.consents.map {
                    Consent(
                        user: $0.user,
                        everybody: $0.everybody,
                        receivers: $0.receivers,
                        at: Timestamp(milliseconds: $0.at)
                    )
                },
                muted: line.muted
            )
        }
    }
}
