import EventLoop
import MusterCore
import MusterStore
import MusterWire
import WebSocketGateway

/// Carries out the requests about groups, sharing and spots: the directory first, then the world, whose effects end
/// with the answer.
struct DirectoryRequests: Sendable {
    /// What the directory made of a request.
    enum Outcome: Sendable {
        /// Nothing changed.
        case answer(Answer)
        /// Groups changed.
        case changed([GroupSnapshot], Answer)
        /// Something else changed that the world must know first.
        case news(WorldInput, Answer)
    }

    let services: Services

    /// Carries out `frame` and answers it; links lead to the `host` by which the client came.
    func perform(_ frame: ClientFrame, by user: UserID, on connection: ConnectionID, host: String?) async {
        do throws(FrameError) {
            let directory = try self.services.readyDirectory()
            let services = self.services
            let outcome = try await services.ask { () throws(DirectoryError) in
                try await Self.perform(frame, by: user, in: directory, base: services.linkBase(host: host))
            }
            self.conclude(outcome, of: frame, on: connection)
        } catch {
            self.conclude(error.tagged(frame.tag), of: frame, by: user, on: connection)
        }
    }

    /// Answers a request that failed.
    ///
    /// Who wants to be seen less is seen less from now on even when that cannot be stored: live positions go on while
    /// storage is away. The world narrows first, and then lets the error out.
    private func conclude(
        _ error: FrameError,
        of frame: ClientFrame,
        by user: UserID,
        on connection: ConnectionID
    ) {
        guard case .sharingSet(_, let mode, let group, _) = frame, mode != .live, error.code == .unavailable else {
            self.services.send(.error(error), to: connection)
            return
        }
        var error = error
        error.message = "Others see no more than this from now on, but it is not stored yet; try again soon."
        let answer = PreparedAnswer(session: SessionID(connection), frame: ServerFrame.error(error).encoded)
        var inputs: [WorldInput] = [.sharingNarrowed(user, group: group, mode), .answerRequested(answer)]
        self.services.world.mailbox.send(contentsOf: &inputs)
    }

    private func conclude(_ outcome: Outcome, of frame: ClientFrame, on connection: ConnectionID) {
        let session = SessionID(connection)
        func prepared(_ answer: Answer) -> PreparedAnswer? {
            frame.tag.map { PreparedAnswer(session: session, frame: ServerFrame.ok($0, answer).encoded) }
        }
        switch outcome {
        case .answer(let answer), .changed([], let answer):
            if let frame = prepared(answer) { self.services.world.mailbox.send(.answerRequested(frame)) }
        case .news(let input, let answer):
            var inputs = [input]
            if let frame = prepared(answer) { inputs.append(.answerRequested(frame)) }
            self.services.world.mailbox.send(contentsOf: &inputs)
        case .changed(let groups, let answer):
            var inputs = groups.dropLast().map { WorldInput.groupChanged($0, answer: nil) }
            inputs.append(.groupChanged(groups[groups.count - 1], answer: prepared(answer)))
            self.services.world.mailbox.send(contentsOf: &inputs)
        }
    }

    private static func perform(
        _ frame: ClientFrame,
        by user: UserID,
        in directory: Directory,
        base: String
    ) async throws(DirectoryError) -> Outcome {
        switch frame {
        case .groupCreate(_, let name, let settings):
            let group = try await directory.createGroup(name: name, settings: settings, by: user)
            return .changed([group], .group(group.summary(for: user)))
        case .groupList:
            return .answer(.groups(try await directory.groups(of: user)))
        case .groupUpdate(_, let id, let name, let settings):
            let group = try await directory.updateGroup(id, name: name, settings: settings, by: user)
            return .changed([group], .group(group.summary(for: user), warning: group.warning))
        case .groupInvite(_, let id, let expiresIn, let uses):
            let invite = try await directory.createInvite(to: id, expiresIn: expiresIn, uses: uses, by: user)
            let url = "\(base)/#/join/\(invite.code)"
            return .answer(.invite(code: invite.code, url: url, expiresAt: invite.expiresAt, uses: invite.usesLeft))
        case .groupRevoke(_, let code):
            try await directory.revokeInvite(code, by: user)
            return .answer(.done)
        case .groupJoin(_, let code):
            let group = try await directory.join(code: code, user: user).group
            return .changed([group], .group(group.summary(for: user)))
        case .groupLeave(_, let id):
            return .changed([try await directory.leave(id, user: user)], .done)
        case .groupRemove(_, let id, let member):
            return .changed([try await directory.removeMember(member, from: id, by: user)], .done)
        case .groupDelete(_, let id):
            return .changed([try await directory.deleteGroup(id, by: user)], .done)
        case .sharingSet(_, let mode, let group, let until):
            return .changed(try await directory.setSharing(mode, until: until, group: group, of: user), .done)
        case .spotAdd(_, let draft): return try await Self.perform(.add(draft), by: user, in: directory)
        case .spotVote(_, let spot, let vote): return try await Self.perform(.vote(spot, vote), by: user, in: directory)
        case .spotDelete(_, let spot): return try await Self.perform(.delete(spot), by: user, in: directory)
        case .spotsNearby(_, let search): return try await Self.perform(.nearby(search), by: user, in: directory)
        case .spotsAll(_, let limit, let after):
            return try await Self.perform(.all(limit: limit, after: after), by: user, in: directory)
        case .hello, .ping, .state, .location, .locations, .locate, .seen:
            preconditionFailure("a frame for the world was sent to the directory")
        }
    }
}

extension GroupSnapshot {
    /// The group as one of its members sees it.
    fileprivate func summary(for user: UserID) -> Welcome.Group {
        let role = self.members.first { $0.user.id == user }?.role ?? .member
        return Welcome.Group(id: self.id, name: self.name, role: role, settings: self.settings)
    }
}
