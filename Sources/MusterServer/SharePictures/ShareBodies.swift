import MusterCore
import MusterWire

/// The body of `POST /v1/groups/{group}/shares`.
struct ShareBody: Decodable {
    private let about: String?
    /// Any number, so that the error for a value that is not allowed names the field.
    private let expiresIn: Double?
    private let names: String?

    /// Requests a picture with the default options.
    init() {
        self.about = nil
        self.expiresIn = nil
        self.names = nil
    }

    /// Validates the body.
    ///
    /// - Throws: `badRequest` with the name of the field.
    func request(for group: GroupID, by maker: UserID) throws(FrameError) -> SharePictureRequest {
        var request = SharePictureRequest(group: group, maker: maker)
        if let about = self.about {
            guard let user = UserID(about) else {
                throw FrameError(.badRequest, message: "about must be the id of a member.", field: "about")
            }
            request.about = user
        }
        if let seconds = self.expiresIn {
            guard let lifetime = Int(exactly: seconds), Share.lifetimes.contains(lifetime) else {
                let (least, most) = (Share.lifetimes.lowerBound, Share.lifetimes.upperBound)
                throw FrameError(
                    .badRequest,
                    message: "expiresIn must be \(least) to \(most) seconds.",
                    field: "expiresIn"
                )
            }
            request.lifetime = lifetime
        }
        switch self.names {
        case nil, "full"?: break
        case "initials"?: request.isNamed = false
        case _?: throw FrameError(.badRequest, message: "names must be full or initials.", field: "names")
        }
        return request
    }
}

/// The answer with a picture that was created.
struct CreatedShareBody: Encodable {
    private let id: ShareID
    private let url: String
    private let image: String
    private let text: String
    private let shown: [UserID]
    private let expiresAt: Timestamp

    /// Describes a picture, with addresses that begin with `base`.
    init(_ share: Share, groupName: String, base: String) {
        let url = ShareAddress.page(share.code ?? "", base: base)
        self.id = share.id
        self.url = url
        self.image = ShareAddress.image(share.code ?? "", base: base)
        self.text = "\(Isolation.of(groupName)): where we are, at \(ShareTexts.clock(share.createdAt))"
        self.shown = share.shown
        self.expiresAt = share.expiresAt
    }
}

/// The pictures of a group that are visible now.
struct SharesBody: Encodable {
    struct Item: Encodable {
        let id: ShareID
        let by: PersonView
        let shown: [UserID]
        let names: String
        let at: Timestamp
        let expiresAt: Timestamp
        /// Absent when the picture was created with another secret key of the server.
        let url: String?
        let image: String?
    }

    let shares: [Item]

    /// Describes pictures, with addresses that begin with `base`.
    init(_ shares: [Share], base: String) {
        self.shares = shares.map { share in
            Item(
                id: share.id,
                by: PersonView(share.maker),
                shown: share.shown,
                names: share.isNamed ? "full" : "initials",
                at: share.createdAt,
                expiresAt: share.expiresAt,
                url: share.code.map { ShareAddress.page($0, base: base) },
                image: share.code.map { ShareAddress.image($0, base: base) }
            )
        }
    }
}

/// The addresses of pictures.
enum ShareAddress {
    /// The page around a picture.
    static func page(_ code: String, base: String) -> String { "\(base)/s/\(code)" }

    /// The picture itself.
    static func image(_ code: String, base: String) -> String { "\(base)/s/\(code).png" }
}
