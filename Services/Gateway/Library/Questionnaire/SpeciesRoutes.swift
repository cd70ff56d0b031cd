import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality
import Words

/// The route of the species that are known.
enum SpeciesRoutes {
    static let all = [list]

    private struct Shown: Sendable {
        let species: Species
        let name: String

        static let output = Output<Shown>.object(
            "Species", "What may live in a tank, with what its sources say of it.",
            [
                .member("id", .text, "Its name in requests.", example: "carassius-auratus") { $0.species.id },
                .member("name", .text, "What it is called, in the person's language.", example: "Goldfish") { $0.name },
                .member("scientificName", .text, "Its scientific name.", example: "Carassius auratus") {
                    $0.species.scientificName
                },
                .member("water", .choice(Species.Water.self), "The water it lives in.", example: "fresh") {
                    $0.species.water
                },
                .member(
                    "length", .optional(of: .decimal), "How long an adult becomes, in centimetres; null: not known.",
                    example: 59
                ) { $0.species.length?.centimetres },
                .member("limits", .list(of: bound), "What it needs, one of each parameter at most.") {
                    $0.species.bounds
                },
            ])
    }

    private static let list = Route<Caller>(
        .get, "/species", id: "listSpecies", tag: QuestionnaireRoutes.tag, access: .read,
        "List the species that are known",
        text:
            "Each number was read in the source that it names. What is not listed of a species was found in no source.",
        answers: .json(.ok, .list(of: Shown.output))
    ) { caller, _ in
        // The language of a person who asks for none is known once they are.
        _ = try await caller.scope.person()
        let language = caller.scope.language
        return .value(Species.catalogue.map { Shown(species: $0, name: $0.name(in: language)) })
    }

    private static let bound = Output<Species.Bound>.object(
        "SpeciesLimit", "What a species needs of a parameter, in its canonical unit.",
        [
            .member("parameter", .choice(Parameter.Name.self), "The parameter.", example: "temperature") {
                Parameter.Name($0.parameter)
            },
            .member("minimum", .optional(of: .decimal), "The least; null: not known.", example: 10) { bound in
                bound.minimum.map(canonical(bound.parameter).shown)
            },
            .member("maximum", .optional(of: .decimal), "The greatest; null: not known.", example: 24) { bound in
                bound.maximum.map(canonical(bound.parameter).shown)
            },
            .member("unit", .choice(Unit.self), "The unit of both.", example: "C") { $0.parameter.canonicalUnit },
            .member("source", .text, "Who says so.") { $0.source.title },
            .member("address", .text, "Where it was read.", example: "nas.er.usgs.gov") { $0.source.address },
            .member("convention", .boolean, "Whether keepers have it so, and no authority or study.", example: false) {
                $0.isConvention
            },
        ])

    private static func canonical(_ parameter: Parameter) -> PersonalRange {
        PersonalRange(parameter: parameter, unit: parameter.canonicalUnit, minimum: nil, maximum: nil)
    }
}
