import MusterCore
import Postgres

extension Directory {
    /// Returns the number of a user's devices that can be asked for a position without a session.
    ///
    /// - Throws: `unavailable`.
    func devicesWithoutSession(of user: UserID, hasPush: Bool) async throws -> Int {
        let apps = PhoneApp.allCases.filter(\.answersLocate).map(\.rawValue)
        let result = try await self.query(
            """
            SELECT (SELECT count(*) FROM muster.device_token WHERE user_id = $1 AND app::text = ANY($2))
                + (SELECT count(*) FROM muster.push_target WHERE user_id = $1 AND disabled_at IS NULL AND $3) AS devices
            """,
            [.id(user), .textArray(apps), .bool(hasPush)]
        )
        return try Int(result.first?.int64("devices") ?? 0)
    }
}
