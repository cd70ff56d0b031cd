import Words

extension SilentSite {
    /// The message about devices that fell silent at once, or are heard again.
    /// - Parameters:
    ///   - notices: Of whole devices, at least one, all of this site.
    ///   - most: How many devices are named.
    func message(_ notices: [Notice], most: Int, in language: Language) -> Notice.Message {
        // The power failed after the last reading that came.
        guard let last = notices.max(by: { $0.since < $1.since }) else { return .init(title: "", body: "") }
        let title = title(last, silent: notices.count, in: language)
        let heading = name.map { language.text("language.heading", ["device": $0, "title": title]) }
        let first = language.joined([
            last.text("site_\(last.isOver ? "over" : isConnected(notices) ? "connected" : "cutOff")", in: language),
            last.isOver ? "" : Self.hint(notices)?.text(ofSeveralIn: language) ?? "",
        ])
        let names = last.isOver ? missing : notices.compactMap(\.deviceName)
        let count = last.isOver ? missingCount : notices.count
        return Notice.Message(
            title: heading ?? title,
            body: ([first] + Self.lines(names, of: count, most: most, isMissing: last.isOver, in: language))
                .joined(separator: "\n"))
    }

    /// The sentence about the others, for the all-clear of one device.
    func rest(_ notice: Notice, in language: Language) -> String {
        missingCount == 0
            ? notice.text("site_allBack", in: language, ["of": "\(of)"])
            : Self.lines(missing, of: missingCount, most: Self.mostNames, isMissing: true, in: language)
                .joined(separator: " ")
    }

    private func title(_ notice: Notice, silent: Int, in language: Language) -> String {
        let back = max(0, of - missingCount)
        let (key, count) =
            notice.isOver
            ? (missingCount == 0 ? "site_allHeard" : "site_heard", back)
            : (notice.isReminder ? "site_stillSilent" : "site_silent", silent)
        return notice.text(key, in: language, ["count": "\(count)", "of": "\(max(of, count))"])
    }

    private func isConnected(_ notices: [Notice]) -> Bool { notices.allSatisfy { $0.silence?.cause == .connected } }

    /// Names in a line, and how many more there are in another.
    private static func lines(
        _ names: [String], of count: Int, most: Int, isMissing: Bool, in language: Language
    ) -> [String] {
        let shown = names.prefix(most)
        guard let first = shown.first else { return [] }
        let list = shown.dropFirst().reduce(first) { language.text("language.list", ["first": $0, "next": $1]) }
        let more = count - shown.count
        return [isMissing ? language.text("notice.site_missing", ["names": list]) : list]
            + (more > 0 ? [language.text("notice.andMore", ["count": "\(more)"])] : [])
    }

    /// The explanation on which the last words of all agree, as weak as the weakest of them bears it out.
    private static func hint(_ notices: [Notice]) -> SilenceHint? {
        let hints = notices.map { $0.silence?.hint }
        guard let first = hints.first.flatMap(\.self), hints.allSatisfy({ $0?.kind == first.kind }) else { return nil }
        let numbers = hints.compactMap { $0?.number }
        return SilenceHint(first.kind, (first.kind == .restarts ? numbers.min() : numbers.max()) ?? first.number)
    }
}

extension Notice {
    /// The silence of a whole device, of an alarm or a reminder and of its end; `nil` for anything else.
    var silence: SilenceContent? {
        guard [.alarm, .reminder, .recovery].contains(purpose), case .silence(let silence) = content,
            silence.parameter == nil
        else { return nil }
        return silence
    }
}
