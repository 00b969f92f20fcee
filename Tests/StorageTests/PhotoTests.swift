import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("Photos in storage") struct PhotoTests {
    private static func spot(with photo: PhotoID) -> SpotAdd {
        SpotAdd(at: Coordinate(latitude: 48.2, longitude: 16.37), comment: "Café", photo: photo)
    }

    @Test("a photo is had by its address alone, as it was, with its hash")
    func files() async throws {
        try await Store.with { store in
            let user = try await store.person().user.id
            let photo = try await store.photo(of: user)
            let other = try await store.photo(of: user)
            let key = String(photo.url.suffix(32))
            #expect(photo.url == "/v1/photos/\(photo.id)?k=\(key)")
            #expect(photo.thumb == "/v1/photos/\(photo.id)/thumb?k=\(key)")
            #expect(key != other.url.suffix(32))
            let file = try await store.directory.photoFile(photo.id, key: key, .picture)
            #expect(file.bytes == [UInt8](repeating: 7, count: 900))
            #expect(file.hash.count == 32)
            #expect(try await store.directory.photoFile(photo.id, key: key, .thumbnail).bytes.count == 100)
            for (id, key) in [
                (photo.id, ""), (photo.id, String(other.url.suffix(32))), (other.id, key), (PhotoID(7), key),
                (photo.id, key.uppercased() + "0"),
            ] {
                let code = await failure {
                    _ = try await store.directory.photoFile(id, key: key, .picture)
                }
                #expect(code == .notFound)
            }
        }
    }

    @Test("what nothing uses is gone after a day, and what is used stays")
    func sweep() async throws {
        try await Store.with { store in
            let user = try await store.person().user.id
            let (shown, face) = (try await store.photo(of: user), try await store.photo(of: user, .face))
            let spot = try await store.directory.addSpot(Self.spot(with: shown.id), by: user)
            #expect(spot.photo == shown)
            _ = try await store.directory.updateProfile(of: user, ProfileChange(avatar: .replaced(face.id)))
            _ = try await store.photo(of: user)
            store.manual.advance(milliseconds: 86_399_000)
            let young = try await store.photo(of: user)
            try await store.directory.maintain()
            #expect(try await store.count("muster.photo") == 4)
            store.manual.advance(milliseconds: 1000)
            try await store.directory.maintain()
            let left = try await store.pool.query("SELECT id FROM muster.photo ORDER BY id").map { try $0.int64("id") }
            #expect(left == [shown, face, young].map(\.id.rawValue))
        }
    }

    @Test("a photo is used once, by its owner, for what it was cut for; its use takes it along")
    func uses() async throws {
        try await Store.with { store in
            let (ada, bo) = (try await store.person("Ada").user.id, try await store.person("Bo").user.id)
            func add(_ photo: PhotoID, by user: UserID) async -> Refusal? {
                await failure {
                    _ = try await store.directory.addSpot(Self.spot(with: photo), by: user)
                }
            }
            func wear(_ photo: PhotoID, by user: UserID) async -> Refusal? {
                await failure {
                    _ = try await store.directory.updateProfile(of: user, ProfileChange(avatar: .replaced(photo)))
                }
            }
            let (photo, face) = (try await store.photo(of: ada), try await store.photo(of: ada, .face))
            #expect(await add(photo.id, by: bo) == .notFound)
            #expect(await add(face.id, by: ada) == .notFound)
            #expect(await add(PhotoID(7), by: ada) == .notFound)
            #expect(await wear(photo.id, by: ada) == .badRequest(field: "avatar"))
            #expect(await wear(photo.id, by: bo) == .notFound)
            #expect(await wear(face.id, by: bo) == .notFound)
            #expect(try await store.count("muster.spot") == 0, "what is refused adds nothing")
            #expect(try await store.count("muster.photo_use") == 0)
            #expect(await add(photo.id, by: ada) == nil)
            #expect(await add(photo.id, by: ada) == .notFound)
            #expect(await wear(face.id, by: ada) == nil)
            #expect(await wear(face.id, by: ada) == nil)
            #expect(await add(face.id, by: ada) == .notFound)
            #expect(try await store.directory.account(of: ada).profile.avatar == face.thumb)

            let next = try await store.photo(of: ada, .face)
            #expect(await wear(next.id, by: ada) == nil)
            #expect(try await store.count("muster.photo WHERE id = $1", [.int64(face.id.rawValue)]) == 0)
            // If an operator deletes the photo, the profile no longer refers to it.
            try await store.pool.query("DELETE FROM muster.photo WHERE id = $1", [.int64(next.id.rawValue)])
            #expect(try await store.directory.account(of: ada).profile.avatar == nil)
            let spot = try await store.directory.spots(limit: 1, for: bo).spots[0]
            #expect(spot.photo == photo)
            _ = try await store.directory.deleteSpot(spot.id, by: ada)
            #expect(try await store.count("muster.photo") == 0)
        }
    }

    @Test("nobody keeps more than their share, however many they upload at once")
    func share() async throws {
        try await Store.with(photoBytes: 10_000) { store in
            let (ada, bo) = (try await store.person("Ada").user.id, try await store.person("Bo").user.id)
            let codes = await withTaskGroup(of: Refusal?.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        await failure { _ = try await store.photo(of: ada) }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 10)
            #expect(codes.filter { $0 == .rateLimited(retryAfter: 3_600_000) }.count == 6)
            #expect(try await store.count("muster.photo") == 10)
            _ = try await store.photo(of: bo)
        }
    }
}
