import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import Postgres

@Suite("Plans in storage") struct PlanTests {
    @Test(
        "a plan is kept out of a suggestion for an hour, by whom it was made for, and only as far as its places allow"
    )
    func save() async throws {
        try await Store.with { store in
            let (ada, bo) = (try await store.person("Ada").user, try await store.person("Bo").user)
            let plans = [store.day(), store.day(isTimed: false)]
            let suggestion = try await store.directory.addSuggestion(plans, for: ada.id)
            let saved = try await store.directory.savePlan(
                PlanSave(suggestion, index: 1, name: " By the sea "),
                by: ada.id
            )
            #expect((saved.name, saved.person, saved.shares) == ("By the sea", ada, []))
            #expect(saved.plan == plans[1].kept)
            #expect(saved.plan.stops[0].place.address != nil && saved.plan.stops[1].place.address == nil)
            #expect(try await store.directory.plan(saved.id, for: ada.id) == saved)

            func refusal(_ save: PlanSave, by user: UserID) async -> Refusal? {
                await failure {
                    _ = try await store.directory.savePlan(save, by: user)
                }
            }
            #expect(await refusal(PlanSave(suggestion, index: 2, name: "A"), by: ada.id) == .badRequest(field: "index"))
            #expect(await refusal(PlanSave(suggestion, index: 0, name: " "), by: ada.id) == .badRequest(field: "name"))
            #expect(await refusal(PlanSave(suggestion, index: 0, name: "A"), by: bo.id) == .notFound)
            #expect(await refusal(PlanSave(SuggestionID(1), index: 0, name: "A"), by: ada.id) == .notFound)
            store.manual.advance(milliseconds: Directory.suggestionLifetime)
            #expect(await refusal(PlanSave(suggestion, index: 0, name: "A"), by: ada.id) == .gone)
            try await store.directory.maintain()
            #expect(try await store.count("muster.suggestion WHERE plans IS NOT NULL") == 0, "nothing is kept longer")
            #expect(await refusal(PlanSave(suggestion, index: 0, name: "A"), by: ada.id) == .gone)
            store.manual.advance(milliseconds: 86_400_000)
            try await store.directory.maintain()
            #expect(try await store.count("muster.suggestion") == 0)
            #expect(try await store.count("muster.plan") == 1)
        }
    }

    @Test("a person has twenty suggestions, of which the oldest gives way, and a hundred plans")
    func caps() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user.id
            var suggestions: [SuggestionID] = []
            for _ in 0...Directory.suggestionsPerPerson {
                suggestions.append(try await store.directory.addSuggestion([store.day()], for: ada))
            }
            func save(_ suggestion: SuggestionID) async -> Refusal? {
                await failure {
                    _ = try await store.directory.savePlan(PlanSave(suggestion, index: 0, name: "A"), by: ada)
                }
            }
            #expect(await save(suggestions[0]) == .gone)
            #expect(await save(suggestions[1]) == nil)
            try await store.pool.query(
                """
                INSERT INTO muster.plan (id, user_id, name, body, saved_at)
                SELECT n, user_id, name, body, saved_at FROM muster.plan, generate_series(1, 99) AS n
                """
            )
            #expect(await save(suggestions[2]) == .conflict)
            #expect(try await store.count("muster.plan") == 100)

