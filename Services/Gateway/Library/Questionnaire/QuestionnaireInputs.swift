import Routes
import WaterQuality

/// The inputs of the route of answers about a tank. What is missing has not been said.
enum QuestionnaireInputs {
    static let kind = Input<Preset?>.optionalField(
        "kind", .choice(Preset.self), "What is kept, by the name of its preset; null: none of these.")
    static let species = Input.field(
        "species", .list(of: Format<Species>.species, count: 0...Species.most), default: [],
        "The species that live in it, by their ids, each once.")
    static let litres = Input<Double?>.optionalField(
        "litres", Format<Double>.decimal(TankAnswers.volumes).example(180), "How much water it is, in litres.")
    static let isOutdoors = Input<Bool?>.optionalField("outdoors", .boolean, "Whether it is outdoors.")
    static let winter = Input<TankAnswers.Winter?>.optionalField(
        "winter", .choice(TankAnswers.Winter.self),
        "What becomes of what lives outdoors in winter; of a tank that is outdoors alone.")
    static let hasPlants = Input<Bool?>.optionalField("plants", .boolean, "Whether plants grow in it.")
    static let addsCarbonDioxide = Input<Bool?>.optionalField(
        "carbonDioxide", .boolean, "Whether carbon dioxide is added for them.")
    static let probes = Input<[Parameter.Name]?>.optionalField(
        "probes", .list(of: .choice(Parameter.Name.self), count: 0...Parameter.count), "What probes measure.")

    static let all: [any InputDeclaration] = [
        kind, species, litres, isOutdoors, winter, hasPlants, addsCarbonDioxide, probes,
    ]

    /// - Throws: `Problem` at the input that says what cannot be.
    static func answers(_ inputs: Inputs) throws(Problem) -> TankAnswers {
        let named = inputs[species]
        guard Set(named).count == named.count else { throw Problem(species, .repeated) }
        guard inputs[winter] == nil || inputs[isOutdoors] == true else { throw Problem(winter, .notOutdoors) }
        return TankAnswers(
            kind: inputs[kind], species: named, litres: inputs[litres],
            place: inputs[isOutdoors].map { $0 ? .outdoors(winter: inputs[winter]) : .indoors },
            hasPlants: inputs[hasPlants], addsCarbonDioxide: inputs[addsCarbonDioxide],
            probes: inputs[probes].map { names in ParameterSet(names.map { ParameterSet($0.parameter) }) })
    }
}

extension Format where Value == Species {
    fileprivate static let species = Format.reading(
        "species", example: "carassius-auratus", count: 1...40, pattern: "^[a-z-]+$"
    ) { text throws(Fault) in
        guard let species = Species.named(text) else { throw .notChoice(Species.catalogue.map(\.id)) }
        return species
    }
}

extension Fault {
    fileprivate static let notOutdoors = Fault("not-outdoors")
}
