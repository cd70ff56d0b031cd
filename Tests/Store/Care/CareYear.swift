import TestSupport
import Testing
import WaterQuality

/// A year of a tank: two keepers who do, forget, leave out, put off and undo, a notifier that is away at times, and beside them the model, which
/// says after each step who has to be told what.
struct CareYear {
    let scene: CareScene
    let label: String
    private(set) var model = CareModel()
    /// How often everything happened.
    private(set) var counts: [String: Int] = [:]
    private var random: SeededGenerator
    private var now = Wall.instant("2025-01-01 00:00")
    private var plans = YearPlan.all
    private var versions: [Int64] = []
    private var acts = 0
    private var isShared = true
    private var visits: [Keeper: Int]
    private var regrets: [Regret] = []
    /// Until when the notifier is away.
    private var away = 0
    /// When the database has something planned.
    private var planned: Int?
    /// Messages whose place another has taken.
    private var replaced: Set<String> = []

    /// An act that is undone at a time.
    private struct Regret {
        var at: Int
        var place: Int
        var act: ModelReminder.Act
    }

    init(_ scene: CareScene, seed: UInt64) {
        self.scene = scene
        label = "seed \(seed)"
        random = SeededGenerator(seed: seed)
        visits = [.kim: now + 8 * 3600, .lee: now + 19 * 3600]
    }

    mutating func live() async throws {
        while now < Wall.instant("2026-01-01 00:00") {
            while let plan = plans.first, plan.at <= now { try await follow(plans.removeFirst().step) }
            for keeper in Keeper.allCases where visits[keeper, default: .max] <= now { try await visit(by: keeper) }
            for regret in regrets where regret.at <= now { try await undo(regret.act, on: regret.place) }
            regrets.removeAll { $0.at <= now }
            if now >= away { try await look() }
            let instants =
                [model.next(after: now), planned, plans.first?.at].compactMap(\.self) + regrets.map(\.at)
                + visits.values
            now = (instants + [away]).filter { $0 > now }.min() ?? .max
        }
    }

    private var time: String { Wall.text(now / 86_400, now % 86_400 / 60) }

    private mutating func count(_ what: String) { counts[what, default: 0] += 1 }

    // MARK: The notifier

    private mutating func look() async throws {
        let expected = model.tell(at: now)
        let found = try await scene.notifier.look(at: now)
        planned = found.next
        var told: [Keeper: [String]] = [:]
        let messages = Dictionary(grouping: found.lines, by: \.message)
        for lines in messages.values where !lines[0].replaces.isEmpty {
            let isFirst = replaced.insert(lines[0].replaces).inserted
            #expect(isFirst, "\(label), \(time): replaced twice")
            count("replaced")
        }
        let news = messages.values.filter { $0[0].replaces.isEmpty }
        for (keeper, account) in scene.accounts {
            let theirs = news.filter { $0[0].account == account.rawValue }
            #expect(theirs.count <= 1, "\(label), \(time): all at once are one message")
            if let lines = theirs.first { told[keeper] = lines.map(\.text).sorted() }
        }
        try #require(told == expected, "\(label), \(time)")
        for (keeper, lines) in told {
            count("told \(keeper)")
            for line in lines where YearPlan.changesOfClocks.contains(where: { line.hasPrefix($0) }) { count("clocks") }
            if lines.contains(where: { !$0.hasSuffix(" 0") }) { count("missed") }
            if lines.count > 1 { count("several") }
        }
    }

    // MARK: What is planned

    private mutating func follow(_ step: YearPlan.Step) async throws {
        switch step {
        case .add(let name, let rule, let keepers, let maker):
            let place = versions.count
            try await scene.set(place, name, rule, version: nil, for: keepers, by: maker, at: now)
            versions.append(1)
            model.reminders.append(ModelReminder(name, rule, at: now, for: keepers ?? Keeper.allCases))
        case .change(let name, let rule):
            guard let place = model.reminders.firstIndex(where: { $0.name == name }) else { return }
            try await set(place, rule, for: nil)
            model.reminders[place].follow(rule, from: now)
        case .end(let name):
            guard let place = model.reminders.firstIndex(where: { $0.name == name }) else { return }
            try await scene.end(place, by: .kim, at: now)
            model.reminders[place].end()
        case .leave:
            try await scene.leave()
            for place in model.reminders.indices { model.reminders[place].leave(.lee) }
            isShared = false
        case .comeBack(let names):
            try await scene.join(2)
            isShared = true
            for place in model.reminders.indices where names.contains(model.reminders[place].name) {
                try await set(place, model.reminders[place].rule, for: Keeper.allCases)
                model.reminders[place].told[.lee] = now
            }
        case .stop(let hours): away = now + hours * 3600
        }
    }

