package import MusterCore

extension Directory {
    /// Makes an account and logs it in. conflict(username taken), badRequest, unavailable
    package func signUp(username: String, password: String, name: String) async throws(DirectoryError) -> Credentials {
        preconditionFailure("skeleton")
    }
    /// unauthorized, rateLimited, unavailable; `address` = the peer's IP as text
    package func logIn(username: String, password: String, address: String) async throws(DirectoryError) -> Credentials
    { preconditionFailure("skeleton") }
    package func logOut(token: String) async throws(DirectoryError) -> LoginID { preconditionFailure("skeleton") }
    package func authenticate(token: String) async throws(DirectoryError) -> Authentication {
        preconditionFailure("skeleton")
    }
    package func account(of user: UserID) async throws(DirectoryError) -> Account { preconditionFailure("skeleton") }
    package func updateProfile(of user: UserID, _ change: ProfileChange) async throws(DirectoryError) -> ProfileUpdate {
        preconditionFailure("skeleton")
    }
    /// Groups changed; a group that lost its last member has no members (deleted).
    package func deleteAccount(_ user: UserID) async throws(DirectoryError) -> [GroupSnapshot] {
        preconditionFailure("skeleton")
    }
    package func hello(token: String, device: DeviceIntroduction) async throws(DirectoryError) -> Admission {
        preconditionFailure("skeleton")
    }

    package func createGroup(
        name: String,
        settings: GroupSettingsChange = .init(),
        by user: UserID
    ) async throws(DirectoryError) -> GroupSnapshot { preconditionFailure("skeleton") }
    package func groups(of user: UserID) async throws(DirectoryError) -> [Welcome.Group] {
        preconditionFailure("skeleton")
    }
    package func updateGroup(
        _ group: GroupID,
        name: String? = nil,
        settings: GroupSettingsChange = .init(),
        by user: UserID
    ) async throws(DirectoryError) -> GroupSnapshot { preconditionFailure("skeleton") }
    package func deleteGroup(_ group: GroupID, by user: UserID) async throws(DirectoryError) -> GroupSnapshot {
        preconditionFailure("skeleton")
    }
    package func leave(_ group: GroupID, user: UserID) async throws(DirectoryError) -> GroupSnapshot {
        preconditionFailure("skeleton")
    }
    package func removeMember(
        _ member: UserID,
        from group: GroupID,
        by user: UserID
    ) async throws(DirectoryError) -> GroupSnapshot { preconditionFailure("skeleton") }
    /// `group` nil = all groups; one snapshot per group changed.
    package func setSharing(
        _ mode: Sharing.Mode,
        until: Timestamp? = nil,
        group: GroupID? = nil,
        of user: UserID
    ) async throws(DirectoryError) -> [GroupSnapshot] { preconditionFailure("skeleton") }

    package func createInvite(
        to group: GroupID,
        expiresIn seconds: Int? = nil,
        uses: Int? = nil,
        by user: UserID
    ) async throws(DirectoryError) -> Invite { preconditionFailure("skeleton") }
    package func revokeInvite(_ code: String, by user: UserID) async throws(DirectoryError) {
        preconditionFailure("skeleton")
    }
    package func invitePreview(_ code: String) async throws(DirectoryError) -> InvitePreview {
        preconditionFailure("skeleton")
    }
    package func join(code: String, user: UserID) async throws(DirectoryError) -> Joining {
        preconditionFailure("skeleton")
    }

    package func loadGroup(_ group: GroupID) async throws(DirectoryError) -> GroupSnapshot {
        preconditionFailure("skeleton")
    }
    package func openGatherings() async throws(DirectoryError) -> [GroupID] { preconditionFailure("skeleton") }
    /// Partitions, expired tokens and invites, idle devices: call before serving and then every hour.
    package func maintain() async throws(DirectoryError) { preconditionFailure("skeleton") }
}
