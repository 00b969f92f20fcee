import EventLoop
import ImagingWire
import MusterCore
import MusterWire

/// A request for a picture of a group.
struct SharePictureRequest: Sendable, Equatable {
    let group: GroupID
    let maker: UserID
    /// The member in focus; lines go from this member to the others.
    var about: UserID?
    /// The lifetime of the picture, in seconds.
    var lifetime = Share.usualLifetime
    var isNamed = true
}

/// Creates share pictures: asks the world for the visible members, draws them in a child process, and stores the
/// result.
struct SharePictureRenderer: Sendable {
    /// The maximum number of attempts to draw a picture while the group changes.
    private static let attempts = 5
    private static let attribution = "Muster · land: Natural Earth"

    let node: ServerNode
    let world: any WorldLink
    /// Requests that wait for the visibility snapshot of a group.
    let sights: PendingAnswers<GroupVisibility>
    /// The child processes that draw pictures.
    let imaging: ImagingPool
    /// The map tiles below pictures; nil when the operator configured no tile server.
    let tiles: ShareTiles?
    /// The streets below pictures without map tiles.
    let streets: ShareStreets
    let statistics: ShareStatistics
    let router: ChangeRouter

    /// Creates a picture.
    ///
    /// - Throws: `notMember`, `rateLimited`, `badRequest`, `conflict`, `unavailable`.
    func make(_ request: SharePictureRequest) async throws -> (share: Share, groupName: String) {
        let directory = try self.node.readyDirectory()
        try await directory.requirePictureMaker(request.maker, of: request.group)
        // All attempts together wait only once for tiles.
        let tilesBy = self.node.clock.milliseconds + (self.tiles?.timeout ?? 0)
        for attempt in 0..<Self.attempts {
            // The world receives a change a moment after its commit.
            if attempt > 0 { try? await Task.sleep(for: .milliseconds(50 << attempt)) }
            let visibility = try await self.sights.answer { self.world.send(.groupViewRequested($0, request.group)) }
            let pictured = try self.pictured(request, visibility)
            let faces = try await directory.faces(of: pictured.map(\.user.id))
            let picture = await self.onTiles(self.picture(request, visibility, pictured, faces), by: tilesBy)
            let draft = ShareDraft(
                group: request.group,
                revision: visibility.revision,
                maker: request.maker,
                shown: pictured.map { ($0.user.id, $0.mode) },
                isNamed: request.isNamed,
                png: try await self.draw(picture),
                lifetime: request.lifetime
            )
            let kept = try await directory.addShare(draft)
            guard let kept else { continue }
            await self.router.apply(kept.changes)
            return (kept.value, visibility.name)
        }
        throw FrameError(
            .unavailable,
            message: "The group changed while the picture was drawn; try again soon.",
            retryAfter: 1000
        )
    }

    /// The members on the picture; the member in focus comes first.
    private func pictured(
        _ request: SharePictureRequest,
        _ visibility: GroupVisibility
    ) throws(FrameError) -> [GroupVisibility.Member] {
        var pictured = visibility.pictured
        guard !pictured.isEmpty else {
            throw FrameError(.conflict, message: "No member of this group can be shown on a picture now.")
        }
        guard let about = request.about else { return pictured }
        guard visibility.members.contains(where: { $0.user.id == about }) else {
            throw FrameError(.badRequest, message: "about must be a member of the group.", field: "about")
        }
        guard let place = pictured.firstIndex(where: { $0.user.id == about }) else {
            throw FrameError(.conflict, message: "This member cannot be shown on a picture now.", field: "about")
        }
        pictured.insert(pictured.remove(at: place), at: 0)
        return pictured
    }

    private func picture(
        _ request: SharePictureRequest,
        _ visibility: GroupVisibility,
        _ pictured: [GroupVisibility.Member],
        _ faces: [UserID: [UInt8]]
    ) -> SharePicture {
        SharePicture(
            title: visibility.name,
            people: pictured.compactMap { member in
                guard let place = SharePicture.Place(member) else { return nil }
                let face = faces[member.user.id] ?? []
                return SharePicture.Person(
                    name: member.user.name,
                    initials: Badge.initials(of: member.user.name),
                    colour: Badge.colour(of: member.user.id),
                    face: face.count <= SharePicture.longestFace ? face : [],
                    place: place,
                    age: Int(max(0, visibility.at - (member.position.at ?? visibility.at)) / 1000)
                )
            },
            about: request.about == nil ? nil : 0,
            isNamed: request.isNamed,
            madeAt: Int(visibility.at.milliseconds),
            attribution: Self.attribution
        )
    }

    /// The picture with the map tiles that arrive before the deadline, or with the streets of the imported map.
    private func onTiles(_ picture: SharePicture, by deadline: Int64) async -> SharePicture {
        guard let tiles else { return await self.streets.add(to: picture) }
        var picture = picture
        for found in await tiles.find(ShareMap(showing: picture.people.map(\.place)).tiles, by: deadline) {
            self.statistics.note(found.result)
            if !found.file.isEmpty { picture.tiles.append(SharePicture.Tile(found.tile, file: found.file)) }
        }
        picture.tileAttribution = "Muster · \(tiles.attribution)"
        return picture
    }

    private func draw(_ picture: SharePicture) async throws -> [UInt8] {
        do throws(ImagingFailure) {
            return try await self.imaging.draw(picture)
        } catch {
            // The client sent nothing that could be invalid.
            throw (error == .busy ? error : .unavailable).frameError(field: "picture")
        }
    }
}

extension SharePicture.Place {
    /// The visible place of a member; nil when the group sees none.
    fileprivate init?(_ member: GroupVisibility.Member) {
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

extension FrameError {
    /// The error when the visibility snapshot of a group is not available.
    static let groupUnseen = FrameError(
        .unavailable,
        message: "The positions of the group are not available now; try again soon.",
        retryAfter: 1000
    )
}
