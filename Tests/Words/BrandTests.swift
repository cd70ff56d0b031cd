import Testing

@testable import Words

@Suite struct BrandTests {
    @Test(arguments: ["K", "Koi & Club", "鯉クラブ", "O'Reef", String(repeating: "a", count: 40)])
    func `names of people are taken`(_ name: String) { #expect(Brand(named: name)?.name == name) }

    @Test(arguments: [
        "", " Koi", "Koi ", "Koi\nClub", "Koi<b>", "{brand}", "\"Koi\"", "Koi\u{202e}bulC", "Koi\u{2028}Club",
        "\u{e000}",
        String(repeating: "a", count: 41), "e" + String(repeating: "\u{301}", count: 200),
    ])
    func `names that would be more than a name are not`(_ name: String) { #expect(Brand(named: name) == nil) }

    @Test(arguments: [
        ("AquaMonitor", "aquamonitor-"), ("Koi & Club 7", "koi-club-7-"), ("鯉クラブ", ""), ("Öl-Reef", "l-reef-"),
    ])
    func `saved files are called after it`(_ name: String, _ prefix: String) throws {
        #expect(try #require(Brand(named: name)).filePrefix == prefix)
    }

    @Test func `the product is what runs unless a service says otherwise`() async throws {
        #expect(Brand.current == .product && Brand.product.name == "AquaMonitor")
        #expect(Accents.product.light.text == "#005d6f" && Accents.product.dark.text == "#7ed4e1")
        let ours = try #require(Brand(named: "Koi Club"))
        let names = await Brand.$current.withValue(ours) {
            await withTaskGroup(of: String.self) { group in
                group.addTask { Brand.current.name }
                group.addTask { await Task { Brand.current.name }.value }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(names == ["Koi Club", "Koi Club"])
    }

    // MARK: Colours

    @Test(arguments: ["005d6f", "#005d6", "#005d6g", "#+05d6f", "teal", "#005d6f ", ""])
    func `other texts are no colours`(_ text: String) { #expect(Colour(text) == nil) }

    /// Ratios of WCAG's own examples, and of black on white.
    @Test(arguments: [("#000000", "#FFFFFF", 21.0), ("#777777", "#ffffff", 4.48), ("#0000ff", "#ffffff", 8.59)])
    func `contrast is that of WCAG`(_ one: String, _ other: String, _ ratio: Double) throws {
        let (one, other) = (try #require(Colour(one)), try #require(Colour(other)))
        #expect(
            (one.contrast(with: other) - ratio).magnitude < 0.01
                && one.contrast(with: other) == other.contrast(with: one))
        #expect(one.contrast(with: one) == 1 && one.distance(from: one) == 0)
    }

    @Test func `a colour that becomes no lighter stays as it is`() throws {
        for text in ["#000000", "#ffffff", "#1976d2", "#ffff00", "#0000ff", "#e91e63", "#808080"] {
            let colour = try #require(Colour(text))
            let same = colour.lighter(by: 0)
            for (one, other) in zip(colour.bytes, same.bytes) { #expect(abs(Int(one) - Int(other)) <= 1, "\(text)") }
            #expect(colour.lighter(by: 1).distance(from: colour.lighter(by: 2)) == 0)
        }
    }

    /// Each colour of a grid of 216: its accents keep their distance from all that they meet, or it is refused with a reason.
    @Test func `text on an accent and beside it stands out`() throws {
        var (taken, faint, alike) = (0, 0, 0)
        let levels = stride(from: 0, through: 255, by: 51)
        for red in levels {
            for green in levels {
                for blue in levels {
                    let digits = [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                    let colour = try #require(Colour("#\(digits)"))
                    do {
                        let accents = try Accents(of: colour)
                        taken += 1
                        for (accent, scheme) in [(accents.light, Accents.Scheme.light), (accents.dark, .dark)] {
                            #expect(accent.contrast(with: scheme.onAccent) >= 4.5, "\(colour.text)")
                            for ground in scheme.grounds {
                                #expect(accent.contrast(with: ground) >= 4.5, "\(colour.text)")
                            }
                            for state in Accents.Scheme.State.allCases {
                                #expect(accent.distance(from: scheme.colour(of: state)) >= 0.06, "\(colour.text)")
                            }
                        }
                    } catch {
                        switch error {
                        case .faint(_, let contrast):
                            faint += 1
                            #expect(contrast < 4.5)
                        case .likeState(_, _, let distance):
                            alike += 1
                            #expect(distance < 0.06)
                        }
                    }
                }
            }
        }
        #expect(taken > 150 && faint > 0 && alike > 0, "\(taken) taken, \(faint) faint, \(alike) like a state")
    }

    @Test func `a refusal says its figure`() throws {
        func story(_ text: String) throws -> String? {
            let colour = try #require(Colour(text))
            do {
                _ = try Accents(of: colour)
                return nil
            } catch {
                return error.story
            }
        }
        #expect(
            try story("#000000")?.hasSuffix(" : 1 in the dark scheme while it is still that colour; text needs 4.5 : 1")
                == true)
        #expect(
            try story("#b82b19")
                == "looks like the colour of alarms in the light scheme: its distance from that is 0.00, and has to be 0.06"
        )
        #expect(try story("#1976d2") == nil)
    }
}
