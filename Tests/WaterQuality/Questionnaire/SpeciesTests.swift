import Testing
import Words

@testable import WaterQuality

/// The catalogue of species: what it promises to clients, and that each of its numbers can be a limit.
@Suite struct SpeciesTests {
    /// Answers are stored by these ids.
    @Test func idsStay() {
        #expect(
            Species.catalogue.map(\.id) == [
                "carassius-auratus", "cyprinus-carpio", "oncorhynchus-mykiss", "lepomis-microlophus",
                "ictalurus-punctatus", "oreochromis-niloticus", "perca-flavescens", "macrobrachium-rosenbergii",
                "procambarus-clarkii", "danio-rerio", "poecilia-reticulata", "poecilia-sphenops",
                "xiphophorus-maculatus", "xiphophorus-hellerii", "paracheirodon-innesi", "corydoras",
                "betta-splendens", "symphysodon", "malawi-cichlids", "ambystoma-mexicanum", "scleractinia",
            ])
        #expect(Set(Species.catalogue.map(\.id)).count == Species.catalogue.count)
        #expect(Species.catalogue.count <= 60, "a selection, not a database")
        for species in Species.catalogue {
            #expect(
                species.id.utf8.count <= 40 && species.id.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) })
            #expect(Species.named(species.id) == species)
        }
        #expect(Species.named("felis-catus") == nil)
    }

    @Test(arguments: Species.catalogue) func everyBoundIsALimitWithASource(_ species: Species) throws {
        #expect(!species.bounds.isEmpty, "whoever names it learns nothing")
        #expect(Set(species.bounds.map(\.parameter)).count == species.bounds.count)
        for bound in species.bounds {
            let range = try SafeRange(bound.parameter, minimum: bound.minimum, maximum: bound.maximum)
            #expect(range.minimum != nil || range.maximum != nil)
            if let maximum = bound.maximum { #expect(maximum < bound.parameter.absoluteRange.upperBound) }
            if let minimum = bound.minimum { #expect(minimum > bound.parameter.absoluteRange.lowerBound) }
        }
    }

    /// What is not read somewhere is not listed: each number, lengths too, names the page that has it.
    @Test(arguments: Species.catalogue) func everyNumberHasASource(_ species: Species) {
        for source in species.bounds.map(\.source) + [species.length?.source].compactMap(\.self) {
            #expect(source.title.count > 8)
            #expect(
                source.address.wholeMatch(of: /[a-z0-9-]+(\.[a-z0-9-]+)+\/\S+/) != nil,
                "\(source.address) is an address without its scheme, of a page")
            #expect(!source.address.contains("fishbase") && !source.address.contains("seriouslyfish"))
        }
        if let length = species.length { #expect((1...300).contains(length.centimetres)) }
    }

    /// A shop's or a keeper's number stands beside an authority's, and is called one.
    @Test func whatKeepersSayIsAConvention() throws {
        let neon = try #require(Species.named("paracheirodon-innesi"))
        #expect(neon.bounds.allSatisfy(\.isConvention) && neon.length?.source.isConvention == false)
        let goldfish = try #require(Species.named("carassius-auratus"))
        #expect(goldfish.bound(of: .temperature)?.isConvention == true)
        #expect(goldfish.bound(of: .salinity)?.isConvention == false)
    }

    @Test(arguments: Language.allCases) func eachHasANameOfItsOwn(_ language: Language) {
        let names = Species.catalogue.map { $0.name(in: language) }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { !$0.isEmpty && !$0.contains("species.") })
    }

    /// Numbers as their sources write them.
    @Test(
        arguments: [
            ("carassius-auratus", .temperature, 10, 24), ("ictalurus-punctatus", .dissolvedOxygen, 5, nil),
            ("oreochromis-niloticus", .temperature, 17.2, nil), ("corydoras", .hardness, 2 * 17.848, 25 * 17.848),
            ("symphysodon", .temperature, 28, 30), ("scleractinia", .salinity, 32, nil),
            ("macrobrachium-rosenbergii", .freeAmmonia, nil, 0.1), ("oncorhynchus-mykiss", .temperature, nil, 19),
        ] as [(String, Parameter, Float?, Float?)])
    func boundsAreWhatTheSourcesSay(
        _ id: String, _ parameter: Parameter, _ minimum: Float?, _ maximum: Float?
    ) throws {
        let bound = try #require(Species.named(id)?.bound(of: parameter))
        #expect(bound.minimum == minimum.map(parameter.steps) && bound.maximum == maximum.map(parameter.steps))
    }

    /// 63 °F and 50 to 75 °F.
    @Test func degreesFahrenheitWereConverted() {
        #expect(Parameter.temperature.steps(of: (63 - 32) / 1.8) == Steps(172))
        #expect(Parameter.temperature.steps(of: (50 - 32) / 1.8) == Steps(100))
        #expect(Parameter.temperature.steps(of: (75 - 32) / 1.8) == Steps(239), "the source says 24 itself: 23.9")
    }
}
