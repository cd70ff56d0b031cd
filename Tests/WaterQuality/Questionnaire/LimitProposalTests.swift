import Testing

@testable import WaterQuality

/// Limits that follow from answers: the kind's, narrowed by each species; clashes named; nothing widened in silence.
@Suite struct LimitProposalTests {
    private func species(_ ids: String...) throws -> [Species] { try ids.map { try #require(Species.named($0)) } }

    private func limits(_ answers: TankAnswers, _ parameter: Parameter) throws -> LimitProposal {
        try #require(answers.proposal(of: parameter))
    }

    @Test func nothingSaidProposesNothing() {
        #expect(TankAnswers().proposals.isEmpty)
        #expect(TankAnswers(litres: 180, place: .indoors, hasPlants: true).proposals.isEmpty)
    }

    @Test(arguments: Preset.allCases) func withoutSpeciesTheKindIsAsItsPreset(_ kind: Preset) throws {
        for parameter in Parameter.allCases where parameter != .ammonia || kind.freeAmmonia == nil {
            let proposal = TankAnswers(kind: kind).proposal(of: parameter)
            let limits = kind.limits(of: parameter)
            #expect((proposal == nil) == (limits == nil))
            #expect(proposal?.minimum?.limit == limits?.minimum && proposal?.maximum?.limit == limits?.maximum)
            #expect(proposal?.clash == nil && proposal?.followsSeason != true)
            for limit in [proposal?.minimum, proposal?.maximum] {
                guard let limit else { continue }
                #expect(limit.origin == .kind(kind) && limit.isConvention == limits?.isConvention)
                #expect(limit.sources == kind.sources)
            }
        }
    }

    @Test func aSpeciesNarrowsAndSaysSo() throws {
        let answers = TankAnswers(kind: .community, species: try species("paracheirodon-innesi", "corydoras"))
        let acidity = try limits(answers, .ph)
        #expect(acidity.minimum?.limit == Steps(65) && acidity.minimum?.origin == .kind(.community))
        #expect(acidity.maximum?.limit == Steps(70))
        guard case .species(let neon, let source) = acidity.maximum?.origin else {
            Issue.record("of a species")
            return
        }
        #expect(neon.id == "paracheirodon-innesi" && acidity.maximum?.sources == [source.title])
        let warmth = try limits(answers, .temperature)
        #expect(warmth.minimum?.limit == Steps(240) && warmth.maximum?.limit == Steps(270))
        #expect(warmth.maximum?.origin == .kind(.community), "the neon bears as much: what is kept goes first")
    }

    /// Seeded by all pairs: no proposal allows what the kind or a species of its own forbids, unless they clash.
    @Test func noProposalIsWiderThanAnyOfThem() throws {
        for kind in Preset.allCases {
            for one in Species.catalogue {
                for other in Species.catalogue where other != one {
                    let answers = TankAnswers(kind: kind, species: [one, other], place: .indoors)
                    for proposal in answers.proposals where proposal.clash == nil {
                        let parameter = proposal.parameter
                        let minima = [
                            kind.limits(of: parameter)?.minimum, one.bound(of: parameter)?.minimum,
                            other.bound(of: parameter)?.minimum,
                        ].compactMap(\.self)
                        let maxima = [
                            kind.limits(of: parameter)?.maximum, one.bound(of: parameter)?.maximum,
                            other.bound(of: parameter)?.maximum,
                        ].compactMap(\.self)
                        let isFree = if case .freeAmmonia = proposal.maximum?.origin { true } else { false }
                        #expect(proposal.minimum?.limit == minima.max())
                        #expect(
                            isFree
                                ? proposal.maximum!.limit < maxima.min() ?? Steps(Steps.largest)
                                : proposal.maximum?.limit == maxima.min())
                        _ = try SafeRange(
                            parameter, minimum: proposal.minimum?.limit, maximum: proposal.maximum?.limit)
                    }
                }
            }
        }
    }

    // MARK: Ammonia

    /// Emerson's formula, with the numbers worked out by hand: pKa 9.1252 at 29 °C, of which 0.1917 is free at pH 8.5.
    @Test(
        arguments: [
            (.goldfishAndKoi, [], 11, 290, 85, 0.02), (.goldfishAndKoi, ["carassius-auratus"], 14, 240, 85, 0.02),
            (.trout, [], 21, 180, 85, 0.02), (.warmPond, [], 23, 320, 85, 0.05),
        ] as [(Preset, [String], Int32, Int32, Int32, Float)])
    func ammoniaFollowsFromItsFreePart(
        _ kind: Preset, _ ids: [String], _ total: Int32, _ warmth: Int32, _ acidity: Int32, _ most: Float
    ) throws {
        let answers = TankAnswers(kind: kind, species: try ids.map { try #require(Species.named($0)) })
        let maximum = try #require(try limits(answers, .ammonia).maximum)
        #expect(maximum.limit == Steps(total))
        guard case .freeAmmonia(let bound) = maximum.origin else {
            Issue.record("of its free part")
            return
        }
        #expect(bound.temperature == Steps(warmth) && bound.ph == Steps(acidity) && bound.most == most)
        #expect(maximum.sources == kind.sources + [FreeAmmoniaBound.formula])
        #expect(maximum.isConvention == (kind == .trout))
    }

    @Test func aTotalThatIsStricterStays() throws {
        // Prawns bear 0.1 ppm of free ammonia: at the limits of a community that is more than any probe measures.
        let answers = TankAnswers(kind: .community, species: try species("macrobrachium-rosenbergii"))
        #expect(answers.freeAmmonia.isEmpty)
        #expect(try limits(answers, .ammonia).maximum?.origin == .kind(.community))
        let pond = TankAnswers(kind: .warmPond, species: try species("macrobrachium-rosenbergii"))
        #expect(pond.freeAmmonia.map(\.most) == [0.05, 0.1])
        #expect(try limits(pond, .ammonia).maximum?.limit == pond.freeAmmonia[0].total)
        #expect(TankAnswers(kind: .marineFish, species: try species("macrobrachium-rosenbergii")).freeAmmonia.isEmpty)
        #expect(
            TankAnswers(species: try species("macrobrachium-rosenbergii")).proposal(of: .ammonia) == nil, "how warm?")
    }

    @Test func whatTheFormulaDoesNotHoldForSaysNothing() {
        func total(_ temperature: Int32, _ ph: Int32, _ most: Float = 0.02) -> Steps? {
            FreeAmmoniaBound(most, of: .kind(.trout), temperature: Steps(temperature), ph: Steps(ph))?.total
        }
        #expect(total(180, 85) == Steps(21) && total(150, 80) == Steps(79))
        #expect(total(501, 85) == nil && total(180, 60) == nil, "beyond the formula, beyond the scale")
        #expect(total(300, 120) == Steps(2) && total(300, 120, 0.005) == nil, "less than a step")
    }

    @Test func goldfishClashWithDiscus() throws {
        let answers = TankAnswers(kind: .community, species: try species("carassius-auratus", "symphysodon"))
        let warmth = try limits(answers, .temperature)
        let clash = try #require(warmth.clash)
        guard case .species(let discus, _) = clash.needs.origin, case .species(let goldfish, _) = clash.bears.origin
        else {
            Issue.record("two species")
            return
        }
        #expect(discus.id == "symphysodon" && clash.needs.limit == Steps(280))
        #expect(goldfish.id == "carassius-auratus" && clash.bears.limit == Steps(240))
        #expect(warmth.minimum?.limit == Steps(240) && warmth.maximum?.limit == Steps(270), "the kind's stay")
        #expect(try limits(answers, .hardness).clash == nil, "they clash in one parameter, not in all")
        let alone = TankAnswers(species: try species("carassius-auratus", "symphysodon"))
        let unkept = try limits(alone, .temperature)
        #expect(unkept.clash != nil && unkept.minimum == nil && unkept.maximum == nil)
    }

    @Test func whatIsKeptMayClashWithASpecies() throws {
        let warmth = try limits(
            TankAnswers(kind: .community, species: try species("ambystoma-mexicanum")), .temperature)
        #expect(warmth.clash?.needs.origin == .kind(.community))
        #expect(warmth.maximum?.limit == Steps(270))
    }

    /// Many species have no number for salt: their water alone says that they do not live together.
    @Test func speciesOfOtherWaterAreNamed() throws {
        func strangers(_ kind: Preset?, _ ids: String...) throws -> [String] {
            let species = try ids.map { try #require(Species.named($0)) }
            return TankAnswers(kind: kind, species: species).strangers.map(\.id)
        }
        #expect(try strangers(.community, "paracheirodon-innesi", "scleractinia") == ["scleractinia"])
        #expect(try strangers(.reef, "paracheirodon-innesi", "scleractinia") == ["paracheirodon-innesi"])
        #expect(try strangers(nil, "scleractinia", "corydoras", "betta-splendens") == ["corydoras", "betta-splendens"])
        #expect(try strangers(nil, "corydoras", "betta-splendens") == [])
        #expect(try strangers(.pool, "corydoras") == ["corydoras"], "nothing lives in a pool")
        #expect(try strangers(.reef) == [])
    }

    @Test func outdoorsInWinterNoSpeciesSaysHowColdItMayBe() throws {
        let goldfish = try species("carassius-auratus")
        func warmth(_ place: TankAnswers.Place?) throws -> LimitProposal {
            try limits(TankAnswers(kind: .goldfishAndKoi, species: goldfish, place: place), .temperature)
        }
        for place in [nil, .indoors, .outdoors(winter: .broughtInside)] as [TankAnswers.Place?] {
            let inside = try warmth(place)
            #expect(inside.minimum?.limit == Steps(100) && !inside.followsSeason)
        }
        for winter in [nil, .underIce, .neverFreezes] as [TankAnswers.Winter?] {
            let outside = try warmth(.outdoors(winter: winter))
            #expect(outside.minimum?.limit == Steps(20) && outside.followsSeason)
            #expect(outside.minimum?.origin == .kind(.goldfishAndKoi) && outside.maximum?.limit == Steps(240))
        }
    }

    // MARK: Beside the person's own

    private func range(_ parameter: Parameter, _ minimum: Int32?, _ maximum: Int32?) -> PersonalRange {
        PersonalRange(
            parameter: parameter, unit: parameter.canonicalUnit, minimum: minimum.map { Steps($0) },
            maximum: maximum.map { Steps($0) })
    }

    @Test(
        arguments: [
            (240, 270, LimitProposal.Difference.same), (230, 280, .narrower), (nil, nil, .narrower),
            (230, nil, .narrower), (250, 270, .wider), (240, 260, .wider), (250, 280, .wider), (nil, 260, .wider),
        ] as [(Int32?, Int32?, LimitProposal.Difference)])
    func aDifferenceIsSaid(_ minimum: Int32?, _ maximum: Int32?, _ difference: LimitProposal.Difference) throws {
        let proposal = try limits(TankAnswers(kind: .community), .temperature)
        #expect(proposal.difference(from: range(.temperature, minimum, maximum)) == difference)
    }

    /// Where there is no limit any more, what was one is widened.
    @Test func takingALimitAwayIsWider() throws {
        let salt = try limits(TankAnswers(kind: .community), .salinity)
        #expect(salt.minimum == nil && salt.maximum == nil)
        #expect(salt.difference(from: range(.salinity, 30, 70)) == .wider)
        #expect(salt.difference(from: range(.salinity, nil, nil)) == .same)
    }

    @Test func onlyWhatNobodySetIsWidenedUnasked() throws {
        let proposal = try limits(TankAnswers(kind: .goldfishAndKoi), .temperature)
        let defaults = Parameter.temperature.defaults
        let first = range(.temperature, defaults.minimum?.count, defaults.maximum?.count)
        #expect(proposal.difference(from: first) == .wider && proposal.isPreselected(over: first))
        let own = range(.temperature, 121, 240)
        #expect(proposal.difference(from: own) == .wider && !proposal.isPreselected(over: own))
        #expect(proposal.isPreselected(over: range(.temperature, nil, nil)), "it narrows")
        #expect(!proposal.isPreselected(over: range(.temperature, 20, 290)), "nothing changes")
    }

    @Test func whatACriticalLimitWouldRefuseIsNotPreselected() throws {
        let proposal = try limits(TankAnswers(kind: .goldfishAndKoi), .temperature)
        let defaults = Parameter.temperature.defaults
        var marked = range(.temperature, defaults.minimum?.count, defaults.maximum?.count)
        marked.criticalMaximum = Steps(300)
        #expect(proposal.isPreselected(over: marked))
        marked.criticalMaximum = Steps(290)
        #expect(!proposal.isPreselected(over: marked))
    }

    @Test func remindersFit() {
        func ids(_ answers: TankAnswers) -> [String] { answers.reminders.map(\.id) }
        #expect(ids(TankAnswers()) == CareProposal.all.map(\.id), "who says nothing is offered all")
        #expect(!ids(TankAnswers(kind: .pool)).contains("feed"))
        #expect(!ids(TankAnswers(kind: .goldfishAndKoi, hasPlants: false)).contains("dose"))
        #expect(ids(TankAnswers(kind: .reef, hasPlants: false)).contains("dose"))
        #expect(!ids(TankAnswers(place: .outdoors(winter: nil))).contains("clean-glass"))
        #expect(!ids(TankAnswers(probes: [])).contains("calibrate"))
    }
}
