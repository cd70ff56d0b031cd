import Words

extension ByHandContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        if notice.isOver { return (parameter.text("within", in: language), notice.text("byHand_over", in: language)) }
        // A digest knows that it was outside, and no more.
        guard let (told, found) = told(in: notice.unit) else {
            return (parameter.text("alert", in: language), notice.text("byHand_out", in: language))
        }
        return (
            parameter.text("\(found.side.rawValue)\(found.isCritical ? "Critical" : "")", in: language),
            language.joined([
                notice.text(
                    "byHand_\(found.side.rawValue)", in: language,
                    ["value": told.text(found.value, language), "limit": told.text(found.limit, language)]),
                parameter.text("\(found.side.rawValue)Action", in: language),
            ])
        )
    }
}
