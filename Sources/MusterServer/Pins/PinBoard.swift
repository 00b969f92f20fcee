import MusterCore
import MusterStore
import Synchronization

/// The pins that this process shows.
///
/// Requests report their changes at once; the change feed reports all others.
final class PinBoard: Sendable {
    /// A change of the pins to show.
    enum Change: Equatable {
        case put([Pin])
        case removed([PinID])
        /// All pins in storage have been read for the first time.
        case loaded
    }

    private struct State {
        var held = HeldRevisions<PinSubject>()
        var isLoaded = false
    }

    private let state = Mutex(State())
    private let show: @Sendable (Change) -> Void

    /// Creates an empty board.
    ///
    /// - Parameter show: called for each change, in order; it must neither block nor call the board.
    init(show: @escaping @Sendable (Change) -> Void) { self.show = show }

    /// Creates an empty board that shows its pins on maps.
    convenience init(atlas: any AtlasLink) {
        // Viewers wait until all pins are loaded; pins that are put until then belong to the load.
        atlas.send(.loadBegan(.pins))
        self.init { change in
            switch change {
            case .put(let pins): atlas.send(.put(.pins, pins.map { TilePoint($0) }))
            case .removed(let pins): atlas.send(.removed(.pins, pins.map(\.rawValue)))
            case .loaded: atlas.send(.loadEnded(.pins))
            }
        }
    }

    /// The number of pins; nil until they have been read.
    var count: Int? { self.state.withLock { $0.isLoaded ? $0.held.count : nil } }

    /// Adds a pin that was posted.
    func put(_ pin: Pin) {
        self.state.withLock { state in
            if state.held.put(pin.id, revision: pin.revision) { self.show(.put([pin])) }
        }
    }

    /// Removes pins that were deleted.
    func remove(_ pins: [PinID]) {
        self.state.withLock { state in
            let gone = pins.filter { state.held.remove($0) }
            if !gone.isEmpty { self.show(.removed(gone)) }
        }
    }
}

// MARK: - The change feed

extension PinBoard {
    /// The entry of pins in the table of change kinds.
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
