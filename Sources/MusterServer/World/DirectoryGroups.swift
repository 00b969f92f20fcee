import MusterCore
import MusterStore
import MusterWire

/// Reads groups, inboxes and spots for the world from the directory, each in a task of its own.
struct DirectoryGroups: GroupSource {
    let directory: Directory
    let world: any WorldLink

    func load(_ group: GroupID) {
        self.read(.groupLoadFailed(group)) { (directory) throws(DirectoryError) in
            .groupLoaded(try await directory.loadGroup(group))
        }
    }

    func readNotifications(of user: UserID) {
        self.read(.notificationsReadFailed(user)) { (directory) throws(DirectoryError) in
            let inbox = try await directory.inbox(of: user)
            return .notificationsRead(user, inbox.unseen, upTo: inbox.lastNumber)
        }
    }

    func readSpots(_ reading: SpotReading) {
        self.read(.spotsReadFailed(reading)) { (directory) throws(DirectoryError) in
            .spotsRead(reading, try await directory.spots(missedBy: reading).map { SpotNews($0) })
        }
    }

    func countVotes(on spots: [SpotID]) {
        self.read(.votesNotCounted(spots)) { (directory) throws(DirectoryError) in
            .votesCounted(spots, try await directory.votes(on: spots))
        }
    }

    func readTexts(of spots: [SpotID]) {
        self.read(.spotTextsNotRead(spots)) { (directory) throws(DirectoryError) in
            .spotTextsRead(spots, try await directory.texts(of: spots))
        }
    }

    /// Tells the world what `body` reads, or `failure` when it cannot.
    private func read(
        _ failure: WorldInput,
        _ body: @escaping @Sendable (Directory) async throws(DirectoryError) -> WorldInput
    ) {
        Task {
            do throws(DirectoryError) {
                self.world.send(try await body(self.directory))
            } catch {
                self.world.send(failure)
            }
        }
    }
}
