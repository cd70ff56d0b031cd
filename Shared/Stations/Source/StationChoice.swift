package import Routes
package import WaterQuality

/// The owner's word on a station's series: what each is, or that it is not shown. Of other series only those are shown whose own name
/// and unit leave no doubt, the first of each parameter.
package struct StationChoice: Hashable, Sendable {
    /// By the series' ids; an inner nil: not shown.
    package var parameters: [String: Parameter?]

    package init(_ parameters: [String: Parameter?] = [:]) {
        self.parameters = parameters
    }

    /// As it is stored: the parameters' names by series, an empty text for what is not shown.
    package var json: JSON {
        .object(parameters.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value?.name ?? "")) })
    }

    /// Reads what `json` wrote; what cannot be read is as if it had not been said.
    package init(_ json: JSON) {
        parameters = [:]
        for member in json.members ?? [] {
            guard let text = member.value.string else { continue }
            if text.isEmpty {
                parameters[member.name] = .some(nil)
            } else if let parameter = Parameter(name: text) {
                parameters[member.name] = parameter
            }
        }
    }
}

/// A series as a reader found it, before it is known what it is here.
struct FoundSeries: Hashable, Sendable {
    var series: StationSeries
    /// The spellings of its unit, the best first.
    var units: [String]
    /// The parameter that it is without any doubt.
    var certain: Parameter?

    /// The quantity of a parameter in one of its units. A source may write none of what is a plain number, such as pH.
    func quantity(of parameter: Parameter) -> (parameter: Parameter, unit: Unit)? {
        let unit = parameter.canonicalUnit
        if units.isEmpty, unit.symbol.isEmpty { return (parameter, unit) }
        for unit in units {
            if let found = parameter.quantity(spelling: unit) { return found }
        }
        return nil
    }
}

extension StationChoice {
    /// Decides what each series is: as the owner said, where the unit can be read for it; else the first series of each parameter that is certain.
    func quantities(of found: [FoundSeries]) -> [String: (parameter: Parameter, unit: Unit)] {
        var quantities: [String: (parameter: Parameter, unit: Unit)] = [:]
        var taken: Set<Parameter> = []
        func take(_ series: FoundSeries, as parameter: Parameter?) {
            guard let parameter, let quantity = series.quantity(of: parameter),
                taken.insert(quantity.parameter).inserted
            else { return }
            quantities[series.series.id] = quantity
        }
        for series in found {
            if let chosen = parameters[series.series.id] { take(series, as: chosen) }
        }
        for series in found where parameters[series.series.id] == nil { take(series, as: series.certain) }
        return quantities
    }
}
