import Words

extension FaultContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        if let (told, by) = toldDifference(in: notice.unit) {
            let title = notice.isReminder ? "stillDiffers" : "differs"
            return (
                parameter.text(title, in: language),
                language.joined([
                    notice.text(
                        by > 0 ? "differs_high" : "differs_low", in: language,
                        ["value": told.text(by, language)]),
                    notice.text("differs_action", in: language),
                ])
            )
        }
        let flatAt = flatAt(in: notice.unit, language)
        let what = "\(flatAt == nil ? "broken" : "flat")\(notice.isOver ? "_over" : "")"
        return (
            parameter.text(notice.isOver ? "probeWorks" : notice.isReminder ? "stillProbe" : "probe", in: language),
            notice.text(what, in: language, ["value": flatAt ?? ""])
        )
    }
}
