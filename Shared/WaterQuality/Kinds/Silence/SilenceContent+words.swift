import Words

extension SilenceContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        let state = notice.isOver ? "heard" : notice.isReminder ? "stillSilent" : "silent"
        let since = language.moment(notice.since, notice.now)
        let body =
            notice.isOver
            ? language.text("notice.silence_over", ["at": language.moment(notice.at, notice.now), "since": since])
            : language.text("notice.silence_\(cause.rawValue)", ["since": since])
        return (parameter.map { $0.text(state, in: language) } ?? language.text("notice.\(state)"), body)
    }
}
