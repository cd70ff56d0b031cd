import Words

extension AheadContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        if notice.isOver {
            return (
                parameter.text("turned", in: language),
                language.text(
                    "notice.ahead_over",
                    [
                        "at": language.moment(notice.at, notice.now),
                        "since": language.moment(notice.since, notice.now),
                    ])
            )
        }
        let side = outlook?.side ?? .low
        let title = parameter.text(side == .high ? "rises" : "falls", in: language)
        guard let (value, limit) = text(in: notice.unit, language), let expected = notice.expected else {
            return (title, "")
        }
        return (
            title,
            language.text(
                "notice.ahead_\(side.rawValue)",
                ["limit": limit, "expected": language.moment(expected, notice.now), "value": value])
        )
    }
}
