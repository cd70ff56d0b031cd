import Words

extension RangeContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        let told = told(in: notice.unit)
        let value = told.text(value, language)
        if notice.isOver, isBeyond {
            return (parameter.text("within", in: language), language.text("notice.within", ["value": value]))
        }
        let (limit, since) = (told.text(toldLimit, language), language.moment(notice.since, notice.now))
        let crossed = "\(side.rawValue)\(isCritical ? "Critical" : "")"
        if notice.isOver {
            let at = language.moment(notice.at, notice.now)
            return (
                parameter.text("back", in: language, ["value": value]),
                language.text("notice.\(crossed)_over", ["at": at, "limit": limit, "since": since])
            )
        }
        let isNewlyUnstable = isUnstable && !notice.isReminder
        let worst = notice.isReminder && hasBeenWorse ? told.text(worst, language) : nil
        return (
            parameter.text(
                isNewlyUnstable ? "unstable" : notice.isReminder ? "still\(crossed.capitalised)" : crossed, in: language
            ),
            language.joined([
                language.text(
                    "notice.\(crossed)\(isNewlyUnstable ? "_unstable" : "")",
                    ["value": value, "limit": limit, "since": since]),
                worst.map { language.text("notice.\(side == .high ? "highest" : "lowest")", ["value": $0]) } ?? "",
                checkProbe ? language.text("notice.checkProbe") : "",
                parameter.text("\(side.rawValue)Action", in: language),
            ])
        )
    }
}

extension String {
    /// The text with its first letter in upper case, as parts of keys are joined.
    fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
