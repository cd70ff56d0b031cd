import Instants

/// Where a sample was taken, as WQX's table says it.
package struct WQXPlace: Hashable, Sendable {
    /// The id of the monitoring location.
    package var id: String
    /// In degrees; `nil`: not known.
    package var latitude: Double?
    package var longitude: Double?

    package init(id: String, latitude: Double? = nil, longitude: Double? = nil) {
        self.id = id
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// Samples as lines of WQX's table for physical and chemical results.
///
/// A line is a result: a number, a class, or what was below or above what could be told, of a parameter or of Secchi's disk. What else was found stands in the
/// activity's comment. Source: WQX 3.0's elements and domains; units by the EPA's table of units.
package enum WQXTable {
    /// Whether the owner holds that the results are right.
    package enum Status: String, CaseIterable, Sendable {
        case accepted = "Accepted"
        case preliminary = "Preliminary"
        case rejected = "Rejected"
    }

    /// - Parameters:
    ///   - id: The sample's UUID in hexadecimal digits, with or without hyphens.
    ///   - project: The id of the study at WQX; `nil`: that of the protocol.
    ///   - organization: Whose methods those are that a protocol names; `nil`: methods stand in the comment.
    ///   - place: The device or site, which the sample's own position comes before.
    ///   - means: The fields that are worked out of others.
    /// - Returns: One line a result; what the lines lack is among their faults. A sample without any has no line, unless the protocol does not know a field of
    ///   it, which may be one. Nothing of a sample that is not done.
    package static func lines(
        of sample: FieldSample, id: String, by sampling: FieldProtocol, at place: WQXPlace, status: Status,
        project: String? = nil, organization: String? = nil, means: [FieldValue] = []
    ) -> [WQXLine] {
        guard sample.state == .done else { return [] }
        let values = sample.values + means
        let results = values.map { (value: $0, cells: result($0, by: sampling, organization)) }
        let common = circumstances(of: sample, at: place, status, project ?? sample.protocolID)
        let comment = words(of: sample, besides: results.filter { $0.cells == nil }.map(\.value), by: sampling)
        var activities: [Spot: Int] = [:]
        var lines: [WQXLine] = []
        for (value, cells) in results {
            guard let cells else { continue }
            let spot = Spot(value)
            let number = spot.isWhole ? nil : activities[spot] ?? activities.count
            if let number { activities[spot] = number }
            lines.append(
                line(common, cells, activity: activity(id, number), depth: value.depth, comment, field: value.field))
        }
        guard lines.isEmpty, let unknown = values.first(where: { sampling.field($0.field) == nil }) else {
            return lines
        }
        return [line(common, [:], activity: activity(id, nil), depth: nil, comment, field: unknown.field)]
    }

    /// A station or a depth, each of which is an activity.
    private struct Spot: Hashable {
        let station: String?
        let depth: Double?
        var isWhole: Bool { station == nil && depth == nil }

        init(_ value: FieldValue) {
            station = value.station
            depth = value.depth
        }
    }

    private static func line(
        _ common: [WQXColumn: String], _ result: [WQXColumn: String], activity: String, depth: Double?,
        _ comment: String, field: String?
    ) -> WQXLine {
        var cells = common.merging(result) { $1 }
        cells[.activity] = activity
        if let depth { (cells[.depth], cells[.depthUnit]) = (wqxText(depth), "m") }
        if !comment.isEmpty { cells[.activityComment] = comment }
        return WQXLine(cells: cells, field: field)
    }

    /// The sample's digits, and for a station or depth two more after a full stop: 35 characters at most.
    private static func activity(_ id: String, _ number: Int?) -> String {
        let digits = id.filter { $0 != "-" }
        guard let number else { return digits }
        let text = String(number, radix: 36)
        return "\(digits).\(text.count < 2 ? "0" : "")\(text)"
    }

    private static func circumstances(
        of sample: FieldSample, at place: WQXPlace, _ status: Status, _ project: String
    ) -> [WQXColumn: String] {
        let begun = sample.begunAt.iso8601
        let own = sample.place
        var cells: [WQXColumn: String] = [
            .project: project, .monitoringLocation: place.id, .activityType: "Field Msr/Obs", .media: "Water",
            .startDate: String(begun.prefix(10)), .startTime: String(begun.dropFirst(11).prefix(8)), .timeZone: "UTC",
            .status: status.rawValue,
        ]
        if let latitude = own?.latitude ?? place.latitude, let longitude = own?.longitude ?? place.longitude {
            cells[.latitude] = "\(latitude)"
            cells[.longitude] = "\(longitude)"
            cells[.horizontalDatum] = "WGS84"
            cells[.horizontalMethod] =
                switch own?.source {
                case .gps: "GPS-Unspecified"
                // "Interpolation-Map" would ask for the scale of the map, which one on a screen has not.
                case .map: "Interpolation-Other"
                case .typed, nil: "Unknown"
                }
        }
        return cells
    }

    // MARK: Results

    /// The cells of a result; `nil` for what WQX has no characteristic for.
    private static func result(
        _ value: FieldValue, by sampling: FieldProtocol, _ organization: String?
    ) -> [WQXColumn: String]? {
        guard let field = sampling.field(value.field), let told = amount(value.content, of: field),
            var cells = field.characteristic
        else { return nil }
        func number(_ number: Double) -> (value: String, unit: String, speciation: String?)? { field.wqx(number) }
        switch told {
        case .number(let exact):
            guard let found = number(exact) else { return nil }
            (cells[.value], cells[.unit], cells[.speciation]) = (found.value, found.unit, found.speciation)
            cells[.valueType] = field.meanOf.isEmpty ? "Actual" : "Calculated"
        case .between(let from, let to):
            guard let found = number((from + to) / 2), let low = number(from), let high = number(to) else { return nil }
            (cells[.value], cells[.unit], cells[.speciation]) = (found.value, found.unit, found.speciation)
            cells[.valueType] = "Estimated"
            cells[.resultComment] = "A class from \(low.value) to \(high.value) \(found.unit)"
        case .below(let limit):
            guard let found = number(limit) else { return nil }
            (cells[.limit], cells[.limitUnit], cells[.speciation]) = (found.value, found.unit, found.speciation)
            (cells[.detectionCondition], cells[.limitType]) = ("Not Detected", "Lower Reporting Limit")
        case .above(let limit):
            guard let found = number(limit) else { return nil }
            (cells[.limit], cells[.limitUnit], cells[.speciation]) = (found.value, found.unit, found.speciation)
            (cells[.detectionCondition], cells[.limitType]) = (
                "Present Above Quantification Limit", "Upper Quantitation Limit"
            )
        }
        if let method = field.method {
            if let organization {
                (cells[.method], cells[.methodContext]) = (field.id, organization)
            }
            cells[.resultComment] = [cells[.resultComment], method].compactMap(\.self).joined(separator: ". ")
        }
        return cells
    }

    private enum Amount {
        case number(Double)
        case between(Double, Double)
        case below(Double)
        case above(Double)
    }

    private static func amount(_ content: FieldValue.Content, of field: FieldProtocol.Field) -> Amount? {
        switch content {
        case .number(let number): return .number(number)
        case .below(let limit): return .below(limit)
        case .above(let limit): return .above(limit)
        case .choice(let id):
            guard let choice = field.choices.first(where: { $0.id == id }) else { return nil }
            switch (choice.from, choice.to) {
            case (let from?, let to?): return .between(from, to)
            case (let from?, nil): return .above(from)
            case (nil, let to?): return .below(to)
            case (nil, nil): return nil
            }
        case .count, .text, .flag, .notMeasured: return nil
        }
    }

    // MARK: Words

    /// The comment of a sample's activities: what was found and is no result, then what was written.
    private static func words(
        of sample: FieldSample, besides values: [FieldValue], by sampling: FieldProtocol
    ) -> String {
        let found = values.map { value in
            let unit = sampling.field(value.field)?.unit.map { " \($0)" } ?? ""
            let spot = (value.station.map { " at \($0)" } ?? "") + (value.depth.map { " in \(wqxText($0)) m" } ?? "")
            return "\(value.field)\(spot): \(text(value.content, unit))"
        }
        let written = [sample.habitat, sample.comment].compactMap(\.self)
        let surveyors = sample.surveyors.isEmpty ? [] : ["surveyors: " + sample.surveyors.joined(separator: ", ")]
        return (found + surveyors + written).joined(separator: "; ")
    }

    private static func text(_ content: FieldValue.Content, _ unit: String) -> String {
        switch content {
        case .number(let number): wqxText(number) + unit
        case .below(let number): "< " + wqxText(number) + unit
        case .above(let number): "> " + wqxText(number) + unit
        case .choice(let id): id
        case .count(let counted): counted.map { "\($0.count) \($0.id)" }.joined(separator: ", ")
        case .text(let words): words
        case .flag(let flag): flag ? "yes" : "no"
        case .notMeasured(let why): "not measured, \(why)"
        }
    }
}

extension FieldProtocol.Field {
    /// The cells that say which characteristic it is; `nil`: none of WQX's.
    fileprivate var characteristic: [WQXColumn: String]? {
        if let parameter {
            var cells: [WQXColumn: String] = [.characteristic: parameter.wqxCharacteristic]
            cells[.fraction] = parameter.wqxFraction
            if parameter == .conductivity { cells[.temperatureBasis] = "25 deg C" }
            return cells
        }
        return isSecchi ? [.characteristic: "Depth, Secchi disk depth"] : nil
    }

    /// The mean of the depths at which Secchi's disk disappears and comes back, which is what WQX asks for.
    private var isSecchi: Bool { id == "secchi_mean" && unit == "m" }

    fileprivate func wqx(_ number: Double) -> (value: String, unit: String, speciation: String?)? {
        guard let parameter else { return isSecchi ? (wqxText(number), "m", nil) : nil }
        return unit.flatMap(Unit.init(rawValue:)).flatMap { parameter.wqx(number, in: $0) }
    }
}
