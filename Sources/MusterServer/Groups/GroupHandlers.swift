import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about groups.
    static func groups(_ services: any RequestServices) -> [Entry] {
        [
            .directory(GroupCreate.self, services, GroupHandlers.create),
            .directory(GroupList.self, services, GroupHandlers.list),
            .directory(GroupUpdate.self, services, GroupHandlers.update),
            .directory(GroupInvite.self, services, GroupHandlers.invite),
            .directory(GroupRevoke.self, services, GroupHandlers.revoke),
            .directory(GroupJoin.self, services, GroupHandlers.join),
            .directory(GroupLeave.self, services, GroupHandlers.leave),
            .directory(GroupRemove.self, services, GroupHandlers.remove),
            .directory(GroupDelete.self, services, GroupHandlers.delete),
        ]
    }
}

/// The handlers of requests about groups.
private enum GroupHandlers {
    static func create(
        _ request: GroupCreate,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<GroupAnswer> {
        let settings = request.settings ?? GroupSettingsPatch()
        let group = try await directory.createGroup(name: request.name, settings: settings, by: caller.user)
        return .committed(group) { GroupAnswer($0.summary(for: caller.user)) }
    }

    static func list(
        _ request: GroupList,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<GroupsAnswer> {
        .answer(GroupsAnswer(try await directory.groups(of: caller.user)))
    }

    static func update(
        _ request: GroupUpdate,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<GroupAnswer> {
        let group = try await directory.updateGroup(
            request.group,
            name: request.name,
            settings: request.settings ?? GroupSettingsPatch(),
            by: caller.user
        )
        return .committed(group) { GroupAnswer($0.summary(for: caller.user), warning: $0.warning) }
    }

    static func invite(
        _ request: GroupInvite,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<InviteAnswer> {
        let invite = try await directory.createInvite(
            to: request.group,
            expiresIn: request.expiresIn,
            uses: request.uses,
            by: caller.user
        )
        return .answer(
            InviteAnswer(
                code: invite.code,
                url: "\(caller.linkBase)/#/join/\(invite.code)",
                expiresAt: invite.expiresAt,
                uses: invite.usesLeft
            )
        )
    }

    static func revoke(
        _ request: GroupRevoke,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<NoAnswer> {
        try await directory.revokeInvite(request.code, by: caller.user)
        return .done()
    }

    static func join(
        _ request: GroupJoin,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<GroupAnswer> {
        .committed(try await directory.join(code: request.code, user: caller.user)) {
            GroupAnswer($0.group.summary(for: caller.user))
        }
    }

    static func leave(
        _ request: GroupLeave,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<NoAnswer> {
        .done(try await directory.leave(request.group, user: caller.user))
    }

    static func remove(
        _ request: GroupRemove,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<NoAnswer> {
        .done(try await directory.removeMember(request.user, from: request.group, by: caller.user))
    }

    static func delete(
        _ request: GroupDelete,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<NoAnswer> {
        .done(try await directory.deleteGroup(request.group, by: caller.user))
    }
}

extension GroupSnapshot {
    /// The group as one of its members sees it.
    fileprivate func summary(for user: UserID) -> Welcome.Group {
        let role = self.members.first { $0.user.id == user }?.role ?? .member
        return Welcome.Group(id: self.id, name: self.name, role: role, settings: self.settings)
    }
}
