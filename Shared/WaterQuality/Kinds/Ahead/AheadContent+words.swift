import Words

extension AheadContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        if notice.isOver { return (parameter.text("turned", in: language), notice.text("ahead_over", in: language)) }
        // A digest knows that it was on its way, and no more.
        guard let side = outlook?.side else { return (parameter.text("heads", in: language), "") }
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
