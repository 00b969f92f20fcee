import EventLoop
import ImagingWire
import MusterCore
import MusterStore
import MusterWire

/// What somebody wants a picture of a group to be.
struct ShareWish: Sendable, Equatable {
    let group: GroupID
    let maker: UserID
    /// Whom it is about: lines go from them to the others.
    var about: UserID?
    /// Seconds that it can be seen.
    var lifetime = Share.usualLifetime
    var isNamed = true
}

/// Makes share pictures: asks the world who may be seen, has a child draw them, and keeps what it drew.
struct ShareStudio: Sendable {
    /// How often a picture is drawn anew because the group changed meanwhile.
    private static let attempts = 5
    private static let attribution = "Muster · land: Natural Earth"

    let node: ServerNode
    let world: any WorldLink
    /// Requests that want to know what a group sees.
    let sights: PendingSights
    /// Children that draw pictures.
    let imaging: ImagingPool
    /// What pictures lie on; nil when the operator names no server of tiles.
    let tiles: ShareTiles?
    let statistics: ShareStatistics
    let chat: ChatDesk

    /// Makes a picture.
    ///
    /// - Throws: `notMember`, `rateLimited`, `badRequest`, `conflict`, `unavailable`.
    func make(_ wish: ShareWish) async throws(FrameError) -> (share: Share, groupName: String) {
        let directory = try self.node.readyDirectory()
        try await self.node.ask { () async throws(DirectoryError) in
            try await directory.requirePictureMaker(wish.maker, of: wish.group)
        }
        // However often it is drawn anew, it waits once for tiles.
        let tilesBy = self.node.clock.milliseconds + (self.tiles?.patience ?? 0)
        for attempt in 0..<Self.attempts {
            // The world hears of a change a moment after its commit.
            if attempt > 0 { try? await Task.sleep(for: .milliseconds(50 << attempt)) }
            let sight = try await self.sights.sight(of: wish.group, in: self.world)
            let pictured = try self.pictured(wish, sight)
            let faces = try await self.node.ask { () async throws(DirectoryError) in
                try await directory.faces(of: pictured.map(\.user.id))
            }
            let picture = await self.onTiles(self.picture(wish, sight, pictured, faces), by: tilesBy)
            let draft = ShareDraft(
                group: wish.group,
                revision: sight.revision,
                maker: wish.maker,
                shown: pictured.map { ($0.user.id, $0.mode) },
                isNamed: wish.isNamed,
                png: try await self.draw(picture),
                lifetime: wish.lifetime
            )
            let kept = try await self.node.ask { () async throws(DirectoryError) in
                try await directory.addShare(draft)
            }
            guard let kept else { continue }
            await self.chat.noteChanged([wish.group.room], in: directory)
            return (kept, sight.name)
        }
        throw FrameError(.unavailable, message: "The group changes all the time; try again soon.", retryAfter: 1000)
    }

    /// Who is on the picture, whom it is about first.
    private func pictured(_ wish: ShareWish, _ sight: GroupSight) throws(FrameError) -> [GroupSight.Member] {
        var pictured = sight.pictured
        guard !pictured.isEmpty else {
            throw FrameError(.conflict, message: "Nobody of this group can be on a picture now.")
        }
        guard let about = wish.about else { return pictured }
        guard sight.members.contains(where: { $0.user.id == about }) else {
            throw FrameError(.badRequest, message: "about must be a member of the group.", field: "about")
        }
        guard let place = pictured.firstIndex(where: { $0.user.id == about }) else {
            throw FrameError(.conflict, message: "This member cannot be on a picture now.", field: "about")
        }
        pictured.insert(pictured.remove(at: place), at: 0)
        return pictured
    }

    private func picture(
        _ wish: ShareWish,
        _ sight: GroupSight,
        _ pictured: [GroupSight.Member],
        _ faces: [UserID: [UInt8]]
    ) -> SharePicture {
        let colours = Badge.colours(of: sight.members.map(\.user.id))
        return SharePicture(
            title: sight.name,
            people: pictured.compactMap { member in
                guard let place = SharePicture.Place(member) else { return nil }
                let face = faces[member.user.id] ?? []
                return SharePicture.Person(
                    name: member.user.name,
                    initials: Badge.initials(of: member.user.name),
                    colour: colours[member.user.id] ?? Badge.colours[0],
                    face: face.count <= SharePicture.longestFace ? face : [],
                    place: place,
                    age: Int(max(0, sight.at - (member.position.at ?? sight.at)) / 1000)
                )
            },
            about: wish.about == nil ? nil : 0,
            isNamed: wish.isNamed,
            madeAt: Int(sight.at.milliseconds),
            attribution: Self.attribution
        )
    }

    /// The picture with those tiles below it that come in time.
    private func onTiles(_ picture: SharePicture, by deadline: Int64) async -> SharePicture {
        guard let tiles else { return picture }
        var picture = picture
        for found in await tiles.find(ShareMap(showing: picture.people.map(\.place)).tiles, by: deadline) {
            self.statistics.note(found.result)
            if !found.file.isEmpty { picture.tiles.append(SharePicture.Tile(found.tile, file: found.file)) }
        }
        picture.tileAttribution = "Muster · \(tiles.attribution)"
        return picture
    }

    private func draw(_ picture: SharePicture) async throws(FrameError) -> [UInt8] {
        do throws(ImagingFailure) {
            return try await self.imaging.draw(picture)
        } catch {
            // Whoever asked gave nothing that could be wrong.
            throw (error == .busy ? error : .unavailable).frameError(field: "picture")
        }
    }
}

extension SharePicture.Place {
    /// Where the group sees a member; nil when it sees them nowhere.
    fileprivate init?(_ member: GroupSight.Member) {
        guard let point = member.position.coordinate else { return nil }
        switch member.mode {
        case .paused: return nil
        case .approximate: self = .cell(latitude: point.latitude, longitude: point.longitude)
        case .live:
            let accuracy = min(Double(member.position.accuracy ?? 0), SharePicture.worstAccuracy)
            self = .exact(latitude: point.latitude, longitude: point.longitude, accuracy: accuracy)
        }
    }
}