            // Pages contain each plan once, newest first.
            var (ids, next): ([PlanID], PlanID?) = ([], nil)
            repeat {
                let page = try await store.directory.plans(after: next, for: ada)
                ids += page.plans.map(\.id)
                next = page.next
            } while next != nil
            #expect(ids.count == 100 && ids == ids.sorted(by: >))
        }
    }

    @Test("what a group has of a plan tells neither where nor when it begins, nor how far the first place is")
    func copy() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let (ada, bo) = (people[0].user, people[1].user)
            let plan = try await store.keptPlan(by: ada.id, isTimed: false)
            let proposal = try await store.directory.sharePlan(PlanShareRequest(plan.id, with: group.id), by: ada.id)
            #expect(proposal.numbers.map(\.user) == [bo.id])
            let seen = try await store.directory.plan(plan.id, for: bo.id)
            #expect(seen.plan == plan.plan.withoutOrigin)
            #expect(seen.shares.map(\.group) == [group.id])
            #expect(try await store.directory.plans(of: group.id, for: bo.id).plans == [seen])
            #expect(try await store.directory.plans(of: group.id, for: ada.id).plans.map(\.plan) == [seen.plan])
            #expect(try await store.directory.plan(plan.id, for: ada.id).plan.origin == plan.plan.origin)
            var texts = try await store.pool.query(
                "SELECT body::text AS text FROM muster.plan_share UNION ALL SELECT payload::text FROM muster.notification"
            ).map { try $0.text("text") }
            var export = store.directory.export(of: bo.id)
            while let piece = try await export.next() { texts.append(piece) }
            for secret in ["60.1234", "24.5678", "555", "777", "_first_"] {
                #expect(texts.allSatisfy { !$0.contains(secret) }, "\(secret) is told")
            }
            #expect(texts.count > 2)
        }
    }

    @Test("whoever blocks the one who proposes a plan is not told, and nobody learns of that")
    func blocked() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let users = people.map(\.user.id)
            let plan = try await store.keptPlan(by: users[0])
            _ = try await store.directory.block(users[0], by: users[1])
            _ = try await store.directory.block(users[2], by: users[0])
            let proposal = try await store.directory.sharePlan(PlanShareRequest(plan.id, with: group.id), by: users[0])
            #expect(proposal.numbers.map(\.user) == [users[2]])
            #expect(try await store.directory.inbox(of: users[1]).unseen.isEmpty)
            #expect(try await store.directory.plans(of: group.id, for: users[1]).plans.map(\.id) == [plan.id])
        }
    }

    @Test("members answer, and others cannot do anything with a plan")
    func access() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let (owner, ada, bo) = (people[0].user.id, people[1].user.id, people[2].user.id)
            let stranger = try await store.person("Di").user.id
            let elsewhere = try await store.directory.createGroup(name: "Elsewhere", by: bo)
            let directory = store.directory
            let plan = try await store.keptPlan(by: ada).id
            func refusals(_ user: UserID) async -> [Refusal?] {
                [
                    await failure { _ = try await directory.plan(plan, for: user) },
                    await failure {
                        _ = try await directory.plans(of: group.id, for: user)
                    },
                    await failure {
                        _ = try await directory.sharePlan(PlanShareRequest(plan, with: group.id), by: user)
                    },
                    await failure {
                        _ = try await directory.answerPlan(PlanAnswerRequest(.in, to: plan, in: group.id), by: user)
                    },
                    await failure {
                        _ = try await directory.unsharePlan(PlanUnshare(plan, from: group.id), by: user)
                    },
                    await failure {
                        _ = try await directory.deletePlan(plan, by: user)
                    },
                ]
            }
            #expect(await refusals(bo) == [.notFound, nil, .notFound, .notFound, .notFound, .notFound])
            _ = try await directory.sharePlan(PlanShareRequest(plan, with: group.id), by: ada)
            #expect(await refusals(bo) == [nil, nil, .forbidden, nil, .forbidden, .forbidden])
            #expect(
                await refusals(stranger) == [.notFound, .notMember, .notMember, .notMember, .notMember, .notFound]
            )
            let wrongGroup = await failure {
                _ = try await directory.answerPlan(PlanAnswerRequest(.in, to: plan, in: elsewhere.id), by: bo)
            }
            #expect(wrongGroup == .notFound)

            _ = try await directory.answerPlan(PlanAnswerRequest(.out, to: plan, in: group.id), by: owner)
            _ = try await directory.answerPlan(PlanAnswerRequest(.maybe, to: plan, in: group.id), by: ada)
            let answers = try await directory.answerPlan(PlanAnswerRequest(.none, to: plan, in: group.id), by: ada)
                .answers
            #expect(answers == PlanAnswers(in: 1, out: 1))
            let shares = try await directory.plan(plan, for: bo).shares
            #expect(shares.map(\.answer) == [.in] && shares.map(\.answers) == [answers])
            // The replies of a removed member are deleted; a plan remains when its owner leaves.
            _ = try await directory.removeMember(bo, from: group.id, by: owner)
            #expect(await refusals(bo)[1...] == [.notMember, .notMember, .notMember, .notMember, .notFound])
            #expect(try await directory.plan(plan, for: ada).shares.map(\.answers) == [PlanAnswers(out: 1)])
            _ = try await directory.leave(group.id, user: ada)
            #expect(try await directory.plans(of: group.id, for: owner).plans.map(\.id) == [plan])
            #expect(try await directory.plan(plan, for: ada).shares.isEmpty)
            #expect(try await directory.unsharePlan(PlanUnshare(plan, from: group.id), by: owner).groups == [group.id])
            #expect(try await directory.plans(of: group.id, for: owner).plans.isEmpty)
        }
    }

    @Test("answers at the same time are all counted, each after the one before, and so is who leaves meanwhile")
    func concurrentAnswers() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(9)
            let users = people.map(\.user.id)
            let directory = store.directory
            let plan = try await store.keptPlan(by: users[0]).id
            _ = try await directory.sharePlan(PlanShareRequest(plan, with: group.id), by: users[0])
            for answer in [PlanAnswer.in, .out, .maybe] {
                let changes = try await withThrowingTaskGroup(of: PlanChange.self) { tasks in
                    for user in users {
                        tasks.addTask {
                            try await directory.answerPlan(PlanAnswerRequest(answer, to: plan, in: group.id), by: user)
                        }
                    }
                    return try await tasks.reduce(into: []) { $0.append($1) }
                }
                func count(_ change: PlanChange) -> Int {
                    switch answer {
                    case .in: change.answers.in
                    case .maybe: change.answers.maybe
                    case .out: change.answers.out
                    case .none: 0
                    }
                }
                let inOrder = changes.sorted { $0.countedAt < $1.countedAt }
                #expect(inOrder.map(count) == Array(1...9))
                #expect(Set(changes.map(\.countedAt)).count == 9)
            }
            // Some leave while others answer: the newest count is correct.
            let changes = try await withThrowingTaskGroup(of: [PlanChange].self) { tasks in
                for user in users[1...4] {
                    tasks.addTask { try await directory.leave(group.id, user: user).plans }
                }
                for user in users[5...] {
                    tasks.addTask {
                        [try await directory.answerPlan(PlanAnswerRequest(.in, to: plan, in: group.id), by: user)]
                    }
                }
                return try await tasks.reduce(into: []) { $0 += $1 }
            }
            #expect(changes.count == 8)
            let last = try #require(changes.max { $0.countedAt < $1.countedAt })
            #expect(last.answers == PlanAnswers(in: 4, maybe: 1))
        }
    }

    @Test("nobody keeps more than a hundred plans, also when they save several at once")
    func concurrentSaves() async throws {
        try await Store.with { store in
            let ada = try await store.person("Ada").user.id
            let directory = store.directory
            let suggestion = try await directory.addSuggestion([store.day()], for: ada)
            _ = try await directory.savePlan(PlanSave(suggestion, index: 0, name: "A"), by: ada)
            try await store.pool.query(
                """
                INSERT INTO muster.plan (id, user_id, name, body, saved_at)
                SELECT n, user_id, name, body, saved_at FROM muster.plan, generate_series(1, 97) AS n
                """
            )
            let kept = await withTaskGroup(of: Bool.self) { tasks in
                for _ in 0..<8 {
                    tasks.addTask {
                        (try? await directory.savePlan(PlanSave(suggestion, index: 0, name: "A"), by: ada)) != nil
                    }
                }
                return await tasks.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(kept == 2)
            #expect(try await store.count("muster.plan") == 100)
        }
    }

    @Test("a plan is proposed once; taking it back takes back what nobody has seen yet")
    func withdraw() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let users = people.map(\.user.id)
            let plan = try await store.keptPlan(by: users[0]).id
            let share = PlanShareRequest(plan, with: group.id)
            let first = try await store.directory.sharePlan(share, by: users[0])
            #expect(first.numbers.map(\.number) == [1, 1])
            #expect(try await store.directory.sharePlan(share, by: users[0]).numbers.isEmpty)
            #expect(try await store.count("muster.notification") == 2)
            let content = try #require(try await store.directory.inbox(of: users[1]).unseen.first?.content)
            #expect(NotificationKind.planProposed.text(of: content) == "Owner proposes By the sea")
            try await store.pool.query(
                "UPDATE muster.notification SET seen_at = now() WHERE user_id = $1",
                [.int64(users[1].rawValue)]
            )
            let back = try await store.directory.unsharePlan(PlanUnshare(plan, from: group.id), by: users[0])
            #expect(back.notifications == [NotificationNumber(user: users[2], number: 1)])
            #expect(try await store.directory.inbox(of: users[2]).unseen.isEmpty)
            // A member who has seen it is not notified again.
            let again = try await store.directory.sharePlan(share, by: users[0])
            #expect(Set(again.numbers.map(\.number)) == [1, 2])
            let gone = try await store.directory.deletePlan(plan, by: users[0])
            #expect(gone.groups == [group.id])
            #expect(gone.notifications == [NotificationNumber(user: users[2], number: 2)])
            #expect(try await store.count("muster.plan_share") == 0)
        }
    }

    @Test("one's position of the last 45 minutes is known to oneself, whatever one shares")
    func position() async throws {
        try await Store.with { store in
            let admission = try await store.arrival()
            let (user, device) = (admission.arrival.user.id, admission.arrival.device)
            let journal = TestJournal(store)
            let age: Int64 = 45 * 60_000
            #expect(try await store.directory.ownPosition(of: user, notOlderThan: age) == nil)
            journal.submit([.position(user, .sample(device, at: store.now), .ok)])
            try await journal.finish()
            _ = try await store.directory.say(.paused, of: user)
            #expect(try await store.directory.ownPosition(of: user, notOlderThan: age) != nil)
            store.manual.advance(milliseconds: age)
            #expect(try await store.directory.ownPosition(of: user, notOlderThan: age) == nil)
        }
    }
}
