import Words

extension RateContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        if notice.isOver { return (parameter.text("steady", in: language), notice.text("rate_over", in: language)) }
        // A digest knows that it changed, and no more.
        guard change != nil else { return (parameter.text("changesFast", in: language), "") }
        let course = rises ? "risesFast" : "fallsFast"
        let title = parameter.text(notice.isReminder ? course.still : course, in: language)
        guard let (by, minutes, to, limit) = text(in: notice.unit, language) else { return (title, "") }
        let change = notice.text(
            course, in: language, ["by": by, "minutes": "\(minutes)", "to": to, "limit": limit])
        return (title, language.joined([change, parameter.text("rateAction", in: language)]))
    }
}
