import MusterTestSupport
import MusterWire

@testable import MusterClient

/// A share picture as the server described it to its maker.
struct CreatedShare {
    let id: String
    /// The path of the picture's page.
    let page: String
    /// The path of the picture.
    let image: String
    let shown: [String]
    let text: String
}

extension ServerFixture {
    /// Requests a picture of a group.
    func share(_ group: String, by person: Account, _ wish: JSON = [:]) throws -> HTTPReply {
        try self.http("POST", "/v1/groups/\(group)/shares", token: person.token, body: wish)
    }

    /// Creates a picture of a group.
    func picture(of group: String, by person: Account, _ wish: JSON = [:]) throws -> CreatedShare {
        let reply = try self.share(group, by: person, wish)
        guard reply.status == 201, let json = reply.json, let id = json["id"].string, let url = json["url"].string,
            let image = json["image"].string, image == "\(url).png"
        else { throw TestFailure("a picture was answered \(reply.status) \(reply.text)") }
        let page = "/s/\(url.split(separator: "/").last ?? "")"
        return CreatedShare(
            id: id,
            page: page,
            image: "\(page).png",
            shown: json["shown"].strings,
            text: json["text"].string ?? ""
        )
    }

    /// The HTTP statuses of the page and of the image.
    func statuses(of share: CreatedShare) throws -> [Int] {
        try [share.page, share.image].map { try self.file($0).status }
    }
}
