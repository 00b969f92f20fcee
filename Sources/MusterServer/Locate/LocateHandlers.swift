import MusterCore
import MusterWire

extension RequestTable {
    /// The request to know where somebody is, which the world answers.
    static func locate() -> [Entry] {
        [
            .immediate(Locate.self) { request, caller in
                guard let session = caller.session else { return .world([]) }
                return .world([.locateRequested(session, caller.tag, group: request.group, user: request.user)])
            }
        ]
    }
}
