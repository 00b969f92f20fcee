import Foundation
import MusterTestSupport

@testable import MusterCore
@testable import MusterServer

extension FixRecord {
    static func sample(
        _ device: DeviceID,
        _ user: UserID,
        _ sequence: Int64,
        at: Timestamp,
        verdict: FixVerdict = .ok,
        clockOffset: Int32? = nil
    ) -> FixRecord {
        FixRecord(
            device: device,
            user: user,
            fix: Fix(
                sequence: sequence,
                at: at,
                coordinate: Coordinate(latitude: 40.7 + Double(sequence % 1000) * 1e-5, longitude: -74),
                accuracy: 8,
                battery: 0.5,
                trigger: .move
            ),
            receivedAt: at + 40,
            verdict: verdict,
            clockOffset: clockOffset
        )
    }
}

extension DeviceRecord {
    static func sample(_ device: DeviceID, _ user: UserID, at: Timestamp, memory: DeviceMemory) -> DeviceRecord {
        DeviceRecord(device: device, user: user, receivedAt: at + 40, memory: memory)
    }
}

extension StoredPosition {
    static func sample(_ device: DeviceID, _ sequence: Int64 = 1, at: Timestamp) -> StoredPosition {
        StoredPosition(
            device: device,
            fix: Fix(
                sequence: sequence,
                at: at,
                coordinate: Coordinate(latitude: 40.7128, longitude: -74.006),
                accuracy: 8,
                speed: 1.5,
                course: 270,
                trigger: .significant
            ),
            isStationary: true
        )
    }
}

extension NotificationRecord {
    /// A notification; different values of `index` produce different subjects.
    static func sample(_ index: Int64, user: UserID, group: GroupID, at: Timestamp) -> NotificationRecord {
        NotificationRecord(
            user: user,
            content: LeftWithoutYou.sample(user: user, group: group, gathering: 6000 + index, at: at).content
        )
    }
}

extension LeftWithoutYou {
    static func sample(user: UserID, group: GroupID, gathering: Int64 = 6001, at: Timestamp) -> LeftWithoutYou {
        LeftWithoutYou(
            user: user,
            group: group,
            groupName: "Climbers",
            gathering: GatheringID(gathering),
            variant: .gathered,
            at: at,
            since: at - 180_000,
            place: GatheringPlace(lat: 40.7128, lon: -74.006, name: "Blue Bottle"),
            together: [Companion(id: UserID(8), name: "Bo ✨")],
            distance: 2140.5,
            you: OwnPosition(lat: 40.73, lon: -74, at: at - 20_000)
        )
    }
}

extension GatheringRecord {
    static func sample(
        _ id: GatheringID,
        group: GroupID,
        _ state: GatheringStatus.State,
        at: Timestamp,
        together: [UserID],
        absent: [UserID] = [],
        participants: [UserID],
        machine: GatheringState?
    ) -> GatheringRecord {
        GatheringRecord(
            group: group,
            status: GatheringStatus(
                gathering: id,
                state: state,
                since: at,
                place: GatheringPlace(lat: 40.7128, lon: -74.006, name: "Blue Bottle"),
                together: together,
                absent: absent
            ),
            at: at,
            participants: participants,
            machine: machine
        )
    }
}

extension Directory {
    /// Sends and stores a change of a user's sharing.
    func say(
        _ mode: Sharing.Mode,
        until: Timestamp? = nil,
        then: Sharing.After = .live,
        group: GroupID? = nil,
        of user: UserID
    ) async throws -> [GroupSnapshot] {
        try await self.setSharing(try self.sharingChange(mode, until: until, then: then, group: group, of: user))
    }
}

extension GatheringState {
    /// The state of a group of four in the middle of a departure.
    static func sample() throws -> GatheringState {
        try JSONDecoder().decode(GatheringState.self, from: Data(OlderState.riding.utf8))
    }
}
