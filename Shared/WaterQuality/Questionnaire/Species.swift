package import Words

/// What lives in the water, with the bounds that somebody has published of it.
///
/// The catalogue is small and grows by numbers that were read in their source: each bound names its own. Nothing is taken from a
/// database of species as a whole.
package struct Species: Sendable {
    /// The name in requests, which is stored; a promise to clients.
    package let id: String
    package let scientificName: String
    package let water: Water
    /// How long an adult becomes, in centimetres, with its source; `nil` where none was read.
    package let length: Length?
    /// At most one of each parameter.
    package let bounds: [Bound]

    package enum Water: String, CaseIterable, Sendable {
        case fresh, salt
    }

    /// Where a number was read.
    package struct Source: Hashable, Sendable {
        /// Who says so, as a person is told.
        package let title: String
        package let address: String
        /// Whether keepers say so, and no authority or study.
        package var isConvention = false
    }

    package struct Length: Sendable {
        package let centimetres: Double
        package let source: Source
    }

    /// What it needs of one parameter, in whole sensor steps.
    package struct Bound: Sendable {
        package let parameter: Parameter
        package let minimum: Steps?
        package let maximum: Steps?
        package let source: Source

        package var isConvention: Bool { source.isConvention }
    }

    /// The name in a list of choices.
    package func name(in language: Language) -> String { language.text("species.\(id)") }

    package func bound(of parameter: Parameter) -> Bound? { bounds.first { $0.parameter == parameter } }

    package static func named(_ id: String) -> Species? { catalogue.first { $0.id == id } }

    /// Most species that one tank names.
    package static let most = 12
}

extension Species: Hashable {
    package static func == (one: Species, other: Species) -> Bool { one.id == other.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
