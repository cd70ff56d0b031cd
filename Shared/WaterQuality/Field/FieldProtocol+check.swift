/// Why a value of a sample cannot be.
package enum SampleFault: Error, Hashable, Sendable {
    /// The part of a value in which the fault is; `nil`: the whole.
    package enum Part: String, Hashable, Sendable {
        case field, station, depth, number, below, above, choice, count, text, flag, notMeasured
    }

    /// The protocol has no such field, or works it out.
    case noField
    /// The same field of the same station and depth stands there already.
    case repeated
    /// The field is of another kind.
    case otherKind(Part)
    /// A station is missing, or is one where the field has none.
    case station
    case depth
    /// More stations than the route has.
    case manyStations(most: Int)
    case noChoice([String])
    case below(minimum: Double)
    case above(maximum: Double)
}

extension FieldProtocol {
    /// The first fault of values by this protocol, and the place of its value; `nil`: they can be.
    package func fault(of values: [FieldValue]) -> (index: Int, fault: SampleFault)? {
        struct Subject: Hashable {
            var field: String
            var station: String?
            var depth: Double?
        }
        var seen: Set<Subject> = []
        var stations: Set<String> = []
        for (index, value) in values.enumerated() {
            do throws(SampleFault) {
                guard let field = field(value.field), field.meanOf.isEmpty else { throw .noField }
                guard seen.insert(Subject(field: value.field, station: value.station, depth: value.depth)).inserted
                else { throw .repeated }
                guard (value.station != nil) == (field.each == .station) else { throw .station }
                guard (value.depth != nil) == (field.each == .depth) else { throw .depth }
                if let station = value.station, stations.insert(station).inserted, stations.count > self.stations {
                    throw .manyStations(most: self.stations)
                }
                try field.check(value.content)
            } catch {
                return (index, error)
            }
        }
        return nil
    }

    /// The required fields of which a finished sample says nothing, not even that they were not measured.
    package func missing(in values: [FieldValue]) -> [String] {
        let given = Set(values.map(\.field))
        return fields.filter { $0.isRequired && !given.contains($0.id) }.map(\.id)
    }

    /// The fields that are worked out of others: the mean where all of its numbers are there, of the same station and depth.
    package func means(of values: [FieldValue]) -> [FieldValue] {
        fields.filter { !$0.meanOf.isEmpty }.flatMap { field -> [FieldValue] in
            guard let first = field.meanOf.first else { return [] }
            return values.filter { $0.field == first }.compactMap { one in
                let numbers = field.meanOf.compactMap { id in
                    values.first { $0.field == id && $0.station == one.station && $0.depth == one.depth }?.content
                        .number
                }
                guard numbers.count == field.meanOf.count else { return nil }
                return FieldValue(
                    field.id, station: one.station, depth: one.depth,
                    .number(numbers.reduce(0, +) / Double(numbers.count)))
            }
        }
    }
}

extension FieldProtocol.Field {
    fileprivate func check(_ content: FieldValue.Content) throws(SampleFault) {
        switch (kind, content) {
        case (_, .notMeasured), (.text, .text), (.flag, .flag): break
        case (.number, .number(let number)), (.number, .below(let number)), (.number, .above(let number)):
            if let minimum, number < minimum { throw .below(minimum: minimum) }
            if let maximum, number > maximum { throw .above(maximum: maximum) }
        case (.class, .choice(let choice)), (.choice, .choice(let choice)):
            guard choices.contains(where: { $0.id == choice }) else { throw .noChoice(choices.map(\.id)) }
        case (.count, .count(let found)):
            guard Set(found.map(\.id)).count == found.count else { throw .repeated }
            guard found.allSatisfy({ one in counted.contains { $0.id == one.id } }) else {
                throw .noChoice(counted.map(\.id))
            }
        default: throw .otherKind(content.part)
        }
    }
}

extension FieldValue.Content {
    package var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The member of a value that has it.
    package var part: SampleFault.Part {
        switch self {
        case .number: .number
        case .below: .below
        case .above: .above
        case .choice: .choice
        case .count: .count
        case .text: .text
        case .flag: .flag
        case .notMeasured: .notMeasured
        }
    }
}
