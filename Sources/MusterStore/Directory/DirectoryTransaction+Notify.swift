import MusterCore
import Postgres

extension DirectoryTransaction {
    /// Stores a notification for people, and numbers it.
    ///
    /// To be called last: it locks their accounts until the commit, and the journal waits for those. What it returns goes to
    /// the world as a publication, once the transaction is committed.
    ///
    /// - Returns: everybody's number, also of those who were told the same before; none of people who are gone or are not in
    ///   the group that it is about.
    func notify(_ content: NotificationContent, to users: [UserID]) async throws(DirectoryError) -> [NotificationNumber]
    {
        guard !users.isEmpty else { return [] }
        let records = users.map { NotificationRecord(user: $0, content: content) }
        let result = try await self.pipeline([NotifyStatement.make(records)])[0]
        return try decoding { () throws(PostgresError) in
            try NotifyStatement.numbers(in: result).map { NotificationNumber(user: users[$0.place], number: $0.number) }
        }
    }
}
