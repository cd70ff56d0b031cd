/// A reminder as a naive reader of the promises expects it to go on, and what each keeper sees of it.
struct ModelReminder {
    /// What somebody did about the occurrence of a day.
    struct Act: Equatable {
        enum What: String { case done, skipped, later }
        var id: Int
        var what: What
        var day: Int
        var at: Int
        /// Until when it is put off.
        var until: Int?
        var by: Keeper
    }

    /// The last message of it to somebody.
    struct Telling {
        var day: Int
        var message: Int
        var at: Int
        /// Whether it was replaced by who did it, so that an undo would not bring it back.
        var isReplaced = false
    }

    struct Occurrence: Equatable {
        var day: Int
        var at: Int
    }

    let name: String
    private(set) var rule: ModelRule
    private(set) var isEnded = false
    /// Who is told, each of what comes after a time.
    var told: [Keeper: Int]
    var tellings: [Keeper: Telling] = [:]
    private var since: Int
    private var ahead: [Occurrence] = []
    private var settled: [Int: Act] = [:]
    private var putOff: [Int: Act] = [:]

    private static let lastDay = Wall.day("2026-03-31")
    /// More missed ones are not counted.
    private static let mostMissed = 8

    init(_ name: String, _ rule: ModelRule, at now: Int, for keepers: [Keeper]) {
        self.name = name
        self.rule = rule
        since = now
        told = Dictionary(uniqueKeysWithValues: keepers.map { ($0, now) })
        follow(rule, from: now)
    }

    /// Begins anew by another rule: nothing of before is open, or missed.
    mutating func follow(_ rule: ModelRule, from now: Int) {
        self.rule = rule
        since = now
        ahead = rule.days(until: Self.lastDay).map { Occurrence(day: $0, at: rule.instant(of: $0)) }
    }

    mutating func end() { isEnded = true }

    // MARK: Occurrences

    /// The occurrence that is counted from what was done last.
    private var counted: Occurrence? {
        guard case .afterDone(let gap) = rule.rhythm else { return nil }
        let last = settled.values.max { ($0.at, $0.day) < ($1.at, $1.day) }
        let day = last.map { max(Wall.day(rule.zone, at: $0.at) + gap, $0.day + 1) } ?? rule.firstDay
        return Occurrence(day: day, at: rule.instant(of: day))
    }

    private func isSettled(_ day: Int) -> Bool {
        settled[day] != nil || settled.values.contains { $0.day > day && $0.what == .done }
    }

    /// What is to be done now, and when it came, or came last.
    func open(at now: Int) -> (occurrence: Occurrence, came: Int)? {
        guard !isEnded, let last = counted ?? ahead.last(where: { $0.at <= now }), last.at <= now, last.at > since,
            !isSettled(last.day)
        else { return nil }
        let begins = max(last.at, putOff[last.day]?.until ?? last.at)
        guard begins <= now else { return nil }
        let again = repetition(of: last)
        return (last, again.map { $0 <= now ? max(begins, $0) : begins } ?? begins)
    }

    /// One that has no next until it is done is told once more, when the next would have been.
    private func repetition(of one: Occurrence) -> Int? {
        if case .afterDone(let gap) = rule.rhythm { rule.instant(of: one.day + gap) } else { nil }
    }

    /// How many were missed right before one: since it was last done, or left out.
    func missed(before day: Int) -> Int {
        let stop = settled.keys.filter { $0 < day }.max() ?? .min
        return min(Self.mostMissed, ahead.count { $0.day < day && $0.day > stop && $0.at > since })
    }

    /// The next one that may already be done.
    func early(at now: Int) -> Occurrence? {
        guard !isEnded else { return nil }
        let next = counted ?? ahead.first { $0.at > now && settled[$0.day] == nil }
        return next.flatMap { $0.at > now && $0.at > since && now >= $0.at - rule.gap * 43_200 ? $0 : nil }
    }

    /// When something changes by itself.
    func next(after now: Int) -> Int? {
        guard !isEnded else { return nil }
        let own = counted.map { [$0.at, repetition(of: $0) ?? now] } ?? [ahead.first { $0.at > now }?.at ?? now]
        return (own + putOff.values.compactMap(\.until)).filter { $0 > now }.min()
    }

    // MARK: Acts

    mutating func act(_ act: Act) {
        if act.what == .later { putOff[act.day] = act } else { settled[act.day] = act }
    }

    func knows(_ act: Act) -> Bool { settled[act.day] == act || putOff[act.day] == act }

    /// As if nobody had done it. Who still sees the message that told it knows that it is open; all others are told.
    mutating func undo(_ act: Act, at now: Int) {
        let before = tellings.filter { isSettled($0.value.day) }.keys
        if act.what == .later { putOff[act.day] = nil } else { settled[act.day] = nil }
        for keeper in before {
            guard let telling = tellings[keeper], !isSettled(telling.day) else { continue }
            tellings[keeper]?.isReplaced = false
            if telling.isReplaced { tellings[keeper] = nil }
        }
        if open(at: now) != nil { told = told.mapValues { _ in .min } }
    }

    mutating func leave(_ keeper: Keeper) {
        told[keeper] = nil
        tellings[keeper] = nil
    }

    // MARK: Telling

    /// The occurrence that somebody does not know to be open, although it is.
    func news(for keeper: Keeper, at now: Int) -> Occurrence? {
        guard let start = told[keeper], let open = open(at: now), open.came > start else { return nil }
        if let telling = tellings[keeper], telling.day == open.occurrence.day, telling.at >= open.came { return nil }
        return open.occurrence
    }

    func isOver(_ telling: Telling) -> Bool { isSettled(telling.day) }
}
