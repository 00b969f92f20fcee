import MusterCore
import MusterWire

extension WorldTurner {
    /// Executes an effect of the world on events.
    func carryOut(_ effect: EventEffect) {
        switch effect {
        case .watched(let session, let tag, let watch, let total, let more):
            guard let tag else { return }
            let answer = EventsWatchAnswer(watch: watch, total: total, more: more)
            self.send(Frame.ok(tag, answer).encoded, to: session)
        case .pushed(let session, let push):
            for frame in push.frames { self.send(frame, to: session) }
        case .shown(let sessions, let shown):
            let frame = shown.frame
            for session in sessions { self.send(frame, to: session) }
        }
    }
}
