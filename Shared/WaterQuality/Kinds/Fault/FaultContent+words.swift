import Words

extension FaultContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        let flatAt = flatAt(in: notice.unit, language)
        let what = "\(flatAt == nil ? "broken" : "flat")\(notice.isOver ? "_over" : "")"
        return (
            parameter.text(notice.isOver ? "probeWorks" : notice.isReminder ? "stillProbe" : "probe", in: language),
            notice.text(what, in: language, ["value": flatAt ?? ""])
        )
    }
}
