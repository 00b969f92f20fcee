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
    case answerRequested, groupChanged, sharingNarrowed, sharingResolved, groupsStored, loginsSuspected, loginEnded,
        accountDeleted
    case spotsAdded, spotsDeleted, publicationRequested, spotsWatched, spotsSent, spotVoted
    case unanswered, group, ended, inbox, missedSpots, votes, spotTexts, rooms, roomChanges, roomVersions, event
    case eventsChanged, eventsRemoved, eventsLoaded, eventsWatched, notificationsGiven
    case tilesAsked, tilesUnsubscribed, committed, drainBegan, chat, groupViewRequested

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
            case .sharingResolved: .sharingResolved
            case .answered(_, nil): .unanswered
            case .answered(_, .group?): .group
            case .answered(_, .ended?): .ended
            case .answered(_, .inbox?): .inbox
            case .answered(_, .missedSpots?): .missedSpots
            case .answered(_, .votes?): .votes
            case .answered(_, .spotTexts?): .spotTexts
            case .answered(_, .rooms?): .rooms
            case .answered(_, .roomChanges?): .roomChanges
            case .answered(_, .roomVersions?): .roomVersions
            case .answered(_, .event?): .event
            case .groupsStored: .groupsStored
            case .loginsSuspected: .loginsSuspected
            case .loginEnded: .loginEnded
            case .accountDeleted: .accountDeleted
            case .spots(.added): .spotsAdded
            case .spots(.deleted): .spotsDeleted
            case .spots(.subscribed): .spotsWatched
            case .spots(.sent): .spotsSent
            case .spots(.voted): .spotVoted
            case .events(.changed): .eventsChanged
            case .events(.removed): .eventsRemoved
            case .events(.loaded): .eventsLoaded
            case .events(.subscribed): .eventsWatched
            case .notificationsGiven: .notificationsGiven
            case .publicationRequested: .publicationRequested
            case .tilesAsked: .tilesAsked
            case .tilesUnsubscribed: .tilesUnsubscribed
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
    case locateExpired, publish, notify, close, rosterShown, subscribe, unsubscribe, leftGroup,
        rosterChanged, rosterClosed,
        journal
    case publishNear, glance
    case group, ended, inbox, missedSpots, votes, spotTexts, rooms, roomChanges, roomVersions, event
    case clusters, eventsWatched, events, eventShown, chat, groupViewed, trouble

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
            case .ask(.group): .group
            case .ask(.ended): .ended
            case .ask(.inbox): .inbox
            case .ask(.missedSpots): .missedSpots
            case .ask(.votes): .votes
            case .ask(.spotTexts): .spotTexts
            case .ask(.rooms): .rooms
            case .ask(.roomChanges): .roomChanges
            case .ask(.roomVersions): .roomVersions
            case .ask(.event): .event
            case .close: .close
            case .rosterShown: .rosterShown
            case .subscribe: .subscribe
            case .unsubscribe: .unsubscribe
            case .leftGroup: .leftGroup
            case .rosterChanged: .rosterChanged
            case .rosterClosed: .rosterClosed
            case .journal: .journal
            case .publishNear: .publishNear
            case .glance: .glance
            case .clusters: .clusters
            case .events(.subscribed): .eventsWatched
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
        suspension

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
            case .suspension: .suspension
            }
    }
}
