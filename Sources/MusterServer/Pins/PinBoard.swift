import MusterCore
import MusterStore
import Synchronization

/// Which pins this process shows, whoever changed them: requests tell it at once, the change feed of all others.
final class PinBoard: Sendable {
    /// What is to be shown from now on.
    enum Change: Equatable {
        case put([Pin])
        case removed([PinID])
        /// All that storage holds has been read for the first time.
        case loaded
    }

    private struct State {
        var held = HeldRevisions<PinSubject>()
        var isLoaded = false
    }

    private let state = Mutex(State())
    private let show: @Sendable (Change) -> Void

    /// Begins with no pin.
    ///
    /// - Parameter show: told of each change, in order; it must not block, nor ask the board.
    init(show: @escaping @Sendable (Change) -> Void) { self.show = show }

    /// Begins with no pin, and shows pins on maps.
    convenience init(atlas: any AtlasLink) {
        // Nobody may look before all are there; each that is put until then is one of them.
        atlas.send(.loadBegan(.pins))
        self.init { change in
            switch change {
            case .put(let pins): atlas.send(.put(.pins, pins.map { TilePoint($0) }))
            case .removed(let pins): atlas.send(.removed(.pins, pins.map(\.rawValue)))
            case .loaded: atlas.send(.loadEnded(.pins))
            }
        }
    }

    /// How many pins are shown; nil until they have been read.
    var count: Int? { self.state.withLock { $0.isLoaded ? $0.held.count : nil } }

    /// Takes in a pin that was posted.
    func put(_ pin: Pin) {
        self.state.withLock { state in
            if state.held.put(pin.id, revision: pin.revision) { self.show(.put([pin])) }
        }
    }

    /// Takes out pins that were deleted.
    func remove(_ pins: [PinID]) {
        self.state.withLock { state in
            let gone = pins.filter { state.held.remove($0) }
            if !gone.isEmpty { self.show(.removed(gone)) }
        }
    }
}

// MARK: - The change feed

extension PinBoard {
    /// The board's line in the table of kinds.
    var changeKind: ChangeKind {
        ChangeKind(
            "pin",
            isKnown: { id, revision in self.state.withLock { $0.held.isKnown(PinID(id), revision: revision) } },
            readAgain: { (ids, directory) async throws(DirectoryError) in
                let ids = ids.map { PinID($0) }
                self.begin(ids)
                self.read(try await directory.pins(ids))
                self.end()
            },
            compare: { (directory) async throws(DirectoryError) in
                self.begin(nil)
                var last: PinID?
                repeat {
                    let pins = try await directory.pins(byIDAfter: last)
                    self.read(pins)
                    last = pins.last?.id
                } while last != nil
                self.end()
                self.noteLoaded()
            }
        )
    }

    private func begin(_ ids: [PinID]?) { self.state.withLock { $0.held.beginReading(of: ids) } }

    private func read(_ pins: [Pin]) {
        self.state.withLock { state in
            let news = pins.filter { state.held.read($0.id, revision: $0.revision) }
            if !news.isEmpty { self.show(.put(news)) }
        }
    }

    private func end() {
        self.state.withLock { state in
            let gone = state.held.endReading()
            if !gone.isEmpty { self.show(.removed(gone)) }
        }
    }

    private func noteLoaded() {
        self.state.withLock { state in
            guard !state.isLoaded else { return }
            state.isLoaded = true
            self.show(.loaded)
        }
    }
}
