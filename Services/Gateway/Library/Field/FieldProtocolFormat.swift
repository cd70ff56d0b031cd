import Routes
import WaterQuality

/// The formats of a protocol's parts, as people write their own and as those are stored.
enum FieldProtocolFormat {
    static let name = Format<String>.visibleText(1...80, example: "Our pond")
    static let help = Format<String>.text(1...500).example(.null)
    static let stations = Format<Int>.integer(0...FieldProtocol.mostStations)
    static let fields = Format<[FieldProtocol.Field]>.list(of: .protocolField, count: 1...FieldProtocol.mostFields)

    /// - Throws: `Fault` for fields that do not go together.
    static func made(
        id: String, version: Int, name: String, help: String?, stations: Int, hasDepths: Bool,
        fields: [FieldProtocol.Field]
    ) throws(Fault) -> FieldProtocol {
        var seen: Set<String> = []
        for (index, field) in fields.enumerated() {
            guard seen.insert(field.id).inserted else { throw Fault.repeated.inside("\(index)") }
            guard field.each != .station || stations > 0, field.each != .depth || hasDepths else {
                throw Fault.notProtocolField.inside("each").inside("\(index)")
            }
        }
        return FieldProtocol(
            id: id, version: version, name: .own(name), help: help.map(FieldText.own), stations: stations,
            hasDepths: hasDepths, fields: fields)
    }
}

extension Format where Value == FieldProtocol {
    /// A protocol as it is stored, whose id and version are beside it.
    static let fieldProtocol = object(
        [name, help, stations, depths, fields], required: ["name", "fields"], example: [:], or: .notProtocolField
    ) { members throws(Fault) in
        guard let name = try members[name], let fields = try members[fields] else { return nil }
        return try FieldProtocolFormat.made(
            id: "", version: 1, name: name, help: try members[help] ?? nil, stations: try members[stations] ?? 0,
            hasDepths: try members[depths] ?? false, fields: fields)
    }

    private static let name = ObjectMember("name", FieldProtocolFormat.name)
    private static let help = ObjectMember("help", FieldProtocolFormat.help.nullable)
    private static let stations = ObjectMember("stations", FieldProtocolFormat.stations)
    private static let depths = ObjectMember("depths", Format<Bool>.boolean)
    private static let fields = ObjectMember("fields", FieldProtocolFormat.fields)
}

extension Format where Value == FieldProtocol.Field {
    fileprivate static let protocolField = object(
        [
            id, kind, label, help, parameter, unit, minimum, maximum, choices, species, required, each, method, meanOf,
        ], required: ["id", "kind", "label"],
        example: [
            "id": "depth_at_gauge", "kind": "number", "label": "Depth at the gauge", "unit": "m", "minimum": 0,
            "maximum": 5,
        ], or: .notProtocolField
    ) { members throws(Fault) in
        guard let id = try members[id], let kind = try members[kind], let label = try members[label] else {
            return nil
        }
        let parameter = (try members[parameter] ?? nil)?.parameter
        let unit = try members[unit] ?? nil
        let isMeasured = kind == .number || kind == .class
        guard parameter == nil || isMeasured else { throw Fault.notProtocolField.inside("parameter") }
        if let parameter, let unit, Unit(rawValue: unit).map(parameter.accepts) != true {
            throw Fault.notChoice(parameter.choosableUnits.map(\.rawValue)).inside("unit")
        }
        let (minimum, maximum) = (try members[minimum] ?? nil, try members[maximum] ?? nil)
        if let minimum, let maximum, minimum > maximum { throw Fault.notProtocolField.inside("maximum") }
        let (choices, species) = (try members[choices] ?? [], try members[species] ?? [])
        guard
            choices.count >= 2 && Set(choices.map(\.id)).count == choices.count
                ? kind == .class || kind == .choice : choices.isEmpty && kind != .class && kind != .choice,
            kind != .class || choices.allSatisfy({ $0.from != nil || $0.to != nil })
        else { throw Fault.notProtocolField.inside("choices") }
        guard species.isEmpty == (kind != .count), Set(species.map(\.id)).count == species.count else {
            throw Fault.notProtocolField.inside("species")
        }
        _ = try members[meanOf]
        return FieldProtocol.Field(
            id, kind, label: .own(label), help: (try members[help] ?? nil).map(FieldText.own), parameter: parameter,
            unit: unit ?? parameter?.canonicalUnit.rawValue, minimum: minimum, maximum: maximum, choices: choices,
            counted: species, isRequired: try members[required] ?? false, each: try members[each] ?? .sample,
            method: try members[method] ?? nil)
    }