    private mutating func set(_ place: Int, _ rule: ModelRule, for keepers: [Keeper]?) async throws {
        let name = model.reminders[place].name
        try await scene.set(place, name, rule, version: versions[place], for: keepers, by: .kim, at: now)
        versions[place] += 1
    }

    // MARK: What people do

    private mutating func visit(by keeper: Keeper) async throws {
        let next = now + 60 * Int.random(in: 900...6300, using: &random)
        visits[keeper] =
            YearPlan.holidays.contains(next) ? YearPlan.holidays.upperBound + next % 36_000 / 60 * 60 : next
        guard isShared || keeper == .kim else { return }
        for place in model.reminders.indices {
            if let act = choose(for: model.reminders[place], keeper) { try await perform(act, on: place) }
        }
    }

    private mutating func choose(for reminder: ModelReminder, _ keeper: Keeper) -> ModelReminder.Act? {
        let mood = Int.random(in: 0..<12, using: &random)
        let early = reminder.early(at: now)
        guard let open = reminder.open(at: now)?.occurrence else {
            return early.flatMap { mood < 2 ? act(mood == 0 ? .done : .skipped, $0, keeper) : nil }
        }
        switch mood {
        case 0...4: return act(.done, open, keeper)
        case 5: return act(.done, open, keeper, at: Int.random(in: max(open.at, now - 21_600)...now, using: &random))
        case 6: return act(.skipped, open, keeper)
        case 7: return act(.later, open, keeper, until: now + 60 * Int.random(in: 30...3600, using: &random))
        case 8: return early.map { act(.done, $0, keeper) }
        default: return nil
        }
    }

    private mutating func act(
        _ what: ModelReminder.Act.What, _ one: ModelReminder.Occurrence, _ keeper: Keeper, at time: Int? = nil,
        until: Int? = nil
    ) -> ModelReminder.Act {
        acts += 1
        count(one.at > now ? "\(what) early" : time == nil ? "\(what)" : "\(what) before")
        return ModelReminder.Act(id: acts, what: what, day: one.day, at: time ?? now, until: until, by: keeper)
    }

    private mutating func perform(_ act: ModelReminder.Act, on place: Int) async throws {
        let rule = model.reminders[place].rule
        let first = try await scene.act(act, on: place, rule, by: act.by, at: now)
        #expect(first == CareScene.Standing(id: act.id, isNew: true))
        model.reminders[place].act(act)
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            let again = try await scene.act(act, on: place, rule, by: act.by, at: now)
            #expect(again == CareScene.Standing(id: act.id, isNew: false), "\(label): sent twice it counts once")
        case 1 where isShared && act.what != .later:
            acts += 1
            let other: Keeper = act.by == .kim ? .lee : .kim
            var same = act
            (same.id, same.at) = (acts, now)
            let second = try await scene.act(same, on: place, rule, by: other, at: now)
            #expect(second == CareScene.Standing(id: act.id, isNew: false), "\(label): the first did it")
        case 2: try await undo(act, on: place)
        case 3:
            let time = now + 60 * Int.random(in: 20...400, using: &random)
            regrets.append(Regret(at: time, place: place, act: act))
        default: break
        }
    }

    private mutating func undo(_ act: ModelReminder.Act, on place: Int) async throws {
        // Somebody may have put it off anew since.
        guard model.reminders[place].knows(act) else { return }
        try await scene.undo(act, of: place, by: isShared ? act.by : .kim, at: now)
        model.reminders[place].undo(act, at: now)
        count("undone")
    }
}
