/// What a keeper says of a tank, as far as they have said it.
package struct TankAnswers: Hashable, Sendable {
    /// What they keep; `nil`: none of these, or not said.
    package var kind: Preset?
    /// At most `Species.most`, each once.
    package var species: [Species]
    /// How much water it is, in litres.
    package var litres: Double?
    package var place: Place?
    package var hasPlants: Bool?
    /// Whether carbon dioxide is added for the plants.
    package var addsCarbonDioxide: Bool?
    /// What is measured by a probe; `nil`: not said.
    package var probes: ParameterSet?

    package enum Place: Hashable, Sendable {
        case indoors
        /// - Parameter winter: What becomes of them in winter; `nil`: not said.
        case outdoors(winter: Winter?)
    }

    /// What becomes of animals that are outdoors in summer. The raw values are stored and in requests.
    package enum Winter: String, CaseIterable, Sendable {
        /// They stay out, under ice too.
        case underIce
        /// They stay out, where it never freezes.
        case neverFreezes
        case broughtInside
    }

    package init(
        kind: Preset? = nil, species: [Species] = [], litres: Double? = nil, place: Place? = nil,
        hasPlants: Bool? = nil, addsCarbonDioxide: Bool? = nil, probes: ParameterSet? = nil
    ) {
        self.kind = kind
        self.species = species
        self.litres = litres
        self.place = place
        self.hasPlants = hasPlants
        self.addsCarbonDioxide = addsCarbonDioxide
        self.probes = probes
    }

    /// Volumes that somebody may have: from a jar to a lake.
    package static let volumes: ClosedRange<Double> = 0.1...1_000_000_000

    /// Whether the seasons decide how cold it becomes, so that no species' own minimum is a limit to alarm by.
    package var staysOutInWinter: Bool {
        guard case .outdoors(let winter) = place else { return false }
        return winter != .broughtInside
    }
}
