import MusterCore
import Postgres

extension Directory {
    /// Returns the number of a user's devices that can be asked for a position without a session: push targets, and
    /// phones whose own app obeys such a request.
    ///
    /// - Throws: `unavailable`.
    func devicesWithoutSession(of user: UserID, hasPush: Bool) async throws -> Int {
        let apps = PhoneApp.allCases.filter(\.answersLocate).map(\.rawValue)
        let result = try await self.query(
            "SELECT count(*) AS devices FROM muster.device_token WHERE user_id = $1 AND app::text = ANY($2)",
            [.id(user), .textArray(apps)]
        )
        let phones = try Int(result.first?.int64("devices") ?? 0)
        return hasPush ? phones + (try await self.pushTargetCount(of: user)) : phones
    }
}
