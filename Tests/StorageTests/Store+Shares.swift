import Testing

@testable import MusterCore
@testable import MusterServer

extension Store {
    /// Stores a picture of a group that shows users with their current sharing.
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
        return try #require(try await self.directory.addShare(draft)).value
    }

    /// The error for the address of a picture; nil if it is shown.
    func refusal(of share: Share) async throws -> Refusal? {
        let code = try #require(share.code)
        let directory = self.directory
        return await failure {
            _ = try await directory.openShare(code: code, withPicture: true)
        }
    }

    /// The number of pictures that still have a file.
    func files() async throws -> Int64 { try await self.count("muster.share WHERE png IS NOT NULL") }
}
