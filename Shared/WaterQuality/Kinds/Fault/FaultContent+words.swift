import Words

extension FaultContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        let flatAt = flatAt(in: notice.unit, language)
        let what = "notice.\(flatAt == nil ? "broken" : "flat")\(notice.isOver ? "_over" : "")"
        return (
            parameter.text(notice.isOver ? "probeWorks" : notice.isReminder ? "stillProbe" : "probe", in: language),
            language.text(
                what,
                [
                    "value": flatAt ?? "", "since": language.moment(notice.since, notice.now),
                    "at": language.moment(notice.at, notice.now),
                ])
        )
    }
}
