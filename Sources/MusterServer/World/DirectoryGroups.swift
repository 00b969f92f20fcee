import MusterCore
import MusterStore
import MusterWire

/// Reads groups, inboxes and spots for the world from the directory, each in a task of its own.
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

    func readSpots(_ reading: SpotReading) {
        Task {
            do throws(DirectoryError) {
                let spots = try await self.directory.spots(missedBy: reading)
                self.world.send(.spotsRead(reading, spots.map { SpotNews($0) }))
            } catch {
                self.world.send(.spotsReadFailed(reading))
            }
        }
    }

    func countVotes(on spots: [SpotID]) {
        Task {
            do throws(DirectoryError) {
                self.world.send(.votesCounted(spots, try await self.directory.votes(on: spots)))
            } catch {
                self.world.send(.votesNotCounted(spots))
            }
        }
    }

    func readTexts(of spots: [SpotID]) {
        Task {
            do throws(DirectoryError) {
                self.world.send(.spotTextsRead(spots, try await self.directory.texts(of: spots)))
            } catch {
                self.world.send(.spotTextsNotRead(spots))
            }
        }
    }
}
