import EventLoop
import MusterCore
import MusterStore
import MusterWire
import Synchronization

/// Puts people's words about sharing into force and into storage.
///
/// Who wants to be seen less is seen less at once, and stays so whatever becomes of storage: what it could not take is
/// stored again and again, until it is, or a later word of that person stands.
final class SharingKeeper: Sendable {
    private let world: any WorldLink
    /// Words to store, by what they replace; nil while nothing stores them.
    private let unstored = Mutex<[SharingWord.Subject: SharingWord]?>(nil)

    /// Creates a keeper of which nothing waits.
    init(world: any WorldLink) { self.world = world }

    /// Puts words of one person about one group, or every group, into force and stores them together.
    ///
    /// - Throws: what storage says against it. A narrower sharing is in force all the same when storage is away.
    /// - Returns: what the world must know before they are answered.
    func keep(_ words: [SharingWord], _ services: any RequestServices) async throws(FrameError) -> [WorldInput] {
        let narrow = words.filter(\.isNarrow)
        for word in narrow { self.world.send(.sharingNarrowed(word)) }
        do throws(FrameError) {
            return try await self.store(words, services)
        } catch {
            guard !narrow.isEmpty else { throw error }
            guard error.mayPass else {
                for word in narrow { self.world.send(.sharingSettled(word)) }
                throw error
            }
            for word in narrow { self.storeLater(word, services) }
            var error = FrameError.storageAway
            error.message = "Others see no more than this from now on, but it is not stored yet; try again soon."
            throw error
        }
    }

    private func store(
        _ words: [SharingWord],
        _ services: any RequestServices
    ) async throws(FrameError) -> [WorldInput] {
        let directory = try services.readyDirectory()
        do throws(DirectoryError) {
            let groups = try await directory.setSharing(words)
            // Behind what storage says now: the words limit what it said before.
            return groups.map { .groupChanged($0, answer: nil) } + words.map { .sharingSettled($0) }
        } catch {
            throw services.frameError(error)
        }
    }

    private func storeLater(_ word: SharingWord, _ services: any RequestServices) {
        let isFirst = self.unstored.withLock { unstored in
            let isFirst = unstored == nil
            unstored = (unstored ?? [:]).merging([word.subject: word]) { $0.id > $1.id ? $0 : $1 }
            return isFirst
        }
        if isFirst { Task { await self.storeAll(services) } }
    }

    /// Stores what waits, in the order in which it was said, until nothing does.
    private func storeAll(_ services: any RequestServices) async {
        var backoff = Backoff(shortest: 250, longest: 5000)
        while true {
            try? await Task.sleep(for: .milliseconds(backoff.fail()))
            let words = self.unstored.withLock { $0?.values.sorted { $0.id < $1.id } ?? [] }
            for word in words {
                var inputs: [WorldInput]
                do throws(FrameError) {
                    inputs = try await self.store([word], services)
                    backoff.succeed()
                } catch {
                    // What one word waits for keeps no other one back.
                    if error.mayPass { continue }
                    inputs = [.sharingSettled(word)]
                }
                self.world.send(contentsOf: &inputs)
                self.unstored.withLock { unstored in
                    if unstored?[word.subject] == word { unstored?[word.subject] = nil }
                }
            }
            let isDone = self.unstored.withLock { unstored in
                if unstored?.isEmpty == true { unstored = nil }
                return unstored == nil
            }
            if isDone { return }
        }
    }
}

extension FrameError {
    /// Whether the same may succeed later.
    fileprivate var mayPass: Bool { self.code == .unavailable || self.code == .internal }
}
