extension FieldProtocol {
    /// The protocols that are built in, in the order in which they are offered. One that has been used stays, with each of its versions: samples name them.
    ///
    /// Sources: fields of streams and lakes, weather and Secchi's disk follow the EPA's manuals for volunteers (Volunteer Stream Monitoring, EPA
    /// 841-B-97-003; Volunteer Lake Monitoring, EPA 440-4-91-002; both in the public domain); classes of nitrate and phosphate those of FreshWater Watch,
    /// which are reported as nitrogen and as phosphorus.
    package static let catalogue: [FieldProtocol] = [
        builtIn(
            "river-quick",
            [
                .measured(.temperature, isRequired: true), .measured(.ph), .measured(.dissolvedOxygen),
                .measured(.conductivity), .measured(.turbidity), .level, .flow,
            ]),
        builtIn(
            "river-full",
            [
                .measured(.temperature, isRequired: true), .measured(.ph), .measured(.dissolvedOxygen),
                .measured(.oxygenSaturation), .measured(.conductivity), .measured(.turbidity), .measured(.alkalinity),
                .measured(.hardness), .measured(.ammonia), .measured(.nitrite), .measured(.nitrate),
                .measured(.phosphate), .number("water_depth", in: "m", 0...100), .number("width", in: "m", 0...10_000),
                .number("velocity", in: "m/s", 0...20), .number("discharge", in: "m3/s", 0...500_000), .level, .flow,
                .colour, .smell, .surface, .foam, .landUse, .amount("litter"), .amount("algae"), .text("sources"),
            ]),
        builtIn(
            "lake-secchi",
            secchi() + [
                .measured(.temperature), .measured(.ph), .measured(.dissolvedOxygen), .waves, .colour, .amount("algae"),
                .number("water_depth", in: "m", 0...2000),
            ]),
        builtIn(
            "depth-profile", hasDepths: true,
            [
                .measured(.temperature, isRequired: true, each: .depth), .measured(.dissolvedOxygen, each: .depth),
                .measured(.oxygenSaturation, each: .depth), .measured(.ph, each: .depth),
                .measured(.conductivity, each: .depth), .measured(.turbidity, each: .depth),
            ] + secchi(isRequired: false) + [.number("water_depth", in: "m", 0...2000), .waves]),
        builtIn(
            "fixed-route", stations: 30,
            [
                .measured(.temperature, each: .station), .measured(.ph, each: .station),
                .measured(.dissolvedOxygen, each: .station), .measured(.conductivity, each: .station),
                .measured(.turbidity, each: .station), .flow(each: .station), .amount("litter", each: .station),
                .text("remarks", each: .station), .level,
            ]),
        builtIn(
            "volunteer",
            [
                .colour, .smell, .surface, .foam, .level, .flow, .number("tube", in: "cm", 0...240),
                .classes("nitrate_class", of: .nitrate, in: .nitrateNitrogen, at: [0.2, 0.5, 1, 2, 5, 10]),
                .classes(
                    "phosphate_class", of: .phosphate, in: .phosphatePhosphorus, at: [0.02, 0.05, 0.1, 0.2, 0.5, 1]),
                .measured(.temperature), .measured(.ph), .landUse, .amount("litter"), .amount("algae"),
                .text("sources"),
            ]),
        builtIn(
            "macroinvertebrates",
            [
                .invertebrates, .number("net_minutes", in: "min", 0...240), .number("sampled_area", in: "m2", 0...1000),
                .choice("bed", ["boulders", "cobbles", "gravel", "sand", "mud", "plants"]), .flow,
                .measured(.temperature), .measured(.dissolvedOxygen), .text("remarks"),
            ]),
    ]

    /// - Parameter version: `nil` for the newest.
    package static func builtIn(_ id: String, version: Int? = nil) -> FieldProtocol? {
        let versions = catalogue.filter { $0.id == id }
        guard let version else { return versions.max { $0.version < $1.version } }
        return versions.first { $0.version == version }
    }

    private static func builtIn(
        _ id: String, stations: Int = 0, hasDepths: Bool = false, _ fields: [Field]
    ) -> FieldProtocol {
        FieldProtocol(
            id: id, version: 1, name: .word(id), help: .word("\(id)_help"), stations: stations, hasDepths: hasDepths,
            fields: fields)
    }

