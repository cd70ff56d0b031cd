import Words

extension AheadContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        if notice.isOver { return (parameter.text("turned", in: language), notice.text("ahead_over", in: language)) }
        let side = outlook?.side ?? .low
        let title = parameter.text(side == .high ? "rises" : "falls", in: language)
        guard let (value, limit) = text(in: notice.unit, language), let expected = notice.expected else {
            return (title, "")
        }
        return (
            title,
            notice.text(
                "ahead_\(side.rawValue)", in: language,
                ["limit": limit, "expected": language.moment(expected, notice.now), "value": value])
        )
    }
}
