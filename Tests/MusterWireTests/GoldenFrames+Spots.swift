import MusterWire

@testable import MusterCore
@testable import MusterServer

extension GoldenFrames {
    static let photo = Photo(
        id: PhotoID(5),
        url: "/v1/photos/5?k=0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        thumb: "/v1/photos/5/thumb?k=0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        width: 1600,
        height: 1200
    )
    static let spot = Spot(
        id: SpotID(501),
        coordinate: Coordinate(latitude: 40.7, longitude: -74),
        comment: "Blue Bottle",
        author: UserProfile(id: UserID(7), name: "Ada"),
        likes: 4,
        vote: .like,
        at: now
    )
    static let cafe = Spot(
        id: SpotID(502),
        coordinate: Coordinate(latitude: 48.208_174_3, longitude: 16.373_819),
        comment: "Café (\"Z\") & 50% äöü\nThe corner table.",
        category: "café",
        photo: photo,
        author: UserProfile(id: UserID(8), name: "Ben", avatar: photo.thumb),
        likes: 1,
        dislikes: 2,
        vote: .none,
        at: now
    )
    static let spotJSON =
        #"{"id":"501","lat":40.7,"lon":-74,"comment":"Blue Bottle","category":null,"photo":null,"#
        + #""author":{"id":"7","name":"Ada"},"likes":4,"dislikes":0,"vote":"like","at":1732060800000,"#
        + #""link":"geo:40.7,-74.0?q=40.7,-74.0(Blue%20Bottle)""#
    static let cafeJSON =
        #"{"id":"502","lat":48.2081743,"lon":16.373819,"comment":"Café (\"Z\") & 50% äöü\nThe corner table.","#
        + #""category":"café","photo":{"url":"/v1/photos/5?k=0f1e2d3c4b5a69788796a5b4c3d2e1f0","#
        + #""thumb":"/v1/photos/5/thumb?k=0f1e2d3c4b5a69788796a5b4c3d2e1f0","width":1600,"height":1200},"#
        + #""author":{"id":"8","name":"Ben"},"likes":1,"dislikes":2,"vote":"none","#
        + #""at":1732060800000,"link":"geo:48.2081743,16.373819?q=48.2081743,16.373819"#
        + #"(Caf%C3%A9%20%28%22Z%22%29%20%26%2050%25%20%C3%A4%C3%B6%C3%BC)""#
}
