import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about places of groups.
    static func groupPlaces(_ services: any RequestServices) -> [Entry] {
        [
            .directory(GroupPlaceAdd.self, services) { request, caller, directory in
                .changed(try await directory.addGroupPlace(request, by: caller.user), isVisible: true)
            },
            .directory(GroupPlaceUpdate.self, services) { request, caller, directory in
                .changed(try await directory.updateGroupPlace(request, by: caller.user), isVisible: true)
            },
            .directory(GroupPlaceDelete.self, services) { request, caller, directory in
                let deleted = try await directory.deleteGroupPlace(request.place, by: caller.user)
                let message = LiveMessage.groupPlaceGone(request.place, from: deleted.value)
                return RequestOutcome(
                    .answer(NoAnswer()),
                    changes: deleted.changes,
                    publications: [Publication(to: .group(deleted.value, except: nil), .live(message))]
                )
            },
            .directory(GroupPlaceList.self, services) { request, caller, directory in
                .answer(GroupPlacesAnswer(try await directory.groupPlaces(of: request.group, for: caller.user)))
            },
            .directory(GroupPlaceNotify.self, services) { request, caller, directory in
                .changed(try await directory.setArrivalReceivers(request, by: caller.user), isVisible: false)
            },
            .directory(GroupPlaceMute.self, services) { request, caller, directory in
                .changed(try await directory.mute(request, by: caller.user), isVisible: false)
            },
        ]
    }
}

extension RequestOutcome where Answer == GroupPlaceAnswer {
    /// A changed place, which is shown to the group if the change concerns all members.
    fileprivate static func changed(_ sight: Committed<GroupPlaceSight>, isVisible: Bool) -> Self {
        let place = sight.value.place
        return Self(
            .answer(GroupPlaceAnswer(sight.value)),
            changes: sight.changes,
            publications: isVisible
                ? [Publication(to: .group(place.group, except: nil), .live(.groupPlace(place)))] : []
        )
    }
}
