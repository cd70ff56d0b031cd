import Foundation
import NIOHTTP1
import Routes
import ServiceKit
import TestSupport
import Testing
import Words

@testable import Gateway

/// The look that an operator gives the app: name, accents and logo, from the settings to what is served.
@Suite struct AppLookTests {
    private static let folder = Paths.repository.appending(path: "Services/Gateway/Web").path(percentEncoded: false)
    private static let svg = Array(
        #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>"#.utf8)

    private static func look(
        _ logo: [UInt8]? = nil, name: String = "Koi & Club", accents: Accents = .product
    ) throws -> AppLook {
        let brand = try #require(Brand(named: name, accents: accents))
        return AppLook(brand, logo: try logo.map { try BrandLogo($0) })
    }

    /// The app's files in the sources.
    private static func read() throws -> [String: [UInt8]] { try AppFolder.read(folder) }

    /// The files as they are served, with a name and a colour.
    private static let ours = Result {
        try AppPacking.packed(try read(), look: try look(accents: try Accents(of: try #require(Colour("#1976d2")))))
    }

    private static func text(_ files: [String: [UInt8]], _ path: String) throws -> String {
        String(decoding: try #require(files[path]), as: UTF8.self)
    }

    // MARK: The app

    @Test func theProductIsTheProduct() throws {
        let files = try AppPacking.packed(try Self.read())
        let shell = try Self.text(files, "/index.html")
        #expect(shell.contains("<title>AquaMonitor</title>") && shell.contains("AquaMonitor needs JavaScript."))
        #expect(shell.contains("content=\"AquaMonitor\"") && !shell.contains("{brand}"))
        let manifest = try JSON(reading: try #require(files["/manifest.webmanifest"]))
        #expect(manifest["name"] == "AquaMonitor" && manifest["icons"]?.array?.count == 4)
        #expect(try Self.text(files, AppPacking.styles).contains("#005d6f"))
        let read = try Self.read()
        for path in files.keys where path.hasPrefix("/icons/") { #expect(files[path] == read[path], "\(path)") }
    }

    /// Whatever a person sees has the installation's name and accent; nothing but the words about a probe's own network has the product's.
    @Test func nothingOfTheProductIsLeft() throws {
        let files = try Self.ours.get()
        for (path, content) in files where !path.hasSuffix(".png") {
            let text = String(decoding: content, as: UTF8.self)
            let isAllowed =
                text.ranges(of: "AquaMonitor").count <= (text.contains("const network = \"AquaMonitor\"") ? 1 : 0)
            #expect(isAllowed, "\(path) names the product")
            for colour in ["#005d6f", "#7ed4e1"] { #expect(!text.contains(colour), "\(path) has \(colour)") }
        }
        let shell = try Self.text(files, "/index.html")
        #expect(shell.contains("<title>Koi &amp; Club</title>") && shell.contains("Koi &amp; Club needs JavaScript."))
        #expect(try JSON(reading: try #require(files["/manifest.webmanifest"]))["short_name"] == "Koi & Club")
        let styles = try Self.text(files, AppPacking.styles)
        #expect(styles.contains("--accent: var(--light, #0064bb) var(--dark, #7bb8ff);"))
        // States and water stay as they are.
        #expect(styles.contains("--alarm: var(--light, #b82b19)") && styles.contains("--water: var(--light, #e4eff1)"))
        let all = files.values.map { String(decoding: $0, as: UTF8.self) }
        #expect(
            all.contains {
                $0.contains(
                    #"const brand = {"name":"Koi\u{20}\u{26}\u{20}Club","filePrefix":"koi-club-","logo":null};"#)
            })
    }

    /// A name is no part of the script that it is written into, whatever it has of one.
    @Test(arguments: ["Koi`s", "We await you", "a /** @b */ c", "a /** @b", "; import (a)", "import.meta", #"Koi\"#])
    func aNameIsNoScript(name: String) throws {
        let sources = [
            "/index.html": "<script type=\"module\" src=\"/lang/index.js\"></script>\n", FirstWords.path: "[]",
            "/lang/index.js": "import { brand } from \"./languages.js\";\nbrand.name;\n",
        ]
        let packed = try AppPacking.packed(sources.mapValues { Array($0.utf8) }, look: try Self.look(name: name))
        let written = name.unicodeScalars.map { scalar in
            scalar.isASCII && scalar.properties.isAlphabetic ? "\(scalar)" : "\\u{\(String(scalar.value, radix: 16))}"
        }.joined()
        #expect(packed.values.contains { String(decoding: $0, as: UTF8.self).contains("{\"name\":\"\(written)\",") })
    }

    @Test func aNameIsWrittenIntoTheManifestAsJSON() throws {
        let files = try Self.look(name: #"Koi\Club"#).applied(to: try Self.read())
        #expect(try JSON(reading: try #require(files["/manifest.webmanifest"]))["name"] == .string(#"Koi\Club"#))
    }

    /// The icons of phones are drawn anew: the mark as in the product's files, on the accent.
    @Test func iconsHaveTheAccent() throws {
        let (read, files) = (try Self.read(), try Self.ours.get())
        for icon in AppIcon.all {
            let (own, products) = (
                try CleanImage(try #require(files[icon.path])), try CleanImage(try #require(read[icon.path]))
            )
            #expect(own.type == .png && own.width == products.width && own.height == products.height, "\(icon.path)")
            #expect(files[icon.path] != read[icon.path])
        }
        #expect(files["/icons/badge-96.png"] == read["/icons/badge-96.png"])
        #expect(try Self.text(files, "/icons/icon.svg").contains("fill=\"#0064bb\""))
    }

    @Test(arguments: [false, true]) func aLogoStandsForTheMark(isPNG: Bool) throws {
        let png = AppIcon(path: "", side: 256, hasCorners: true, scale: 1).drawn(in: try #require(Colour("#123456")))
        let look = try Self.look(isPNG ? png : Self.svg)
        let path = try #require(look.logo).path
        #expect(path.hasPrefix("/brand/logo-") && path.hasSuffix(isPNG ? ".png" : ".svg"))
        let files = look.applied(to: try Self.read())
        #expect(files[path] == (isPNG ? png : Self.svg))
        #expect(!files.keys.contains { $0.hasPrefix("/icons/") })
        let shell = try Self.text(files, "/index.html")
        #expect(
            shell.contains("<img class=\"mark\" src=\"\(path)\" alt=\"\">") && !shell.contains("class=\"mark\" viewBox")
        )
        #expect(shell.contains("<link rel=\"icon\" href=\"\(path)\"") && !shell.contains("/icons/"))
        #expect(shell.contains("<link rel=\"apple-touch-icon\" href=\"\(path)\">") == isPNG)
        let manifest = try JSON(reading: try #require(files["/manifest.webmanifest"]))
        #expect(
            manifest["icons"] == [
                [
                    "src": .string(path), "sizes": isPNG ? "256x256" : "any",
                    "type": isPNG ? "image/png" : "image/svg+xml",
                ]
            ])
        #expect(manifest["start_url"] == "/")
        let other = try Self.look(
            Array(String(decoding: Self.svg, as: UTF8.self).replacing("r=\"4\"", with: "r=\"3\"").utf8))
        #expect(other.logo?.path != path)
    }

    // MARK: What is served

    @Test func aLogoIsKeptAndLoadsNothing() async throws {
        let look = try Self.look(Self.svg)
        let app = try WebApp(folder: Self.folder, look: look)
        let adjust = GatewayUnderTest.adjusting {
            $0.app = app
            $0.brand = look.brand
        }
        let path = try #require(look.logo).path
        try await GatewayUnderTest.with(adjust) { gateway in
            let logo = try await gateway.request(.GET, path)
            #expect(logo.status == 200 && Array(logo.body) == Self.svg)
            #expect(logo[header: "Content-Type"] == "image/svg+xml")
            #expect(logo[header: "Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(logo[header: "Content-Security-Policy"] == BrandLogo.policy)
            #expect(logo[header: "X-Content-Type-Options"] == "nosniff")
            let worker = String(decoding: try await gateway.request(.GET, "/sw.js").body, as: UTF8.self)
            let build = try #require(worker.split(separator: "\n").first).dropFirst("const BUILD = ".count).dropLast()
            let told = try JSON(reading: Array(build.utf8))
            #expect(told["name"] == "Koi & Club" && told["icon"] == nil && told["badge"] == nil)
            #expect(told["files"]?.array?.contains(.string(path)) == true)
            // Routes have the name, too; programs know the service by the product's.
            let document = try await gateway.request(.GET, "/api/openapi.json")
            #expect(document.json?["info"]?["title"] == "Koi & Club")
            let service = try await gateway.request(.GET, "/api/v1/service")
            #expect(service.json?["name"] == "AquaMonitor")
            let person = try await gateway.person("anna@example.com")
            let audit = try await gateway.request(.GET, "/api/v1/audit.csv", person)
            #expect(audit[header: "Content-Disposition"] == "attachment; filename=\"koi-club-audit.csv\"")
        }
    }

    @Test func anotherLookIsAnotherVersion() throws {
        let files = ["/index.html": "<title>{brand}</title>", "/styles/base.css": "a { color: #005d6f }"].mapValues {
            Array($0.utf8)
        }
        let accents = try Accents(of: try #require(Colour("#1976d2")))
        let looks = [.product, try Self.look(), try Self.look(accents: accents), try Self.look(Self.svg)]
        #expect(Set(try looks.map { try WebApp(files: files, look: $0).version }).count == looks.count)
    }

    // MARK: The settings

    private static func faults(_ environment: [String: String]) -> [ConfigurationFault] {
        do {
            _ = try Configuration.read(from: environment, GatewayConfiguration.init(reader:))
            return []
        } catch {
            return error.faults.filter { $0.variable.hasPrefix("AQUA_BRAND") }
        }
    }

    @Test func whatASettingCannotBeIsTold() throws {
        #expect(Self.faults(["AQUA_BRAND_NAME": "Koi Club", "AQUA_BRAND_COLOUR": "#1976D2"]) == [])
        #expect(Self.faults(["AQUA_BRAND_NAME": "", "AQUA_BRAND_COLOUR": " ", "AQUA_BRAND_LOGO_FILE": ""]) == [])
        #expect(Self.faults(["AQUA_BRAND_NAME": "<b>"]).map(\.variable) == ["AQUA_BRAND_NAME"])
        #expect(Self.faults(["AQUA_BRAND_COLOUR": "red"]).map(\.variable) == ["AQUA_BRAND_COLOUR"])
        let faint = try #require(Self.faults(["AQUA_BRAND_COLOUR": "#000000"]).first)
        #expect(
            faint.description.hasPrefix(
                "AQUA_BRAND_COLOUR is #000000, which reaches a contrast of 1.9 : 1 in the dark scheme"))
        let alike = try #require(Self.faults(["AQUA_BRAND_COLOUR": "#b82b19"]).first)
        #expect(
            alike.problem.contains("the colour of alarms") && alike.remedy == "set it to another colour, or remove it")
        #expect(Self.faults(["AQUA_BRAND_LOGO_FILE": "/nowhere/logo.svg"]).map(\.variable) == ["AQUA_BRAND_LOGO_FILE"])
    }

    /// A service that shows no colour goes on measuring whatever the colour is.
    @Test func theNameIsReadWithoutTheColour() throws {
        let brand = try Configuration.read(
            from: ["AQUA_BRAND_NAME": "Koi Club", "AQUA_BRAND_COLOUR": "#000000"], { $0.brandByName() })
        #expect(brand == Brand(named: "Koi Club"))
    }

    @Test func aLogoIsLookedAtWhenTheServiceStarts() throws {
        let small = AppIcon(path: "", side: 64, hasCorners: true, scale: 1).drawn(in: Accents.product.light)
        let cases: [([UInt8], String?)] = [
            (Self.svg, nil), (small, "which has sides of 64 pixels, and a logo has 192 to 1024"),
            (Pictures.png, "which is 16 wide and 8 high, and a logo is square"),
            (Array(Pictures.png.dropLast()), "which is no whole PNG"),
            (Pictures.animatedPNG, "which moves, and a logo stands still"),
            (Pictures.jpeg, "which is neither PNG nor plain SVG with a size of its own"), ([], "which is empty"),
            (Array(repeating: 0x20, count: 300_000), "which is too large"),
        ]
        for (bytes, problem) in cases {
            let file = FileManager.default.temporaryDirectory.appending(path: "logo-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(bytes).write(to: file)
            let faults = Self.faults(["AQUA_BRAND_LOGO_FILE": file.path(percentEncoded: false)])
            #expect(faults.count == (problem == nil ? 0 : 1), "\(faults)")
            if let problem { #expect(faults.first?.problem.hasSuffix(problem) == true, "\(faults)") }
        }
    }

    /// The colours that an accent keeps its distance from are those of the styles.
    @Test(arguments: Accents.Scheme.allCases) func theSchemesAreThoseOfTheStyles(scheme: Accents.Scheme) throws {
        let styles = try Self.text(try AppFolder.read(Self.folder), "/styles/tokens.css")
        func colour(_ name: String) throws -> String {
            let line = try #require(styles.split(separator: "\n").first { $0.contains("--\(name): var(") })
            let start = try #require(line.firstRange(of: "var(--\(scheme), "))
            return String(line[start.upperBound...].prefix(7))
        }
        let grounds = try ["air", "under", "water", "deep", "surface", "sunk", "raised"].map(colour)
        #expect(Set(scheme.grounds.map(\.text)) == Set(grounds))
        #expect(try scheme.onAccent.text == colour("on-accent"))
        #expect(try scheme.colour(of: .alarms).text == colour("alarm"))
        #expect(try scheme.colour(of: .trouble).text == colour("fault"))
        #expect(try colour("accent") == (scheme == .light ? Accents.product.light : Accents.product.dark).text)
    }
}