    /// Secchi's disk: the depths at which it disappears and comes back, and their mean.
    private static func secchi(isRequired: Bool = true) -> [Field] {
        [
            .number("secchi_down", in: "m", 0...100, help: true, isRequired: isRequired),
            .number("secchi_up", in: "m", 0...100, help: true, isRequired: isRequired),
            Field(
                "secchi_mean", .number, label: .word("secchi_mean"), unit: "m", meanOf: ["secchi_down", "secchi_up"]),
            Field("secchi_bottom", .flag, label: .word("secchi_bottom"), help: .word("secchi_bottom_help")),
        ]
    }
}

extension FieldProtocol.Field {
    fileprivate typealias Each = FieldProtocol.Each

    /// A number of a parameter, in its canonical unit.
    fileprivate static func measured(_ parameter: Parameter, isRequired: Bool = false, each: Each = .sample) -> Self {
        let possible = TypingCheck.possible(parameter)
        return Self(
            parameter.name, .number, label: .parameter(parameter), parameter: parameter,
            unit: parameter.canonicalUnit.rawValue, minimum: Double(possible.lowerBound),
            maximum: Double(possible.upperBound), isRequired: isRequired, each: each)
    }

    fileprivate static func number(
        _ id: String, in unit: String, _ range: ClosedRange<Double>, help: Bool = false, isRequired: Bool = false
    ) -> Self {
        Self(
            id, .number, label: .word(id), help: help ? .word("\(id)_help") : nil, unit: unit,
            minimum: range.lowerBound, maximum: range.upperBound, isRequired: isRequired)
    }

    /// Classes of a parameter, from zero to the first bound, between bounds, and from the last one on.
    fileprivate static func classes(_ id: String, of parameter: Parameter, in unit: Unit, at bounds: [Double]) -> Self {
        let steps = Kit.Step.classes(bounds)
        return Self(
            id, .class, label: .parameter(parameter), parameter: parameter, unit: unit.rawValue,
            choices: steps.enumerated().map { index, step in
                FieldProtocol.Choice(
                    "\(index + 1)", label: .own("\(step.choice) \(unit.symbol)"), from: step.lower, to: step.upper)
            })
    }

    fileprivate static func choice(_ id: String, _ choices: [String], each: Each = .sample) -> Self {
        Self(
            id, .choice, label: .word(id),
            choices: choices.map { FieldProtocol.Choice($0, label: .word("\(id)_\($0)")) }, each: each)
    }

    /// None, some or much of something.
    fileprivate static func amount(_ id: String, each: Each = .sample) -> Self {
        Self(
            id, .choice, label: .word(id),
            choices: ["none", "some", "much"].map { FieldProtocol.Choice($0, label: .word($0)) }, each: each)
    }

    fileprivate static func text(_ id: String, each: Each = .sample) -> Self {
        Self(id, .text, label: .word(id), each: each)
    }

    fileprivate static let level = choice("level", ["dry", "low", "normal", "high", "flood"])
    fileprivate static let flow = flow(each: .sample)
    fileprivate static func flow(each: Each) -> Self {
        choice("flow", ["still", "slow", "steady", "surging"], each: each)
    }
    fileprivate static let colour = choice("colour", ["clear", "brown", "green", "grey", "milky", "other"])
    fileprivate static let smell = choice("smell", ["none", "earthy", "eggs", "sewage", "chlorine", "oil", "other"])
    fileprivate static let surface = choice("surface", ["clean", "oil", "scum", "plants", "litter"])
    fileprivate static let foam = amount("foam")
    fileprivate static let waves = choice("waves", ["calm", "ripples", "small", "whitecaps"])
    fileprivate static let landUse = choice("land_use", ["forest", "grass", "fields", "town", "industry"])

    /// The groups of the EPA's manual for streams, which tell apart what bears pollution and what does not.
    fileprivate static let invertebrates = Self(
        "invertebrates", .count, label: .word("invertebrates"), help: .word("invertebrates_help"),
        counted: [
            ("mayflies", "Ephemeroptera"), ("stoneflies", "Plecoptera"), ("caddisflies", "Trichoptera"),
            ("dobsonflies", "Megaloptera"), ("beetles", "Elmidae"), ("dragonflies", "Anisoptera"),
            ("damselflies", "Zygoptera"), ("crayfish", "Astacidea"), ("scuds", "Amphipoda"), ("sowbugs", "Isopoda"),
            ("mussels", "Bivalvia"), ("craneflies", "Tipulidae"), ("blackflies", "Simuliidae"),
            ("midges", "Chironomidae"), ("snails", "Gastropoda"), ("leeches", "Hirudinea"), ("worms", "Oligochaeta"),
        ].map { FieldProtocol.Counted($0.0, label: .word("counted_\($0.0)"), scientific: $0.1) }, isRequired: true)
}
