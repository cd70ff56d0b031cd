extension FieldSample {
    /// What becomes values by hand, each parameter once: of a sample that is done, its numbers and classes of parameters. Of a parameter that was measured
    /// several times, what is of the whole sample comes first, then what is nearest to the surface, then the first station that was named.
    package func handValues(by sampling: FieldProtocol) -> [HandValue] {
        guard state == .done else { return [] }
        var found: [Parameter: (depth: Double, value: HandValue)] = [:]
        for value in values {
            guard let field = sampling.field(value.field), let parameter = field.parameter,
                let hand = field.handValue(of: value.content, parameter)
            else { continue }
            let depth = value.depth ?? (value.station == nil ? -1 : 0)
            if let best = found[parameter], best.depth <= depth { continue }
            found[parameter] = (depth, hand)
        }
        return found.values.map(\.value).sorted { $0.parameter.rawValue < $1.parameter.rawValue }
    }
}

extension FieldProtocol.Field {
    /// A number as it is; what is below or above what can be told, and a class, as the interval that it stands for.
    /// - Returns: `nil` for what is no value, or none that the parameter can have.
    fileprivate func handValue(of content: FieldValue.Content, _ parameter: Parameter) -> HandValue? {
        guard let unit = unit.flatMap(Unit.init(rawValue:)) else { return nil }
        let possible = TypingCheck.possible(parameter)
        let value: HandValue? =
            switch content {
            case .number(let number): HandValue(parameter, read: number, in: unit)
            case .below(let number): HandValue(parameter, from: nil, to: number, in: unit)
            case .above(let number): HandValue(parameter, from: number, to: nil, in: unit)
            case .choice(let id):
                choices.first { $0.id == id }.flatMap { HandValue(parameter, from: $0.from, to: $0.to, in: unit) }
            case .count, .text, .flag, .notMeasured: nil
            }
        return value.flatMap { possible.contains($0.value) ? $0 : nil }
    }
}

extension HandValue {
    /// An interval, which stands for all in it; its number is its middle, or the end of an open one.
    /// - Returns: `nil` where it is open at both ends, or the parameter has no such value in the unit.
    fileprivate init?(_ parameter: Parameter, from: Double?, to: Double?, in unit: Unit) {
        let read: Double
        switch (from, to) {
        case (let from?, let to?): read = (from + to) / 2
        case (let end?, nil), (nil, let end?): read = end
        case (nil, nil): return nil
        }
        guard let value = parameter.canonical(read, in: unit), value.isFinite else { return nil }
        func canonical(_ bound: Double?) -> Float? { bound.flatMap { parameter.canonical($0, in: unit) } }
        self.init(
            parameter: parameter, read: read, unit: unit, value: value, choice: Self.step(from, to),
            lower: canonical(from), upper: canonical(to))
    }

    /// The name of an interval as kits have it: `<0.2`, `0.2-0.5`, `>10`; without its numbers where those are too long to be told.
    private static func step(_ from: Double?, _ to: Double?) -> String {
        func text(_ number: Double) -> String {
            number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
        }
        let name =
            switch (from, to) {
            case (let from?, let to?) where from != 0: "\(text(from))-\(text(to))"
            case (_, let to?): "<\(text(to))"
            case (let from?, nil): ">\(text(from))"
            case (nil, nil): "-"
            }
        let isShort = name.utf8.count <= 16 && name.utf8.allSatisfy { "0123456789.<>-".utf8.contains($0) }
        return isShort ? name : to == nil ? ">" : from == nil ? "<" : "-"
    }
}
