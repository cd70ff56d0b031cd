import Words

extension RangeContent {
    /// The value and the limit that it has crossed, in a sentence; `nil` where the limit is not known.
    func crossed(in language: Language, _ notice: Notice) -> String? {
        guard limit != nil else { return nil }
        let told = told(in: notice.unit)
        return notice.text(
            "\(side.rawValue)\(isCritical ? "Critical" : "")", in: language,
            ["value": told.text(value, language), "limit": told.text(toldLimit, language)])
    }

    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        let told = told(in: notice.unit)
        let value = told.text(value, language)
        if notice.isOver, isBeyond {
            return (parameter.text("within", in: language), notice.text("within", in: language, ["value": value]))
        }
        let limit = told.text(toldLimit, language)
        let crossed = "\(side.rawValue)\(isCritical ? "Critical" : "")"
        if notice.isOver {
            return (
                parameter.text("back", in: language, ["value": value]),
                notice.text("\(crossed)_over", in: language, ["limit": limit])
            )
        }
        let isNewlyUnstable = isUnstable && !notice.isReminder
        let form = isNewlyUnstable ? "_unstable" : isAfterWork ? "_afterWork" : ""
        let worst = notice.isReminder && hasBeenWorse ? told.text(worst, language) : nil
        return (
            parameter.text(
                isNewlyUnstable ? "unstable" : notice.isReminder || isAfterWork ? crossed.still : crossed, in: language),
            language.joined([
                notice.text(
                    "\(crossed)\(form)", in: language, ["value": value, "limit": limit]),
                limitTime.map { notice.text("limit_\($0.rawValue)", in: language) } ?? "",
                worst.map { notice.text(side == .high ? "highest" : "lowest", in: language, ["value": $0]) } ?? "",
                checkProbe ? notice.text("checkProbe", in: language) : "",
                parameter.text("\(side.rawValue)Action", in: language),
            ])
        )
    }
}
