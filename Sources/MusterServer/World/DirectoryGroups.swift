import MusterCore
import MusterStore

/// Reads groups and inboxes for the world from the directory, each in a task of its own.
struct DirectoryGroups: GroupSource {
    let directory: Directory
    let world: any WorldLink

    func load(_ group: GroupID) {
        Task {
            do throws(DirectoryError) {
                self.world.send(.groupLoaded(try await self.directory.loadGroup(group)))
            } catch {
                self.world.send(.groupLoadFailed(group))
            }
        }
    }

    func readNotifications(of user: UserID) {
        Task {
            do throws(DirectoryError) {
                let inbox = try await self.directory.inbox(of: user)
                self.world.send(.notificationsRead(user, inbox.unseen, upTo: inbox.lastNumber))
            } catch {
                self.world.send(.notificationsReadFailed(user))
            }
        }
    }
}
