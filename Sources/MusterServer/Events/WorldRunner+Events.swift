import MusterCore
import MusterWire

extension WorldRunner {
    /// Executes an effect of the world on events.
    func execute(_ effect: EventEffect) {
        switch effect {
        case .subscribed(let session, let tag, let subscription, let total, let more):
            guard let tag else { return }
            let answer = EventsWatchAnswer(subscription: subscription, total: total, more: more)
            self.send(Frame.ok(tag, answer).encoded, to: session)
        case .pushed(let session, let push):
            for frame in push.frames { self.send(frame, to: session) }
        case .shown(let sessions, let shown):
            let frame = shown.frame
            for session in sessions { self.send(frame, to: session) }
        }
    }
}