    private static let id = ObjectMember("id", Format<String>.protocolPartID.example("depth_at_gauge"))
    private static let kind = ObjectMember("kind", Format<FieldProtocol.Kind>.choice(FieldProtocol.Kind.self))
    private static let label = ObjectMember("label", Format<String>.visibleText(1...80, example: "Depth at the gauge"))
    private static let help = ObjectMember("help", Format<String>.text(1...500).example(.null).nullable)
    private static let parameter = ObjectMember(
        "parameter", Format<Parameter.Name>.choice(Parameter.Name.self).example(.null).nullable)
    private static let unit = ObjectMember("unit", Format<String>.visibleText(1...16, example: "m").nullable)
    private static let minimum = ObjectMember("minimum", FieldSampleFormat.number(-1e9...1e9).example(0).nullable)
    private static let maximum = ObjectMember("maximum", FieldSampleFormat.number(-1e9...1e9).example(5).nullable)
    private static let choices = ObjectMember(
        "choices", Format<[FieldProtocol.Choice]>.list(of: .protocolChoice, count: 0...50).example([]))
    private static let species = ObjectMember(
        "species", Format<[FieldProtocol.Counted]>.list(of: .protocolCounted, count: 0...100).example([]))
    private static let required = ObjectMember("required", Format<Bool>.boolean)
    private static let each = ObjectMember("each", Format<FieldProtocol.Each>.choice(FieldProtocol.Each.self))
    private static let method = ObjectMember("method", Format<String>.text(1...200).example(.null).nullable)
    /// Nothing: what is worked out is built in.
    private static let meanOf = ObjectMember("meanOf", Format<[String]>.list(of: .text(1...40), count: 0...0))
}

extension Format where Value == String {
    /// The id of a field, a choice or a species: lower case, digits, underscores and hyphens.
    fileprivate static let protocolPartID = Format.reading(
        "id", example: "clear", count: 1...40, pattern: "^[a-z0-9_-]+$"
    ) { text throws(Fault) in
        guard
            text.utf8.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2D
            })
        else { throw .pattern }
        return text
    }
}

extension Format where Value == FieldProtocol.Choice {
    fileprivate static let protocolChoice = object(
        [id, label, from, to], required: ["id", "label"], example: ["id": "clear", "label": "Clear"],
        or: .notProtocolField
    ) { members throws(Fault) in
        guard let id = try members[id], let label = try members[label] else { return nil }
        let (from, to) = (try members[from] ?? nil, try members[to] ?? nil)
        if let from, let to, from >= to { return nil }
        return FieldProtocol.Choice(id, label: .own(label), from: from, to: to)
    }

    private static let id = ObjectMember("id", Format<String>.protocolPartID)
    private static let label = ObjectMember("label", Format<String>.visibleText(1...80, example: "Clear"))
    private static let from = ObjectMember("from", FieldSampleFormat.number(-1e9...1e9).example(.null).nullable)
    private static let to = ObjectMember("to", FieldSampleFormat.number(-1e9...1e9).example(.null).nullable)
}

extension Format where Value == FieldProtocol.Counted {
    fileprivate static let protocolCounted = object(
        [id, label, scientific], required: ["id", "label"],
        example: ["id": "mayflies", "label": "Mayflies", "scientific": "Ephemeroptera"], or: .notProtocolField
    ) { members throws(Fault) in
        guard let id = try members[id], let label = try members[label] else { return nil }
        return FieldProtocol.Counted(id, label: .own(label), scientific: try members[scientific] ?? nil)
    }

    private static let id = ObjectMember("id", Format<String>.protocolPartID.example("mayflies"))
    private static let label = ObjectMember("label", Format<String>.visibleText(1...80, example: "Mayflies"))
    private static let scientific = ObjectMember(
        "scientific", Format<String>.visibleText(1...80, example: "Ephemeroptera").nullable)
}

extension Fault {
    static let notProtocolField = Fault("not-a-protocol-field")
}
