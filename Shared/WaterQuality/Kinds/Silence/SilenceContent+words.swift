import Words

extension SilenceContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        let state = notice.isOver ? "heard" : notice.isReminder ? "stillSilent" : "silent"
        return (
            parameter.map { $0.text(state, in: language) } ?? notice.text(state, in: language),
            language.joined([
                notice.text("silence_\(notice.isOver ? "over" : cause.rawValue)", in: language),
                (notice.isOver ? site?.rest(notice, in: language) : hint?.text(in: language)) ?? "",
            ])
        )
    }
}
