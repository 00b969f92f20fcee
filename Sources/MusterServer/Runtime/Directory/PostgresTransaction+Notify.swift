import MusterCore
import Postgres

extension PostgresTransaction {
    /// A notification and its recipients.
    typealias AddressedNotification = (content: NotificationContent, users: [UserID])

    /// Stores and numbers notifications, and commits, in one round trip.
    ///
    /// One round trip, because the statement locks the accounts in the order of their ids, and the journal waits for
    /// those locks.
    ///
    /// - Returns: for each notification the number of each recipient, also when an equal one was stored before. Deleted
    ///   users and former members of the notification's group have no number.
    func commit(notifying notifications: [AddressedNotification]) async throws -> [[NotificationNumber]] {
        let records = notifications.flatMap { each in
            each.users.map { NotificationRecord(user: $0, content: each.content) }
        }
        guard !records.isEmpty else {
            try await self.commit(with: [])
            return notifications.map { _ in [] }
        }
        let result = try await self.commit(with: [NotifyStatement.make(records)])[0]
        let given = try NotifyStatement.numbers(in: result)
        var first = 0
        return notifications.map { each in
            let places = first..<first + each.users.count
            first = places.upperBound
            return given.filter { places.contains($0.place) }
                .map { NotificationNumber(user: records[$0.place].user, number: $0.number) }
        }
    }

    /// The same, with the result as publications for the world.
    func commit(publishing notifications: [AddressedNotification]) async throws -> [Publication] {
        zip(notifications, try await self.commit(notifying: notifications)).map {
            Publication(stored: $0.content, numbers: $1)
        }
    }
}
