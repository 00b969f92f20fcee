import MusterClient
import MusterTestSupport
import MusterWire

/// A picture as who made it was told of it.
struct MadeShare {
    let id: String
    /// The path of the page around it.
    let page: String
    /// The path of the picture.
    let image: String
    let shown: [String]
    let text: String
}

extension Town {
    /// Asks for a picture of a group.
    func share(_ group: String, by person: Account, _ wish: JSON = [:]) throws -> HTTPReply {
        try self.http("POST", "/v1/groups/\(group)/shares", token: person.token, body: wish)
    }

    /// Makes a picture of a group.
    func picture(of group: String, by person: Account, _ wish: JSON = [:]) throws -> MadeShare {
        let reply = try self.share(group, by: person, wish)
        guard reply.status == 201, let json = reply.json, let id = json["id"].string, let url = json["url"].string,
            let image = json["image"].string, image == "\(url).png"
        else { throw TestFailure("a picture was answered \(reply.status) \(reply.text)") }
        let page = "/s/\(url.split(separator: "/").last ?? "")"
        return MadeShare(
            id: id,
            page: page,
            image: "\(page).png",
            shown: json["shown"].strings,
            text: json["text"].string ?? ""
        )
    }

    /// What both addresses of a picture are answered with.
    func statuses(of share: MadeShare) throws -> [Int] {
        try [share.page, share.image].map { try self.file($0).status }
    }
}
