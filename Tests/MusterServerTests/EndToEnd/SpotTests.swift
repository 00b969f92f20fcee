import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Spots", .blocking)
struct SpotTests {
    private static let cafe: JSON = ["lat": 48.2082, "lon": 16.3738]

    /// Adds a spot at the café.
    private static func add(_ comment: String, by person: TestClient) throws -> String {
        let answer = try person.request("spot.add", Self.cafe.with(["comment": .string(comment)]))
        return answer["spot"]["id"].string ?? ""
    }

    @Test("a spot that one adds is found by others, who like it or not")
    func addAndVote() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            let comment = "Blue Bottle (corner)\nThe table by the window."
            let added = try ada.request("spot.add", Self.cafe.with(["comment": .string(comment), "category": "café"]))
            let spot = added["spot"]
            let id = spot["id"].string ?? ""
            #expect(spot["comment"].string == comment)
            #expect(spot["category"].string == "café")
            #expect(spot["author"]["name"].string == "Ada")
            #expect(spot["photo"].isNull)
            #expect(spot["vote"].string == "none")
            #expect(
                spot["link"].string
                    == "geo:48.2082,16.3738?q=48.2082,16.3738(Blue%20Bottle%20%28corner%29)"
            )
            for (vote, likes, dislikes) in [("like", 1, 0), ("dislike", 0, 1), ("none", 0, 0), ("like", 1, 0)] {
                let voted = try bo.request("spot.vote", ["spot": .string(id), "vote": .string(vote)])["spot"]
                #expect(voted["likes"].int == Int64(likes))
                #expect(voted["dislikes"].int == Int64(dislikes))
                #expect(voted["vote"].string == vote)
            }
            let near: JSON = ["lat": 48.2092, "lon": 16.3738, "radius": 500, "limit": 10]
            let found = try ada.request("spots.nearby", near)["spots"]
            #expect(found.count == 1)
            #expect(found[0]["id"].string == id)
            #expect(found[0]["likes"].int == 1)
            #expect(found[0]["vote"].string == "none", "Ada has not voted")
            #expect(abs((found[0]["distance"].double ?? 0) - 111.2) < 1)
            #expect(try ada.request("spots.nearby", near.with(["category": "bar"]))["spots"].count == 0)
            let nearer: JSON = ["lat": 48.2092, "lon": 16.3738, "radius": 110, "limit": 10]
            #expect(try ada.request("spots.nearby", nearer)["spots"].count == 0)
        }
    }

    @Test("spots come the nearest first, or the newest first in pages")
    func lists() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            for (name, latitude) in [("c", 48.23), ("a", 48.21), ("b", 48.22)] {
                try ada.request("spot.add", ["lat": .number(latitude), "lon": 16.37, "comment": .string(name)])
            }
            func names(_ answer: Frame) -> String {
                answer["spots"].elements.compactMap { $0["comment"].string }.joined()
            }
            let near = try ada.request("spots.nearby", ["lat": 48.2, "lon": 16.37, "radius": 50_000, "limit": 2])
            #expect(names(near) == "ab")
            let first = try ada.request("spots.all", ["limit": 2])
            #expect(names(first) == "ba")
            let rest = try ada.request("spots.all", ["limit": 2, "after": .string(first["next"].string ?? "")])
            #expect(names(rest) == "c")
            #expect(rest["next"].isNull)
        }
    }

    @Test("only the author deletes a spot; what is refused changes nothing")
    func refusals() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let mallory = try fixture.enter(try fixture.signUp("Mallory"))
            let id = try Self.add("Blue Bottle", by: ada)
            func state() throws -> String {
                let sql = """
                    SELECT coalesce(string_agg(s::text, ';'), '') || coalesce((SELECT string_agg(v::text, ';')
                        FROM muster.spot_vote v), '') AS all_of_it FROM muster.spot s
                    """
                return try fixture.query(sql).onlyRow()?.text("all_of_it") ?? ""
            }
            let before = try state()
            #expect(try mallory.refusal(of: "spot.delete", ["spot": .string(id)])["code"].string == "forbidden")
            #expect(try mallory.refusal(of: "spot.delete", ["spot": "12345"])["code"].string == "not_found")
            let vote = try mallory.refusal(of: "spot.vote", ["spot": "12345", "vote": "like"])
            #expect(vote["code"].string == "not_found")
            let bad: [(text: String, field: String)] = [
                (#""type":"spot.add","lat":48.2,"lon":16.37"#, "comment"),
                (#""type":"spot.add","lat":48.2,"lon":16.37,"comment":"""#, "comment"),
                (#""type":"spot.add","lat":48.2,"lon":16.37,"comment":"\u202e\u200b""#, "comment"),
                (#""type":"spot.add","lat":148.2,"lon":16.37,"comment":"c""#, "lat"),
                (#""type":"spot.add","lat":48.2,"lon":16.37,"comment":"c","photo":7"#, "photo"),
                (#""type":"spot.vote","spot":"\#(id)","vote":"love""#, "vote"),
                (#""type":"spot.delete","spot":7"#, "spot"),
                (#""type":"spots.nearby","lat":48.2,"lon":16.37,"radius":50001,"limit":1"#, "radius"),
                (#""type":"spots.all","limit":101"#, "limit"),
            ]
            for (number, frame) in bad.enumerated() {
                try mallory.sendBroken("{\"id\":\"bad \(number)\",\(frame.text)}")
                let error = try mallory.expect("error") { $0["id"].string == "bad \(number)" }
                #expect(error["code"].string == "bad_request")
                #expect(error["field"].string == frame.field)
            }
            #expect(try state() == before)
            try ada.request("spot.delete", ["spot": .string(id)])
            #expect(try fixture.count(of: "muster.spot") == 0)
            #expect(try ada.refusal(of: "spot.delete", ["spot": .string(id)])["code"].string == "not_found")
            #expect(try mallory.request("spots.all", ["limit": 1])["spots"].count == 0)
        }
    }

    @Test("a spot whose adding was answered outlives a crash, and so does a vote")
    func crash() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let spot = try Self.add("Blue Bottle", by: ada)
            try ada.request("spot.vote", ["spot": .string(spot), "vote": "like"])
            try fixture.crash()
            let again = try fixture.enter(ada.account)
            let found = try again.request("spots.all", ["limit": 10])["spots"]
            #expect(found.count == 1)
            #expect(found[0]["id"].string == spot)
            #expect(found[0]["likes"].int == 1)
        }
    }

    @Test("a watch votes, and does nothing else about spots")
    func watch() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let spot = try Self.add("Blue Bottle", by: ada)
            let watch = try fixture.connect(ada.account, subprotocol: "muster.watch.v1")
            try watch.hello(device: "watch", kind: "watch")
            let voted = try watch.request("spot.vote", ["spot": .string(spot), "vote": "like"])
            #expect(voted["spot"]["likes"].int == 1)
            #expect(try watch.refusal(of: "spots.all", ["limit": 1])["code"].string == "forbidden")
            #expect(try watch.refusal(of: "spot.delete", ["spot": .string(spot)])["code"].string == "forbidden")
        }
    }

    @Test("whose account is deleted leaves no spot and no vote behind")
    func erasure() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            let own = try Self.add("Ada's", by: ada)
            let other = try Self.add("Bo's", by: bo)
            for spot in [own, other] { try ada.request("spot.vote", ["spot": .string(spot), "vote": "like"]) }
            try bo.expect("spot_changed") { $0["spot"].string == other && $0["likes"].int == 1 }
            #expect(try fixture.http("DELETE", "/v1/me", token: ada.account.token).status == 204)
            // Bo's client has the other spot, which Bo added.
            try bo.expect("spot_changed") { $0["spot"].string == other && $0["likes"].int == 0 }
            let left = try bo.request("spots.all", ["limit": 10])["spots"]
            #expect(left.elements.map { $0["id"].string } == [other])
            #expect(left[0]["likes"].int == 0)
        }
    }
}
