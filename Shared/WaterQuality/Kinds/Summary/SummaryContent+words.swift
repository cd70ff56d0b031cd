package import Words

extension SummaryContent {
    /// More is not read on a phone, and not taken by all services.
    private static let mostLines = 6
    private static let mostCharacters = 900

    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        var lines = [period(in: language)]
        var room = Self.mostCharacters - lines[0].count
        for tank in tanks.prefix(Self.mostLines) {
            let line = tank.line(in: language)
            room -= line.count + 1
            guard room >= 0 else { break }
            lines.append(line)
        }
        return (headline(in: language), (lines + [more(than: lines.count - 1, in: language)]).filled)
    }

    /// The headline: what goes on, what was, or that all is well.
    private func headline(in language: Language) -> String {
        switch standing {
        case .goesOn(let trouble, let tank):
            return language.text(
                "language.heading", ["device": tank.shortName, "title": trouble.text(isHeadline: true, in: language)])
        case .several:
            return counted("summary_open", whole.open, whole.troubled, in: language) {
                !$0.troubles.filter(\.goesOn).isEmpty
            }
        case .over:
            return counted("summary_over", whole.alarms, whole.alarmed, in: language) {
                $0.troubles.contains { $0.alarms > 0 }
            }
        case .silent: return counted("summary_silent", whole.silent, whole.silent, in: language, of: \.isSilent)
        case .well: return language.text("notice.summary_well")
        }
    }

    /// A sentence with a count and where that is: a single tank is named.
    private func counted(
        _ key: String, _ count: Int, _ tanksConcerned: Int, in language: Language, of isConcerned: (Tank) -> Bool
    ) -> String {
        let only = tanksConcerned == 1 ? tanks.first(where: isConcerned) : nil
        let place = only?.shortName ?? language.text("notice.summary_tanks", ["count": "\(tanksConcerned)"])
        return language.text(
            "notice.\(key)", ["count": "\(count)", "where": place], form: count == 1 ? "one" : "other")
    }

    /// The days that it is about.
    private func period(in language: Language) -> String {
        guard whole.from != whole.through else {
            return language.text("notice.summary_day", ["date": Self.date(whole.from, in: language)])
        }
        return language.text(
            "notice.summary_days",
            ["from": Self.date(whole.from, in: language), "through": Self.date(whole.through, in: language)])
    }

    /// A day without its year, as people write it.
    private static func date(_ day: String, in language: Language) -> String {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, (1...12).contains(parts[1]) else { return day }
        return language.text(
            "notice.summary_date", ["day": "\(parts[2])", "month": language.text("language.month_\(parts[1])")])
    }

    /// How many tanks are not named beside those that are.
    private func more(than named: Int, in language: Language) -> String {
        let more = whole.tanks - named
        return more > 0 ? language.text("notice.andMore", ["count": "\(more)"]) : ""
    }
}

extension SummaryContent {
    /// The same with more room, such as in a mail: sentences about what happened, and a table of the values.
    package struct Report: Hashable, Sendable {
        package var text: String
        /// Names of the columns, then rows of as many cells. The name of a tank stands in its first row.
        package var head: [String]
        package var rows: [[String]]
    }

    package func report(in language: Language) -> Report {
        let told = tanks.compactMap { tank in
            let facts = tank.facts(in: language)
            return facts.isEmpty ? nil : tank.line(of: facts, in: language)
        }
        let rows = tanks.flatMap { tank in
            tank.ranges.compactMap { $0.told(in: language) }.enumerated().map { place, told in
                [place == 0 ? tank.name : "", told.name, told.least.withUnit, told.most.withUnit]
            }
        }
        return Report(
            text: ([period(in: language)] + told + [more(than: tanks.count, in: language)]).filled,
            head: ["tank", "reading", "lowest", "highest"].map { language.text("notice.summary_\($0)") }, rows: rows)
    }
}

extension SummaryContent.Tank {
    private static let longestName = 40
    private static let mostFacts = 3
    private static let mostRanges = 4

