import Testing

@testable import Words

@Suite struct CatalogueTests {
    /// A missing key would show as English, or as itself.
    @Test(arguments: Language.allCases) func `a language has the texts that English has`(_ language: Language) {
        let (own, wanted) = (Set(language.catalogue.texts.keys), Set(Language.en.catalogue.texts.keys))
        #expect(wanted.subtracting(own).filter { !Self.isOptional($0) } == [])
        #expect(own.subtracting(wanted).filter { !Self.isOptional($0) } == [])
    }

    @Test(arguments: Language.allCases) func `a text has the places that the English one has`(_ language: Language) {
        for (key, forms) in language.catalogue.texts {
            guard let english = Language.en.catalogue.texts[key], !Self.isOptional(key), !key.hasPrefix("language.")
            else {
                continue
            }
            // A plural's form for one may leave the number out; a sentence may have the name in either form, and may do without the
            // installation's.
            func names(_ template: Template?) -> Set<String> {
                Set((template?.places ?? []).map { $0 == "noun" ? "name" : $0 }).subtracting(["brand"])
            }
            #expect(names(forms["other"]) == names(english["other"]), "\(language.rawValue) \(key)")
        }
    }

    @Test(arguments: Language.allCases) func `no text names the product`(_ language: Language) {
        var naming = 0
        for (key, forms) in language.catalogue.texts {
            for (form, template) in forms.forms {
                let letters = template.filled { "{\($0)}" }.lowercased().filter(\.isLetter)
                #expect(!letters.contains("aquamonitor"), "\(language.rawValue) \(key) \(form)")
                naming += template.places.contains("brand") ? 1 : 0
            }
        }
        #expect(naming >= 10, "places of the name")
    }

    @Test(arguments: Language.allCases) func `a text has the name of the installation`(_ language: Language) throws {
        let ours = try #require(Brand(named: "Koi & Club"))
        let texts = Brand.$current.withValue(ours) {
            [
                language.text("notice.test"), language.text("call.message", ["text": "{brand}"]),
                language.text("mail.open") { _ in nil },
            ]
        }
        for text in texts { #expect(text.contains("Koi & Club"), "\(text)") }
        #expect(texts[1].contains("{brand}"), "a value is no place")
        #expect(language.text("mail.open").contains("AquaMonitor"))
        #expect(language.text("mail.open", ["brand": "Reef"]).contains("Reef"))
    }

    @Test func `names and order are those of the files`() {
        #expect(Language.allCases.map(\.rawValue) == ["en", "ja", "es", "de"])
        #expect(Language.allCases.map(\.name) == ["English", "日本語", "Español", "Deutsch"])
        #expect(Language(rawValue: "xx") == nil && Language(rawValue: "de") != nil)
    }

    @Test(arguments: [
        ("en", "en"), ("ja-JP", "ja"), ("es_MX.UTF-8", "es"), ("ES", "es"), ("de-AT", "de"), ("fr", "en"), ("", "en"),
    ])
    func `a locale has a language`(_ locale: String, _ code: String) {
        #expect(Language(locale: locale).rawValue == code)
    }

    @Test func `numbers are written as the language writes them`() throws {
        let texts = try ["en", "ja", "es", "de"].map { try #require(Language(rawValue: $0)).quantity("25", "°C") }
        #expect(texts == ["25 °C", "25°C", "25 °C", "25 °C"])
        #expect(Language.allCases.map(\.decimalMark) == [".", ".", ",", ","])
        #expect(Language.en.quantity("7.9", "") == "7.9")
    }

    @Test func `a text that a language lacks is the English one, and a key that none has is shown`() {
        #expect(Language.en.text("notice.nothing") == "notice.nothing")
    }

    @Test func `a value is never taken for a place`() {
        let template = Template("{one} {two} {three}")
        #expect(template.filled { ["one": "{two}", "two": "2"][$0] } == "{two} 2 {three}")
    }

    @Test func `sentences follow one another as the language has it`() {
        #expect(Language.en.joined(["A.", "", "B."]) == "A. B.")
        #expect(Language(locale: "ja").joined(["A。", "B。"]) == "A。B。")
    }

    /// Forms that a parameter's name has in some languages, and sentences of its own in place of those of any.
    private static func isOptional(_ key: String) -> Bool {
        key.hasPrefix("water.") && !key.hasPrefix("water.any")
            && ["_noun", "_subject", "_gender", "_full", "_probe"].contains { key.hasSuffix($0) }
    }
}
