import Foundation
import MusterCore
import MusterStore
import Synchronization

/// What is kept of providers' answers, in the database; nothing while it is away, for nobody waits for it.
final class ProviderStore: Sendable {
    /// An answer that was kept.
    struct Answer: Sendable {
        let places: [ProvidedPlace]
        /// Milliseconds since it came.
        let age: Int64
    }

    private let box = Mutex<Directory?>(nil)

    /// The directory, once there is one.
    var directory: Directory? {
        get { self.box.withLock { $0 } }
        set { self.box.withLock { $0 = newValue } }
    }

    /// The answer to a question that came within the last seven days.
    func answer(to question: ProviderQuestion) async -> Answer? {
        guard let found = try? await self.directory?.providerAnswer(to: question.key),
            let places = try? JSONDecoder().decode([ProvidedPlace].self, from: Data(found.json.utf8))
        else { return nil }
        return Answer(places: places, age: found.age)
    }

    /// Keeps an answer.
    func keep(_ places: [ProvidedPlace], to question: ProviderQuestion) async {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(places) else { return }
        try? await self.directory?.keepProviderAnswer(
            String(decoding: json, as: UTF8.self),
            places: places.count,
            to: question
        )
    }

    /// Shows operators how a provider does.
    func note(_ health: ProviderHealth) {
        guard let directory = self.directory else { return }
        Task { try? await directory.noteProviderHealth(health) }
    }
}