    var shortName: String {
        name.count > Self.longestName ? "\(name.prefix(Self.longestName - 1))…" : name
    }

    /// What happened there; empty where nothing did.
    func facts(in language: Language) -> [String] {
        let isTold = troubles.contains { $0.kind == Alert.Kind.silence.rawValue && $0.parameter == nil && $0.goesOn }
        return troubles.prefix(Self.mostFacts).map { $0.told(in: language) }
            + (isSilent && !isTold ? [language.text("notice.summary_noReadings")] : [])
    }

    /// The tank in one line: what happened, then the values.
    func line(in language: Language) -> String {
        let all =
            facts(in: language)
            + ranges.prefix(Self.mostRanges).compactMap { range in
                range.told(in: language).map { told in
                    told.least.digits == told.most.digits
                        ? language.text("notice.summary_steady", ["name": told.name, "value": told.most.withUnit])
                        : language.text(
                            "notice.summary_range",
                            ["name": told.name, "least": told.least.digits, "most": told.most.withUnit])
                }
            }
        return line(of: all.isEmpty ? [language.text("notice.summary_noAlarms")] : all, in: language)
    }

    func line(of facts: [String], in language: Language) -> String {
        let list = facts.dropFirst().reduce(facts.first ?? "") { all, next in
            language.text("language.list", ["first": all, "next": next])
        }
        return language.text("language.heading", ["device": shortName, "title": list])
    }
}

extension SummaryContent.Trouble {
    /// What it was, how often, and whether it goes on.
    func told(in language: Language) -> String {
        let what = text(isHeadline: false, in: language)
        let counted =
            alarms > 1 ? language.text("notice.summary_times", ["what": what, "count": "\(alarms)"]) : what
        return goesOn ? language.text("notice.summary_goesOn", ["what": counted]) : counted
    }

    /// - Parameter isHeadline: Whether it stands as a sentence, of what goes on.
    func text(isHeadline: Bool, in language: Language) -> String {
        let known = Alert.Kind(rawValue: kind)
        guard let parameter = parameter.flatMap(Parameter.init(rawValue:)) else {
            let isSilence = known == .silence && self.parameter == nil
            return language.text(isSilence ? isHeadline ? "notice.stillSilent" : "notice.silent" : "notice.alert")
        }
        if known == .fault, !isHeadline {
            return language.text("notice.summary_probe", ["name": parameter.text(in: language)])
        }
        let side = side.flatMap(Side.init(rawValue:))?.rawValue
        let state =
            switch known {
            case .range: side.map { isHeadline ? $0.still : "\($0)Short" }
            case .silence: isHeadline ? "stillSilent" : "silent"
            case .fault: "stillProbe"
            case .rate: "changesFast"
            case .ahead: "heads"
            // Tests by hand are told as they are made.
            case .byHand, .test, .way, .signIn, .summary, .proof, .care, nil: nil as String?
            }
        return parameter.text(state ?? "alert", in: language)
    }
}

extension SummaryContent.Range {
    /// The parameter's name, and the values in the person's unit.
    fileprivate struct Told {
        var name: String
        var least: (digits: String, withUnit: String)
        var most: (digits: String, withUnit: String)
    }

    /// - Returns: `nil` for a parameter that only a newer version knows.
    fileprivate func told(in language: Language) -> Told? {
        guard let parameter = Parameter(rawValue: parameter) else { return nil }
        let told = ToldValues(parameter, in: Unit(rawValue: unit), value: least, limit: nil, worst: most)
        func text(_ value: Float) -> (String, String) { (told.digits(value, language), told.text(value, language)) }
        return Told(name: parameter.text(in: language), least: text(least), most: text(most))
    }
}

extension Parameter {
    fileprivate func text(in language: Language) -> String { language.text("water.\(name)") }
}

extension [String] {
    /// Lines without the empty ones.
    fileprivate var filled: String { filter { !$0.isEmpty }.joined(separator: "\n") }
}
