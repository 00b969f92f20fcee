import MusterCore
import MusterStore

/// Reads groups for the world from the directory, each in a task of its own.
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
}
