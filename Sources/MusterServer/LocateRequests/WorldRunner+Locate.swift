import MusterCore
import MusterWire

extension WorldRunner {
    /// Sends sessions the frames of a request for a position.
    func execute(_ effect: LocateEffect) {
        switch effect {
        case .started(let session, let tag, let locate, let devices, let expiresAt):
            guard let tag else { return }
            let answer = LocateAnswer(request: locate, devices: devices, expiresAt: expiresAt)
            self.send(Frame.ok(tag, answer).encoded, to: session)
        case .asked(let session, let locate, let group, let asker):
            self.send(.locate(locate, group: group, from: asker), to: session)
        case .pushed(let locate, let group, let asker, let user, let now, let expiresAt):
            let content = NotificationContent(
                kind: NotificationKind.locate.name,
                group: group,
                from: asker.id,
                at: now,
                payload: NotificationPayload([
                    .init("request", .text(locate.description)), .init("group", .text(group.description)),
                    .init("from", .object([.init("id", .user(asker.id)), .init("name", .text(asker.name))])),
                ])
            )
            self.outlets.storage.push(content, to: user, until: expiresAt)
        case .found(let session, let locate, let user, let position):
            self.send(.located(locate, user: user, position), to: session)
        case .expired(let session, let locate):
            self.send(.locateExpired(locate), to: session)
        }
    }
}
