import EventLoop
import Foundation
import ImagingWire
import MusterCore
import MusterWire
import WebSocketGateway

/// Photos over HTTP (public/docs/protocol.md#spots-and-photos).
struct PhotoRoutes: Sendable {
    /// The maximum size of an upload, in bytes.
    static let uploadLimit = 8_388_608

    private let node: ServerNode
    /// The child processes that decode pictures.
    private let imaging: ImagingPool
    /// Limits the rate of uploads by user.
    private let meter = RateMeter<UserID>(.photo)
    /// Bounds the memory of concurrent uploads.
    private let uploads = UploadBudget()
    /// Limits the concurrent reads of photos; one address may have half of them.
    private let readLimit: ConcurrencyLimit<String>

    init(_ node: ServerNode, _ imaging: ImagingPool) {
        self.node = node
        self.imaging = imaging
        let reads = node.configuration.poolSize
        self.readLimit = ConcurrencyLimit(max(1, reads / 2), share: max(1, reads / 4))
    }

    /// The routes of the table.
    var routes: [Route] {
        [
            Route(
                .post,
                "/v1/photos",
                access: .login(self.node),
                body: .sink(limit: Self.uploadLimit),
                handler: self.upload
            ),
            Route(.get, "/v1/photos/{id}", access: .anybody) { request in
                try await self.file(.picture, request)
            },
            Route(.get, "/v1/photos/{id}/thumb", access: .anybody) { request in
                try await self.file(.thumbnail, request)
            },
        ]
    }

    // MARK: - Uploads

    private func upload(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let shape = try Self.shape(request)
        try self.meter.charge(1, to: user, now: self.node.clock.milliseconds)
        let pictures = try await self.pictures(of: request, shape, user)
        guard pictures.count == 2, let picture = pictures.first, let thumbnail = pictures.last else {
            throw ImagingFailure.unavailable.frameError(field: Self.field)
        }
        let draft = PhotoDraft(
            shape: shape,
            width: picture.width,
            height: picture.height,
            picture: picture.bytes,
            thumbnail: thumbnail.bytes
        )
        let photo = try await directory.addPhoto(draft, by: user)
        return .json(PhotoView(photo, withID: true), status: 201)
    }

    /// The name of an upload's body in errors.
    private static let field = "photo"

    private static func shape(_ request: RouteRequest) throws(FrameError) -> Photo.Shape {
        switch request.query("use") {
        case nil: return .photo
        case "avatar"?: return .face
        case _: throw FrameError(.badRequest, message: "use must be avatar or absent.", field: "use")
        }
    }

    /// Reads the body, keeps it only as long as a child works on it, and returns the pictures.
    private func pictures(
        of request: RouteRequest,
        _ shape: Photo.Shape,
        _ user: UserID
    ) async throws -> [Picture] {
        let upload = try self.uploads.begin(by: user)
        defer { upload.end() }
        var bytes: [UInt8] = []
        while let piece = try await request.readBody() {
            try upload.reserve(piece.count)
            bytes += piece
        }
        do throws(ImagingFailure) {
            return try await self.imaging.make(shape.operation, of: bytes)
        } catch {
            throw error.frameError(field: Self.field)
        }
    }

    // MARK: - Files

    private func file(_ size: PhotoFile.Size, _ request: RouteRequest) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        // The answer does not reveal whether such a photo exists.
        let unknown = FrameError(.notFound, message: "There is no such photo.")
        guard let photo = PhotoID(request.parameter("id")), let key = request.query("k") else { throw unknown }
        let file: PhotoFile
        do {
            // An address that stands for many clients has no share of its own, so the key of the limit is the photo.
            let reader = self.node.strangerAddress(of: request.base) ?? "\(photo.rawValue)"
            file = try await self.readLimit.run(for: reader) {
                try await directory.photoFile(photo, key: key, size)
            }
        } catch let error as FrameError where error.code == .notFound {
            throw unknown
        }
        let tag = "\"\(Data(file.hash.prefix(16)).base64EncodedString())-\(size.rawValue)\""
        var headers: [(name: String, value: String)] = [
            ("cache-control", "public, max-age=31536000, immutable"), ("etag", tag),
        ]
        guard !EntityTag.isNamed(tag, in: request.headers["if-none-match"]) else {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers.append(("content-type", "image/jpeg"))
        return HTTPResponse(status: 200, headers: headers, body: file.bytes)
    }
}

extension Photo.Shape {
    /// The operation that creates this shape.
    fileprivate var operation: ImagingOperation {
        switch self {
        case .photo: .photo
        case .face: .face
        }
    }
}
