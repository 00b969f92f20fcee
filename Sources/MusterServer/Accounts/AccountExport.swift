import MusterCore
import MusterWire
import Postgres

// The export is one JSON object: the profile, the lists of `PersonalData.all`, and `gpx`, the user's track as a GPX 1.1
// document in a string. It is produced page by page, with one query for each page. A client that reads slowly therefore
// holds no connection, and no more memory than a page. Concurrent changes may or may not be included; nothing is
// included twice.

/// The personal data of a user as consecutive pieces of one JSON text.
struct AccountExport: Sendable {
    private enum Step {
        case head
        /// The next page of a list; `lists` names them in order.
        case list(Int, cursor: [Int64], isFirst: Bool)
        case track(cursor: [Int64], last: TrackEnd?)
        case end
    }

    /// The end of the track so far.
    private struct TrackEnd {
        var day: Int64
        var microseconds: Int64
    }

    /// The number of rows in a page.
    private static let pageRows = 500
    private static let dayMicroseconds: Int64 = 86_400_000_000
    /// Two points with a longer gap between them are not joined by a line: 10 min.
    private static let longestGap: Int64 = 600_000_000

    private static let lists: [(name: String, query: PagedQuery)] = PersonalData.all.compactMap { data in
        switch data.export {
        case .nothing: nil
        case .list(let name, let query): (name, query)
        }
    }

    private let directory: Directory
    private let user: UserID
    private var step = Step.head

    init(directory: Directory, user: UserID) {
        self.directory = directory
        self.user = user
    }

    /// Returns the next piece; nil after the last one.
    ///
    /// - Throws: `notFound` when the account is deleted, `unavailable`.
    mutating func next() async throws -> String? {
        switch self.step {
        case .head:
            self.step = Self.beginning(ofList: 0)
            return try await self.head()
        case .list(let index, let cursor, let isFirst):
            return try await self.page(ofList: index, behind: cursor, isFirst: isFirst)
        case .track(let cursor, let last):
            return try await self.track(behind: cursor, last)
        case .end:
            return nil
        }
    }

    private static func beginning(ofList index: Int) -> Step {
        index < self.lists.count
            ? .list(index, cursor: self.lists[index].query.start, isFirst: true)
            : .track(cursor: PersonalData.trackPoints.start, last: nil)
    }

    private func head() async throws -> String {
        let result = try await self.directory.query(
            """
            SELECT json_build_object('id', id::text, 'username', username, 'name', name, 'avatar', avatar,
                'at', (extract(epoch FROM created_at) * 1000)::bigint)::text AS item
            FROM muster.account WHERE id = $1
            """,
            [.id(self.user)]
        )
        guard let row = result.first else { throw FrameError(.notFound, message: "There is no such account.") }
        let profile = try row.text("item")
        return #"{"exportedAt":\#(self.directory.now.milliseconds),"profile":\#(profile)"#
    }

    private mutating func page(
        ofList index: Int,
        behind cursor: [Int64],
        isFirst: Bool
    ) async throws -> String {
        let (name, query) = Self.lists[index]
        let rows = try await self.rows(of: query, behind: cursor)
        var text = isFirst ? #","\#(name)":["# : ""
        for (number, row) in rows.enumerated() {
            if number > 0 || !isFirst { text += "," }
            text += row.item
        }
        if let last = rows.last, rows.count == Self.pageRows {
            self.step = .list(index, cursor: last.cursor, isFirst: false)
        } else {
            text += "]"
            self.step = Self.beginning(ofList: index + 1)
        }
        return text
    }

    private mutating func track(behind cursor: [Int64], _ last: TrackEnd?) async throws -> String {
        let rows = try await self.rows(of: PersonalData.trackPoints, behind: cursor)
        let isFirst = cursor == PersonalData.trackPoints.start
        var gpx = isFirst ? Self.trackHead : ""
        var end = last
        for row in rows {
            let time = row.cursor[0]
            let day = time / Self.dayMicroseconds
            if let end, end.day == day {
                if time - end.microseconds > Self.longestGap { gpx += "</trkseg><trkseg>\n" }
            } else {
                gpx += (end == nil ? "" : "</trkseg></trk>\n") + "<trk><trkseg>\n"
            }
            gpx += row.item + "\n"
            end = TrackEnd(day: day, microseconds: time)
        }
        let text =
            (isFirst ? #","gpx":""# : "") + gpx.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        if let last = rows.last, rows.count == Self.pageRows {
            self.step = .track(cursor: last.cursor, last: end)
            return text
        }
        self.step = .end
        return text + (end == nil ? "" : "</trkseg></trk>\\n") + "</gpx>\"}\n"
    }

    /// The GPX document up to the first point.
    private static let trackHead =
        #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
        + #"<gpx version="1.1" creator="Muster" xmlns="http://www.topografix.com/GPX/1/1">"# + "\n"

    private func rows(
        of query: PagedQuery,
        behind cursor: [Int64]
    ) async throws -> [(cursor: [Int64], item: String)] {
        let result = try await self.directory.query(
            query.sql,
            [.id(self.user), .int64Array(cursor), .int64(Int64(Self.pageRows))]
        )
        return try result.map { row in
            (try row.int64Array("cursor").compactMap { $0 }, try row.text("item"))
        }
    }
}

extension Directory {
    /// Creates an export of a user's data; no query runs before the first piece is read.
    func export(of user: UserID) -> AccountExport { AccountExport(directory: self, user: user) }
}
