import MusterCore
import MusterStore
import Testing

extension Store {
    /// Keeps a picture of a group that shows people as they share now.
    func share(
        of group: GroupID,
        by maker: UserID,
        showing users: [UserID],
        as mode: Sharing.Mode = .live,
        lifetime: Int = 3600
    ) async throws -> Share {
        let draft = ShareDraft(
            group: group,
            revision: try await self.directory.loadGroup(group).revision,
            maker: maker,
            shown: users.map { ($0, mode) },
            isNamed: true,
            png: Array("a picture".utf8),
            lifetime: lifetime
        )
        return try #require(try await self.directory.addShare(draft))
    }

    /// What the address of a picture says: nil when it is shown.
    func refusal(of share: Share) async throws -> DirectoryError.Code? {
        let code = try #require(share.code)
        let directory = self.directory
        return await failure { () async throws(DirectoryError) in
            _ = try await directory.openShare(code: code, withPicture: true)
        }
    }

    /// How many pictures there are whose file is there.
    func files() async throws -> Int64 { try await self.count("muster.share WHERE png IS NOT NULL") }
}
