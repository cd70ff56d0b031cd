/// What keepers are to be told of a tank, and when.
struct CareModel {
    var reminders: [ModelReminder] = []
    private var messages = 0
    /// How often something was held back by quiet hours.
    private(set) var held = 0

    /// The end of the quiet hours that are on for somebody.
    private func quietEnd(_ keeper: Keeper, at now: Int) -> Int? {
        guard keeper == .lee else { return nil }
        let (day, minute) = (Wall.day("Europe/Lisbon", at: now), Wall.minute("Europe/Lisbon", at: now))
        let end: Int? = minute < 7 * 60 ? day : minute >= 22 * 60 ? day + 1 : nil
        return end.map { Wall.instant($0, 7 * 60, "Europe/Lisbon") }
    }

    /// The next instant at which somebody has to be told something, unless people act.
    func next(after now: Int) -> Int {
        let comings = reminders.compactMap { $0.next(after: now) }
        let mornings = Keeper.allCases.compactMap { keeper in
            reminders.contains { $0.news(for: keeper, at: now) != nil } ? quietEnd(keeper, at: now) : nil
        }
        return (comings + mornings).min() ?? .max
    }

    /// The lines of the messages that have to be sent now, one message to each keeper.
    mutating func tell(at now: Int) -> [Keeper: [String]] {
        var lines: [Keeper: [String]] = [:]
        for keeper in Keeper.allCases {
            let isQuiet = quietEnd(keeper, at: now) != nil
            messages += 1
            for place in reminders.indices {
                guard let one = reminders[place].news(for: keeper, at: now) else { continue }
                held += isQuiet ? 1 : 0
                // What waits is part of no message any more.
                reminders[place].tellings[keeper] =
                    isQuiet ? nil : ModelReminder.Telling(day: one.day, message: messages, at: now)
                guard !isQuiet else { continue }
                let (reminder, day) = (reminders[place], Wall.text(one.day, reminders[place].rule.minute))
                lines[keeper, default: []].append("\(reminder.name) \(day) \(reminder.missed(before: one.day))")
            }
            replace(for: keeper, at: now)
        }
        return lines.mapValues { $0.sorted() }
    }

    /// Messages all of which somebody has done are replaced; after three days also where something is left to be done.
    private mutating func replace(for keeper: Keeper, at now: Int) {
        let shown = reminders.indices.filter { reminders[$0].tellings[keeper] != nil }
        for (_, places) in Dictionary(grouping: shown, by: { reminders[$0].tellings[keeper]!.message }) {
            let over = places.filter { reminders[$0].isOver(reminders[$0].tellings[keeper]!) }
            let isUnreplaced = over.contains { !reminders[$0].tellings[keeper]!.isReplaced }
            let isOld = reminders[places[0]].tellings[keeper]!.at < now - 3 * 86_400
            guard isUnreplaced, isOld || over.count == places.count else { continue }
            for place in places { reminders[place].tellings[keeper]?.isReplaced = true }
        }
    }
}
