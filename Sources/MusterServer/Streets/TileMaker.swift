import EventLoop
import MusterCore
import Postgres
import Synchronization

/// Sessions of the scratch PostgreSQL of an import.
enum ScratchSession {
    /// The time limit of one statement.
    ///
    /// A copy of a large country takes an hour.
    static let timeout = Duration.seconds(86_400)

    /// Creates a session that uses its part of the memory, in megabytes.
    static func make(_ cluster: EmbeddedCluster, memory: Int) -> PostgresSession {
        PostgresSession(
            connectionString: cluster.connectionString,
            timeout: Self.timeout,
            settings: [
                "work_mem=\(max(4, memory / 4))MB", "maintenance_work_mem=\(max(16, memory / 2))MB",
                "max_parallel_workers_per_gather=0",
            ]
        )
    }
}

/// Makes the tiles of blocks on two threads with a connection each, a few blocks ahead of the reader.
///
/// The reader asks for the blocks in order.
final class TileMaker {
    private static let threads = 2
    /// The number of blocks that are made before their turn, which bounds the memory.
    private static let ahead = 8

    private typealias Tiles = [(tile: TileAddress, content: [UInt8])]

    private struct State {
        var nextBlock = 0
        var firstUnread = 0
        var made: [Int: Tiles] = [:]
        var failure: (any Error)?
        var isEnded = false
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
        let blocks: [TileBlock]
        /// Raised for the reader.
        let isMade = WakeSignal()

        init(_ blocks: [TileBlock]) { self.blocks = blocks }
    }

    private let shared: Shared
    private var workers: [WorkerThread] = []
    private var position = 0

    /// Starts the threads.
    init(_ blocks: [TileBlock], _ cluster: EmbeddedCluster, memory: Int) {
        let shared = Shared(blocks)
        self.shared = shared
        self.workers = (0..<Self.threads).map { number in
            WorkerThread(name: "tiles-\(number)") { Self.work(shared, cluster, memory) }
        }
    }

    /// Ends the threads, and waits for the blocks in work.
    func end() {
        self.shared.state.withLock { $0.isEnded = true }
        for worker in self.workers { worker.join() }
        self.workers = []
    }

    /// The next block; nil after the last one.
    var next: TileBlock? {
        self.position < self.shared.blocks.count ? self.shared.blocks[self.position] : nil
    }

    /// Returns the tiles of the next block in order, in gzip.
    func tiles(of block: TileBlock) throws -> [(tile: TileAddress, content: [UInt8])] {
        while true {
            let made = try self.shared.state.withLock { state throws -> Tiles? in
                if let failure = state.failure { throw failure }
                guard let tiles = state.made.removeValue(forKey: self.position) else { return nil }
                self.position += 1
                state.firstUnread = self.position
                return tiles
            }
            if let made { return made }
            self.shared.isMade.wait()
        }
    }

    private static func work(_ shared: Shared, _ cluster: EmbeddedCluster, _ memory: Int) {
        let session = ScratchSession.make(cluster, memory: memory)
        defer { session.close() }
        do {
            try session.connect(timeout: .seconds(30))
            while let number = try self.nextNumber(shared) {
                let tiles = try self.make(shared.blocks[number], session)
                shared.state.withLock { $0.made[number] = tiles }
                shared.isMade.raise()
            }
        } catch {
            shared.state.withLock { if $0.failure == nil { $0.failure = error } }
            shared.isMade.raise()
        }
    }

    private static func nextNumber(_ shared: Shared) throws -> Int? {
        while true {
            let (number, isOver) = shared.state.withLock { state -> (Int?, Bool) in
                guard !state.isEnded, state.failure == nil, state.nextBlock < shared.blocks.count else {
                    return (nil, true)
                }
                guard state.nextBlock < state.firstUnread + self.ahead else { return (nil, false) }
                state.nextBlock += 1
                return (state.nextBlock - 1, false)
            }
            if number != nil || isOver { return number }
            // The reader writes faster than the tiles are made, except when the disk is slow.
            WakeSignal().wait(timeoutMilliseconds: 20)
        }
    }

    private static func make(_ block: TileBlock, _ session: PostgresSession) throws -> Tiles {
        let rows = try session.execute(
            "SELECT x, y, tile FROM make_tiles($1::int, $2::int, $3::int, $4::int)",
            [block.zoom, block.outer.zoom, block.outer.x, block.outer.y].map { .int32(Int32($0)) }
        )
        let tiles = try rows.map { row -> (number: UInt64, tile: TileAddress, content: [UInt8]) in
            let (x, y) = (Int(try row.int32("x")), Int(try row.int32("y")))
            guard let tile = TileAddress(zoom: block.zoom, x: x, y: y) else {
                preconditionFailure("a block contains only tiles of its zoom")
            }
            let content = Gzip.deflated(try row.bytes("tile"))
            guard content.count <= PMTilesReader.tileLimit else {
                throw MapError(.unreadable, "the tile \(tile) has \(content.count / 1000) kB, and 1000 are the most")
            }
            return (tile.hilbertNumber, tile, content)
        }
        return tiles.sorted { $0.number < $1.number }.map { ($0.tile, $0.content) }
    }
}
