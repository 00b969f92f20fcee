import Foundation
import MusterCore
import Testing

/// Gateways and directory may run in another process than the world, so all messages between them can be encoded and
/// decoded.
@Suite("Between the world and those around it")
struct WorldCodingTests {
    @Test("every input arrives as it was sent", arguments: WorldCodingSamples.inputs)
    func input(_ input: WorldInput) throws { try Self.expectSurvival(of: input) }

    @Test("every effect arrives as it was sent", arguments: WorldCodingSamples.effects)
    func effect(_ effect: WorldEffect) throws { try Self.expectSurvival(of: effect) }

    @Test("no input and no effect is left out")
    func complete() {
        #expect(Set(WorldCodingSamples.inputs.map(InputKind.init)) == Set(InputKind.allCases))
        #expect(Set(WorldCodingSamples.effects.map(EffectKind.init)) == Set(EffectKind.allCases))
        #expect(Set(WorldCodingSamples.records.map(RecordKind.init)) == Set(RecordKind.allCases))
    }

    private static func expectSurvival<Value: Codable>(of value: Value) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let encoded = try encoder.encode(value)
        let decoded = try JSONDecoder().decode(Value.self, from: encoded)
        #expect(String(reflecting: decoded) == String(reflecting: value))
        #expect(try encoder.encode(decoded) == encoded)
    }
}

/// The cases of `WorldInput`.
///
/// A new case needs an entry here and a sample.
private enum InputKind: CaseIterable {
    case sessionOpened, sessionClosed, sessionStateChanged, fixReceived, fixesReceived, notificationsSeen,
        locateRequested
    case answerRequested, groupChanged, sharingNarrowed, sharingSettled, groupLoaded, groupLoadFailed, groupsStored,
        loginsSuspected, loginEnded, accountDeleted
    case spotsAdded, spotsDeleted, publicationRequested, notificationsRead, notificationsReadFailed
    case spotsWatched, spotsSent, spotVoted, spotsRead, spotsReadFailed, votesCounted, votesNotCounted
    case spotTextsRead, spotTextsNotRead
    case eventsChanged, eventsRemoved, eventsLoaded, eventsWatched, notificationsGiven
    case tilesAsked, tilesUnwatched, committed, drainBegan, chat, groupViewRequested

    init(_ input: WorldInput) {
        self =
            switch input {
            case .sessionOpened: .sessionOpened
            case .sessionClosed: .sessionClosed
            case .sessionStateChanged: .sessionStateChanged
            case .fixReceived: .fixReceived
            case .fixesReceived: .fixesReceived
            case .notificationsSeen: .notificationsSeen
            case .locateRequested: .locateRequested
            case .answerRequested: .answerRequested
            case .groupChanged: .groupChanged
            case .sharingNarrowed: .sharingNarrowed
            case .sharingSettled: .sharingSettled
            case .groupLoaded: .groupLoaded
            case .groupLoadFailed: .groupLoadFailed
            case .groupsStored: .groupsStored
            case .loginsSuspected: .loginsSuspected
            case .loginEnded: .loginEnded
            case .accountDeleted: .accountDeleted
            case .spots(.added): .spotsAdded
            case .spots(.deleted): .spotsDeleted
            case .spots(.watched): .spotsWatched
            case .spots(.sent): .spotsSent
            case .spots(.voted): .spotVoted
            case .spots(.read): .spotsRead
            case .spots(.notRead): .spotsReadFailed
            case .spots(.votesCounted): .votesCounted
            case .spots(.votesNotCounted): .votesNotCounted
            case .spots(.textsRead): .spotTextsRead
            case .spots(.textsNotRead): .spotTextsNotRead
            case .events(.changed): .eventsChanged
            case .events(.removed): .eventsRemoved
            case .events(.loaded): .eventsLoaded
            case .events(.watched): .eventsWatched
            case .notificationsGiven: .notificationsGiven
            case .publicationRequested: .publicationRequested
            case .notificationsRead: .notificationsRead
            case .notificationsReadFailed: .notificationsReadFailed
            case .tilesAsked: .tilesAsked
            case .tilesUnwatched: .tilesUnwatched
            case .committed: .committed
            case .drainBegan: .drainBegan
            case .chat: .chat
            case .groupViewRequested: .groupViewRequested
            }
    }
}

/// The cases of `WorldEffect`.
///
/// A new case needs an entry here and a sample.
private enum EffectKind: CaseIterable {
    case welcome, answer, refused, acknowledged, reportRefused, badFix, resend, selfMoved, locateStarted, locate,
        located
    case locateExpired, publish, notify, readNotifications, close, rosterShown, subscribe, unsubscribe, leftGroup,
        rosterChanged, rosterClosed,
        journal
    case loadGroup, checkLogins, publishNear, readSpots, countVotes, glance, readSpotTexts
    case atlas, eventsWatched, events, eventShown, chat, groupViewed, trouble

    init(_ effect: WorldEffect) {
        self =
            switch effect {
            case .welcome: .welcome
            case .answer: .answer
            case .refused: .refused
            case .acknowledged: .acknowledged
            case .reportRefused: .reportRefused
            case .badFix: .badFix
            case .resend: .resend
            case .selfMoved: .selfMoved
            case .locate(.started): .locateStarted
            case .locate(.asked): .locate
            case .locate(.found): .located
            case .locate(.expired): .locateExpired
            case .publish: .publish
            case .notify: .notify
            case .checkLogins: .checkLogins
            case .readNotifications: .readNotifications
            case .close: .close
            case .rosterShown: .rosterShown
            case .subscribe: .subscribe
            case .unsubscribe: .unsubscribe
            case .leftGroup: .leftGroup
            case .rosterChanged: .rosterChanged
            case .rosterClosed: .rosterClosed
            case .journal: .journal
            case .loadGroup: .loadGroup
            case .publishNear: .publishNear
            case .spots(.read): .readSpots
            case .spots(.countVotes): .countVotes
            case .glance: .glance
            case .spots(.readTexts): .readSpotTexts
            case .atlas: .atlas
            case .events(.watched): .eventsWatched
            case .events(.pushed): .events
            case .events(.shown): .eventShown
            case .chat: .chat
            case .groupViewed: .groupViewed
            case .trouble: .trouble
            }
    }
}

/// The cases of `JournalRecord`.
///
/// A new case needs an entry here and a sample.
private enum RecordKind: CaseIterable {
    case fix, device, verdict, position, presence, sessionOpened, sessionClosed, notification, seen, gathering, machine,
        setAside

    init(_ record: JournalRecord) {
        self =
            switch record {
            case .fix: .fix
            case .device: .device
            case .verdict: .verdict
            case .position: .position
            case .presence: .presence
            case .sessionOpened: .sessionOpened
            case .sessionClosed: .sessionClosed
            case .notification: .notification
            case .seen: .seen
            case .gathering: .gathering
            case .machine: .machine
            case .setAside: .setAside
            }
    }
}
