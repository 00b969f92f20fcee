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
        case .found(let session, let locate, let user, let position):
            self.send(.located(locate, user: user, position), to: session)
        case .expired(let session, let locate):
            self.send(.locateExpired(locate), to: session)
        }
    }
}
