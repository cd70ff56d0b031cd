package import Words

/// Several notices in one message: what began on one device at once, devices of one owner that fell silent at once, or a digest of what was
/// gathered.
package struct NoticeGroup: Hashable, Sendable {
    /// The gravest first.
    package var notices: [Notice]
    /// Whether it tells later what was gathered, perhaps of several devices.
    package var isDigest: Bool

    /// How many notices have a line of their own, at most.
    package var mostLines: Int

    /// - Parameter mostLines: `nil`: as many as are read.
    package init(_ notices: [Notice], isDigest: Bool, mostLines: Int? = nil) {
        self.notices = notices
        self.isDigest = isDigest
        let site = isDigest ? nil : Self.site(of: notices)
        self.site = site
        self.mostLines = mostLines ?? (site == nil ? Self.mostLines : SilentSite.mostNames)
    }

    /// More lines are not read.
    package static let mostLines = 6

    /// Facts about the devices that fell silent at once, or are heard again, where all of them are of one site.
    private let site: SilentSite?

    private static func site(of notices: [Notice]) -> SilentSite? {
        let sites = notices.compactMap { $0.silence?.site }
        guard let first = sites.first, sites.count == notices.count, sites.allSatisfy({ $0.site == first.site }),
            notices.allSatisfy({ $0.isOver == notices[0].isOver })
        else { return nil }
        // The newest knows the most: of silences, how many devices there were; of the end, how few are left.
        return sites.max { ($0.of, -$0.missingCount) < ($1.of, -$1.missingCount) }
    }

    /// How many notices have no line.
    package var more: Int { max(0, notices.count - mostLines) }

    package func message(in language: Language) -> Notice.Message {
        if let site { return site.message(notices, most: mostLines, in: language) }
        var body = lines(in: language)
        if more > 0 { body.append(language.text("notice.andMore", ["count": "\(more)"])) }
        return Notice.Message(title: title(in: language), body: body.joined(separator: "\n"))
    }

    /// A line for each notice, as far as there is room.
    package func lines(in language: Language) -> [String] {
        notices.prefix(mostLines).map { $0.line(in: language, namesDevice: isDigest || site != nil) }
    }

    private func title(in language: Language) -> String {
        if isDigest {
            let isOver = notices.allSatisfy { $0.purpose == .past || $0.purpose == .recovery }
            return language.text(isOver ? "notice.digest_over" : "notice.digest", ["count": "\(notices.count)"])
        }
        // What is critical is said first, and by itself.
        guard let first = notices.first else { return "" }
        if first.content.range?.isCritical == true { return first.message(in: language).title }
        let title = language.text(first.isOver ? "notice.several_over" : "notice.several")
        return first.deviceName.map { language.text("language.heading", ["device": $0, "title": title]) } ?? title
    }
}

extension Notice {
    /// The notice in one line: what is wrong, and of a value out of range how far.
    func line(in language: Language, namesDevice: Bool) -> String {
        var notice = self
        if !namesDevice { notice.deviceName = nil }
        if purpose == .past {
            notice.purpose = .alarm
            return text("past_line", in: language, ["title": notice.message(in: language).title])
        }
        let title = notice.message(in: language).title
        guard let range = content.range, !isOver, let crossed = range.crossed(in: language, self) else { return title }
        return text("line", in: language, ["title": title, "text": crossed])
    }
}
