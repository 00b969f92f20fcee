import MusterCore
import Postgres

extension DirectoryTransaction {
    /// What is told, and whom.
    typealias News = (content: NotificationContent, users: [UserID])

    /// Stores notifications for people, numbers them, and commits, all in one round trip: it locks the accounts in the order of
    /// their ids, and the journal waits for those.
    ///
    /// - Returns: of each everybody's number, also of those who were told the same before; none of people who are gone or are
    ///   not in the group that it is about.
    func commit(telling news: [News]) async throws(DirectoryError) -> [[NotificationNumber]] {
        let records = news.flatMap { each in
            each.users.map { NotificationRecord(user: $0, content: each.content) }
        }
        guard !records.isEmpty else {
            try await self.commit(with: [])
            return news.map { _ in [] }
        }
        let result = try await self.commit(with: [NotifyStatement.make(records)])[0]
        let given = try decoding { () throws(PostgresError) in try NotifyStatement.numbers(in: result) }
        var first = 0
        return news.map { each in
            let places = first..<first + each.users.count
            first = places.upperBound
            return given.filter { places.contains($0.place) }
                .map { NotificationNumber(user: records[$0.place].user, number: $0.number) }
        }
    }

    /// The same, as what the world publishes.
    func commit(publishing news: [News]) async throws(DirectoryError) -> [Publication] {
        zip(news, try await self.commit(telling: news)).map { Publication(stored: $0.content, numbers: $1) }
    }
}
