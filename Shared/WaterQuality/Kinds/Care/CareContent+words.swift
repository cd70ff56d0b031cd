import Instants
import Words

extension CareContent {
    /// More is not read on a phone.
    private static let mostLines = 8

    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        let only = whole.count == 1 ? items.first : nil
        if let only {
            let title = isDone ? only.done(in: language) : only.heading(in: language)
            return (title, isDone ? only.tank : only.body(notice, in: language))
        }
        let lines = items.prefix(Self.mostLines).map { isDone ? $0.doneLine(in: language) : $0.line(in: language) }
        let rest = whole.count - lines.count
        let more = rest > 0 ? [language.text("notice.andMore", ["count": "\(rest)"])] : []
        let title = !isDone ? "notice.care_due" : whole.skipped == true ? "notice.care_allOver" : "notice.care_allDone"
        return (
            language.text(title, ["count": "\(whole.count)"]),
            (lines + more).joined(separator: "\n")
        )
    }
}

extension CareContent.Item {
    /// Names are long as people like them; what is to be done is not to be cut off.
    private static let longestName = 40

    private var shortTank: String {
        tank.count > Self.longestName ? "\(tank.prefix(Self.longestName - 1))…" : tank
    }

    func heading(in language: Language) -> String {
        language.text("language.heading", ["device": shortTank, "title": name])
    }

    /// The time of the occurrence, and what was missed before it.
    func body(_ notice: Notice, in language: Language) -> String {
        let due = CivilTime(minuteText: on).map {
            language.text("notice.care_since", ["moment": language.moment($0, notice.now)])
        }
        return language.joined([due ?? "", missedText(in: language)])
    }

    func line(in language: Language) -> String { language.joined([heading(in: language), missedText(in: language)]) }

    private func missedText(in language: Language) -> String {
        missed == 0
            ? ""
            : language.text(
                missed < ReminderCourse.mostMissed ? "notice.care_missed" : "notice.care_missedMore",
                ["count": "\(missed)"],
                form: missed == 1 ? "one" : "other")
    }

    /// The line that says who did it, or left it out.
    func done(in language: Language) -> String {
        let key = skipped == true ? "care_skipped" : "care_done"
        guard let by else { return language.text("notice.\(key)", ["name": name]) }
        return language.text("notice.\(key)By", ["who": by, "name": name])
    }

    func doneLine(in language: Language) -> String {
        language.text("language.heading", ["device": shortTank, "title": done(in: language)])
    }
}
