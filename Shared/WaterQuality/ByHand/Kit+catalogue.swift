extension Kit {
    /// The kits that are known, in the order in which they are offered. Other kits, and meters, are read as numbers. A kit that has been
    /// used stays: stored values name it.
    package static let catalogue: [Kit] = [
        Kit(
            id: "api-freshwater", name: "API Freshwater Master Test Kit",
            source:
                "Card values as three independent programs have them alike",
            tests: [
                Test(.ph, in: .ph, .card([6, 6.4, 6.6, 6.8, 7, 7.2, 7.6])),
                Test(.ph, in: .ph, .card([7.4, 7.8, 8, 8.2, 8.4, 8.8])),
                // NH3 and NH4 together
                Test(.ammonia, in: .ppm, .card([0, 0.25, 0.5, 1, 2, 4, 8]), wait: .minutes(5)),
                Test(.nitrite, in: .ppm, .card([0, 0.25, 0.5, 1, 2, 5]), wait: .minutes(5)),
                Test(.nitrate, in: .ppm, .card([0, 5, 10, 20, 40, 80, 160]), wait: .minutes(5)),
            ]),
        Kit(
            id: "api-gh-kh", name: "API GH & KH Test Kit", source: "One drop is one German degree",
            tests: [
                Test(.alkalinity, in: .carbonateHardness, .drops(each: 1)),
                Test(.hardness, in: .generalHardness, .drops(each: 1)),
            ]),
        Kit(
            id: "fluval-ammonia", name: "Fluval Ammonia Test Kit (A7869)",
            source: "The maker's leaflet: 0 to 6.1 mg/L, as NH3",
            tests: [Test(.ammonia, in: .ammoniaMass, .number)]),
        Kit(
            id: "freshwater-watch-nitrate", name: "FreshWater Watch, nitrate",
            source: "freshwaterwatch.thewaterhub.org: seven classes of nitrate, reported as nitrogen",
            tests: [Test(.nitrate, in: .nitrateNitrogen, .classes([0.2, 0.5, 1, 2, 5, 10]))]),
    ]
}

extension Duration {
    fileprivate static func minutes(_ count: Int64) -> Duration { .seconds(count * 60) }
}
