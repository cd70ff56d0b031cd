import Words

extension RateContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        if notice.isOver {
            return (
                parameter.text("steady", in: language),
                language.text(
                    "notice.rate_over",
                    [
                        "at": language.moment(notice.at, notice.now),
                        "since": language.moment(notice.since, notice.now),
                    ])
            )
        }
        let course = rises ? "RisesFast" : "FallsFast"
        let key = rises ? "risesFast" : "fallsFast"
        let title = parameter.text(notice.isReminder ? "still\(course)" : key, in: language)
        guard let (by, minutes, to, limit) = text(in: notice.unit, language) else { return (title, "") }
        let change = language.text(
            "notice.\(key)", ["by": by, "minutes": "\(minutes)", "to": to, "limit": limit])
        return (title, language.joined([change, parameter.text("rateAction", in: language)]))
    }
}
