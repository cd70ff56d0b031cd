extension Species {
    // Degrees of hardness are written as such; what a source tells in Fahrenheit is noted beside it. A range in which it lives for a while is
    // no limit to alarm by, and not listed.
    package static let catalogue: [Species] = [
        Species(
            "carassius-auratus", "Carassius auratus", length: (59, .carpsAndMinnows),
            [
                // 50 to 75 °F
                .range(.temperature, 10, 24, .goldfish),
                .atMost(.salinity, 6, .carpsAndMinnows),
            ]),
        Species(
            "cyprinus-carpio", "Cyprinus carpio", length: (122, .nonnativeFishes),
            [
                .atLeast(.alkalinity, 100, .koi),
                .atMost(.salinity, 17, .nonnativeFishes),
            ]),
        Species(
            "oncorhynchus-mykiss", "Oncorhynchus mykiss",
            [
                // What it bears for a week on the mean, not what is best.
                .atMost(.temperature, 19, .rainbowTrout)
            ]),
        Species("lepomis-microlophus", "Lepomis microlophus", [.atMost(.temperature, 29, .redearSunfish)]),
        Species(
            "ictalurus-punctatus", "Ictalurus punctatus",
            [
                // Below it does not grow.
                .atLeast(.temperature, 18, .channelCatfish),
                .atLeast(.dissolvedOxygen, 5, .channelCatfish), .atMost(.salinity, 8, .channelCatfish),
            ]),
        Species(
            "oreochromis-niloticus", "Oreochromis niloticus",
            [
                // 63 °F, below which it stops feeding.
                .atLeast(.temperature, 17.2, .tilapia),
                .range(.ph, 6, 9, .tilapiaInKenya), .atLeast(.dissolvedOxygen, 4, .tilapiaInKenya),
                .atMost(.salinity, 15, .tilapia),
            ]),
        Species(
            "perca-flavescens", "Perca flavescens",
            [
                // It grows from 50 °F on, and is ill at ease above 79 °F.
                .range(.temperature, 10, 26, .yellowPerch)
            ]),
        Species(
            "macrobrachium-rosenbergii", "Macrobrachium rosenbergii",
            [
                .range(.ph, 6.5, 9.5, .prawn), .atMost(.freeAmmonia, 0.1, .prawn),
                .atMost(.hardness, 150, .prawnInKerala),
            ]),
        Species(
            "procambarus-clarkii", "Procambarus clarkii",
            [
                .atLeast(.dissolvedOxygen, 5, .crawfish),
                // The softest water of the experiments in which they grew well.
                .atLeast(.hardness, 50, .crawfishHardness),
            ]),
        Species(
            "danio-rerio", "Danio rerio",
            [
                .range(.ph, 7, 8, .zebrafish), .range(.hardness, 50, 150, .zebrafish),
                .atMost(.nitrite, 0.1, .zebrafish), .atMost(.nitrate, 50, .zebrafish),
                .atLeast(.dissolvedOxygen, 6, .zebrafish),
            ]),
        livebearer("poecilia-reticulata", "Poecilia reticulata", length: 6),
        livebearer("poecilia-sphenops", "Poecilia sphenops", length: 16),
        livebearer("xiphophorus-maculatus", "Xiphophorus maculatus", length: 10),
        livebearer("xiphophorus-hellerii", "Xiphophorus hellerii", length: 12),
        Species(
            "paracheirodon-innesi", "Paracheirodon innesi", length: (4, .neonTetra),
            [
                .range(.temperature, 21, 27, .neonsInTheShop),
                .range(.ph, 6, 7, .neonsInTheShop),
            ]),
        Species(
            "corydoras", "Corydoras", length: (10, .corydoras),
            [
                .range(.temperature, 22, 28, .corydoras), .range(.ph, 6, 8, .corydoras),
                .degrees(2, 25, .corydoras),
            ]),
        Species(
            "betta-splendens", "Betta splendens", length: (6, .betta),
            [
                .atLeast(.temperature, 25, .betta), .range(.ph, 6.5, 8, .betta),
                .degrees(3, 10, .betta),
            ]),
        Species(
            "symphysodon", "Symphysodon",
            [
                .range(.temperature, 28, 30, .discus), .range(.ph, 6, 7.5, .discus),
                .degrees(1, 5, .discus), .atMost(.nitrate, 20, .discus),
            ]),
        Species(
            "malawi-cichlids", "Haplochromini",
            [
                .range(.temperature, 24, 28, .malawiWarmth),
                .range(.ph, 7.8, 8.6, .malawi),
            ]),
        Species(
            "ambystoma-mexicanum", "Ambystoma mexicanum",
            [
                .range(.temperature, 12, 20, .axolotlWarmth),
                .range(.ph, 6.5, 8, .axolotl), .degrees(7, 14, .axolotl),
            ]),
        Species(
            "scleractinia", "Scleractinia", in: .salt,
            [
                .range(.temperature, 23, 29, .corals),
                // The source says up to 42, which is more than the probe measures.
                .atLeast(.salinity, 32, .corals),
            ]),
    ]

    /// Four that are told of together.
    private static func livebearer(_ id: String, _ name: String, length: Double) -> Species {
        Species(
            id, name, length: (length, .livebearers),
            [
                .range(.temperature, 18, 28, .livebearers),
                .range(.ph, 7, 8, .livebearers), .degrees(9, 19, .livebearers),
            ])
    }

    private init(
        _ id: String, _ scientificName: String, in water: Water = .fresh, length: (Double, Source)? = nil,
        _ bounds: [Bound]
    ) {
        self.id = id
        self.scientificName = scientificName
        self.water = water
        self.length = length.map { Length(centimetres: $0, source: $1) }
        self.bounds = bounds
    }
}

extension Species.Bound {
    fileprivate static func range(
        _ parameter: Parameter, _ minimum: Float, _ maximum: Float, _ source: Species.Source
    ) -> Self {
        Self(
            parameter: parameter, minimum: parameter.steps(of: minimum), maximum: parameter.steps(of: maximum),
            source: source)
    }

    fileprivate static func atLeast(_ parameter: Parameter, _ minimum: Float, _ source: Species.Source) -> Self {
        Self(
            parameter: parameter, minimum: parameter.steps(of: minimum), maximum: nil, source: source)
    }

    fileprivate static func atMost(_ parameter: Parameter, _ maximum: Float, _ source: Species.Source) -> Self {
        Self(
            parameter: parameter, minimum: nil, maximum: parameter.steps(of: maximum), source: source)
    }

    /// German degrees of hardness, of which one is 17.848 ppm of calcium carbonate.
    fileprivate static func degrees(_ minimum: Float, _ maximum: Float, _ source: Species.Source) -> Self {
        range(.hardness, minimum * 17.848, maximum * 17.848, source)
    }
}
