import MusterCore
import MusterWire

extension SharePictureRequest {
    /// Changes the options to those of the body of `POST /v1/groups/{group}/shares`.
    mutating func read(_ fields: JSONFields) throws(FrameError) {
        self.about = try fields.identifier("about")
        self.lifetime = try fields.integer("expiresIn", in: Share.lifetimes) ?? self.lifetime
        switch try fields.string("names") {
        case nil, "full"?: break
        case "initials"?: self.isNamed = false
        case _?: throw fields.error("names", "must be full or initials")
        }
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
