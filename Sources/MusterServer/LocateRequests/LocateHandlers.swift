import MusterCore
import MusterWire

extension RequestTable {
    /// The request for a user's position, which the world answers.
    static func locate(_ services: any RequestServices, hasPush: Bool) -> [Entry] {
        [
            .asynchronous(Locate.self) { request, caller in
                guard let session = caller.session else { return .world([]) }
                // While storage is away, the sessions can be asked nevertheless.
                let others = try? await services.readyDirectory()
                    .devicesWithoutSession(of: request.user, hasPush: hasPush)
                return .world([
                    .locateRequested(
                        session,
                        caller.tag,
                        group: request.group,
                        user: request.user,
                        others: others ?? 0
                    )
                ])
            }
        ]
    }
}
