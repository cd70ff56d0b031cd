import FoundationEssentials
package import Instants
package import Postgres
package import WaterQuality

/// The content of an alert as the typed columns of its row: the only place that converts between the two. A column is null if the
/// kind has no use for it.
package struct AlertColumns: Hashable, Sendable {
    package var kind: String
    package var parameter: Int16?
    package var side: Side?
    /// The value in the parameter's canonical unit, like `worst`, `limit` and `change`.
    package var value: Float?
    package var worst: Float?
    package var limit: Float?
    package var checkProbe = false
    package var isCritical = false
    package var isUnstable = false
    package var isAfterWork = false
    package var change: Float?
    package var changeSeconds: Int32?
    /// The side of the limit that will be reached, or beyond which a value by hand is.
    package var heading: Side?
    package var expectedAt: Timestamp?
    /// The probable explanation of a silence (`SilenceHint.stored`).
    package var hint: String?
    /// The time that the limit is of; null: it is the plain one.
    package var limitTime: String?
    /// The devices with which one fell silent, as JSON: the row that `about` then has. It is written beside the others, and read by `content`.
    package private(set) var site: String?

    /// The names of the columns, in the order in which they are read and bound.
    package static let names = [
        "kind", "parameter", "side", "value", "worst", "limit_value", "check_probe", "critical", "unstable",
        "after_work", "change", "change_seconds", "heading", "expected_at", "hint",
        "limit_time",
    ]

    /// - Parameter purpose: The purpose; an all-clear asks nobody to check a probe.
    package init(_ content: Alert.Content, of purpose: Alert.Purpose) {
        kind = content.kind.rawValue
        parameter = content.subject?.rawValue
        switch content {
        case .range(let range):
            (side, value, worst, limit) = (range.side, range.value, range.worst, range.limit)
            (checkProbe, isCritical, isUnstable) = (range.checkProbe, range.isCritical, range.isUnstable)
            isAfterWork = range.isAfterWork
            limitTime = range.limitTime?.rawValue
        case .silence(let silence):
            (checkProbe, hint, site) = (silence.checkProbe, silence.hint?.stored, silence.site?.stored)
        case .fault(let fault):
            (value, change, checkProbe) = (fault.flatAt, fault.differsBy, purpose != .recovery)
        case .rate(let rate):
            (change, value, limit) = (rate.change?.by, rate.change?.value, rate.change?.limit)
            changeSeconds = rate.change.map { Int32(clamping: $0.within.components.seconds) }
        case .ahead(let ahead):
            (heading, value) = (ahead.outlook?.side, ahead.outlook?.value)
            (limit, expectedAt) = (ahead.outlook?.limit, ahead.outlook?.expectedAt)
        case .byHand(let byHand):
            (heading, value, limit) = (byHand.found?.side, byHand.found?.value, byHand.found?.limit)
            isCritical = byHand.found?.isCritical ?? false
        case .test, .way, .signIn, .summary, .proof, .care, .other: break
        }
    }

    /// The content: `other` if only a newer version knows the kind or the parameter, or if a column is missing.
    /// - Parameter about: What a note is about, by its kind (`notes.sql`), or a silence beside its device; empty for other alerts about water.
    package func content(about: [String?] = []) -> Alert.Content {
        let parameter = parameter.flatMap(Parameter.init(rawValue:))
        let other = Alert.Content.other(kind: kind, self.parameter.map(Word.init(rawValue:)))
        guard (parameter == nil) == (self.parameter == nil) else { return other }
        switch (Alert.Kind(rawValue: kind), parameter) {
        case (.test, _): return .test
        case (.way, _): return WayContent(about: about).map(Alert.Content.way) ?? other
        case (.signIn, _): return .signIn(SignInContent(userAgent: about.first.flatMap(\.self)))
        case (.summary, _): return SummaryContent(about: about).map(Alert.Content.summary) ?? other
        case (.proof, _): return .proof
        case (.care, _): return CareContent(about: about).map(Alert.Content.care) ?? other
        case (.silence, let parameter):
            return .silence(
                SilenceContent(
                    parameter: parameter, checkProbe: checkProbe, hint: hint.flatMap { SilenceHint(stored: $0) },
                    site: about.first.flatMap(\.self).flatMap { SilentSite(stored: $0) }))
        case (.range, let parameter?):
            guard let side, let value else { return other }
            return .range(
                RangeContent(
                    parameter: parameter, side: side, value: value, worst: worst ?? value, limit: limit,
                    checkProbe: checkProbe, isCritical: isCritical, isUnstable: isUnstable,
                    isAfterWork: isAfterWork, limitTime: limitTime.flatMap(LimitPeriod.Time.init(rawValue:))))
        case (.fault, let parameter?):
            return .fault(FaultContent(parameter: parameter, flatAt: value, differsBy: change))
        case (.rate, let parameter?): return .rate(RateContent(parameter: parameter, change: rateChange))
        case (.ahead, let parameter?): return .ahead(AheadContent(parameter: parameter, outlook: outlook))
        case (.byHand, let parameter?): return .byHand(ByHandContent(parameter: parameter, found: found))
        case (.range, nil), (.fault, nil), (.rate, nil), (.ahead, nil), (.byHand, nil), (nil, _): return other
        }
    }

    private var rateChange: RateContent.Change? {
        guard let change, let changeSeconds, let value, let limit else { return nil }
        return RateContent.Change(by: change, within: .seconds(Int64(changeSeconds)), value: value, limit: limit)
    }

    private var found: ByHandContent.Found? {
        guard let heading, let value, let limit else { return nil }
        return ByHandContent.Found(side: heading, value: value, limit: limit, isCritical: isCritical)
    }

    private var outlook: AheadContent.Outlook? {
        guard let heading, let value, let limit, let expectedAt else { return nil }
        return AheadContent.Outlook(side: heading, value: value, limit: limit, expectedAt: expectedAt)
    }

    init(_ row: inout RowReader) throws {
        kind = try row.read()
        parameter = try row.read()
        side = try row.read()
        value = try row.read()
        worst = try row.read()
        limit = try row.read()
        checkProbe = try row.read()
        isCritical = try row.read()
        isUnstable = try row.read()
        isAfterWork = try row.read()
        change = try row.read()
        changeSeconds = try row.read()
        heading = try row.read()
        expectedAt = try row.read()
        hint = try row.read()
        limitTime = try row.read()
    }
}

