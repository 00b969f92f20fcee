import Foundation
import MusterCore
import Synchronization

/// The cache of providers' answers in the database.
///
/// It is empty while the database is unavailable, because no query waits for it.
final class ProviderStore: Sendable {
    /// A cached answer.
    struct Answer: Sendable {
        let places: [ProvidedPlace]
        /// Milliseconds since the answer arrived.
        let age: Int64
    }

    private let box = Mutex<Directory?>(nil)

    /// The directory; nil until it is available.
    var directory: Directory? {
        get { self.box.withLock { $0 } }
        set { self.box.withLock { $0 = newValue } }
    }

    /// The cached answer to a question, if it arrived within the last seven days.
    func answer(to question: ProviderQuestion) async -> Answer? {
        guard let found = try? await self.directory?.providerAnswer(to: question.key),
            let places = try? JSONDecoder().decode([ProvidedPlace].self, from: Data(found.json.utf8))
        else { return nil }
        return Answer(places: places, age: found.age)
    }

    /// Caches an answer.
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

    /// Stores the health of a provider for operators.
    func note(_ health: ProviderHealth) {
        guard let directory = self.directory else { return }
        Task { try? await directory.noteProviderHealth(health) }
    }
}
