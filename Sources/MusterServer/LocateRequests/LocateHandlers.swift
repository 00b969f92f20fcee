import MusterCore
import MusterWire

extension RequestTable {
    /// The request for a user's position, which the world answers.
    static func locate() -> [Entry] {
        [
            .immediate(Locate.self) { request, caller in
                guard let session = caller.session else { return .world([]) }
                return .world([.locateRequested(session, caller.tag, group: request.group, user: request.user)])
            }
        ]
    }
}