extension Parameters {
    /// An array for each of `AlertColumns.names`, in their order.
    package mutating func append(_ rows: [AlertColumns]) {
        append(rows.map(\.kind))
        append(rows.map(\.parameter))
        append(rows.map(\.side))
        append(rows.map(\.value))
        append(rows.map(\.worst))
        append(rows.map(\.limit))
        append(rows.map(\.checkProbe))
        append(rows.map(\.isCritical))
        append(rows.map(\.isUnstable))
        append(rows.map(\.isAfterWork))
        append(rows.map(\.change))
        append(rows.map(\.changeSeconds))
        append(rows.map(\.heading))
        append(rows.map(\.expectedAt))
        append(rows.map(\.hint))
        append(rows.map(\.limitTime))
    }
}

extension SilentSite {
    /// As it is stored: JSON of one line.
    fileprivate var stored: String? { try? String(decoding: JSONEncoder().encode(self), as: UTF8.self) }

    /// - Returns: `nil` for what only a newer version writes.
    fileprivate init?(stored: String) {
        guard let site = try? JSONDecoder().decode(SilentSite.self, from: Data(stored.utf8)) else { return nil }
        self = site
    }
}

extension WayContent {
    /// - Parameter about: The name, the channel, the failure, and the status of the last answer, as `tell_failed_ways` and
    ///   `lost_way_is_told` write them.
    fileprivate init?(about: [String?]) {
        guard about.count == 4, let name = about[0], let failure = about[2].flatMap(Failure.init(rawValue:)) else {
            return nil
        }
        self.init(
            name: name, isBrowser: about[1] == Endpoint.Channel.webPush.rawValue, failure: failure, status: about[3])
    }
}

extension CareContent {
    /// - Parameter about: The row about all of it, and those of the reminders that it names, as `tell_care` and `replace_care` write them.
    fileprivate init?(about: [String?]) {
        let decoder = JSONDecoder()
        let rows = about.compactMap(\.self).map { Data($0.utf8) }
        guard let first = rows.first, let whole = try? decoder.decode(Whole.self, from: first),
            let items = try? rows.dropFirst().map({ try decoder.decode(Item.self, from: $0) }), !items.isEmpty
        else { return nil }
        self.init(whole: whole, items: items)
    }
}

extension SummaryContent {
    /// - Parameter about: The row about all tanks, and those of the tanks that it names, as `add_summary` writes them.
    fileprivate init?(about: [String?]) {
        let decoder = JSONDecoder()
        let rows = about.compactMap(\.self).map { Data($0.utf8) }
        guard let first = rows.first, let whole = try? decoder.decode(Whole.self, from: first),
            let tanks = try? rows.dropFirst().map({ try decoder.decode(Tank.self, from: $0) })
        else { return nil }
        self.init(whole: whole, tanks: tanks)
    }
}
