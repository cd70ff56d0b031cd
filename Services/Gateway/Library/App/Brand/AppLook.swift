import Routes
package import Words

/// An installation's own look in the files of the web app: its name, its accents, and its logo in the place of the product's mark.
///
/// | in the sources | as it is served |
/// |---|---|
/// | `{brand}` in the shell and the manifest | the name |
/// | the two accents of the product, in styles and in the icon | those of the installation |
/// | the icons, and the mark of the shell | the logo, where there is one |
package struct AppLook: Sendable {
    let brand: Brand
    let logo: BrandLogo?

    package static let product = AppLook(.product, logo: nil)

    /// - Parameter logo: nil where the product's mark stands, in the installation's accent.
    package init(_ brand: Brand, logo: BrandLogo?) {
        self.brand = brand
        self.logo = logo
    }

    /// The object that scripts know it by, as `brand` of the list of languages.
    var script: String {
        let path = logo.map { "\"\($0.path)\"" } ?? "null"
        return "{\"name\":\(Self.quoted(brand.name)),\"filePrefix\":\"\(brand.filePrefix)\",\"logo\":\(path)}"
    }

    /// A string of a script with nothing but letters and digits as they are: packing reads scripts by their blanks and marks, and would take
    /// those of a name for the script's.
    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }
        return "\"" + scalars.joined() + "\""
    }

    /// For the service worker's notifications: the name for those that say nothing, and pictures as paths.
    var worker: [JSON.Member] {
        var members: [JSON.Member] = [.init("name", .string(brand.name))]
        guard let logo else {
            return members + [.init("icon", "/icons/icon-192.png"), .init("badge", "/icons/badge-96.png")]
        }
        // Notifications show no SVG. A badge is the outline of its picture, and a logo may have none.
        if logo.type == .png { members.append(.init("icon", .string(logo.path))) }
        return members
    }

    /// - Parameter files: The contents by their paths, as they stand in the sources.
    func applied(to files: [String: [UInt8]]) -> [String: [UInt8]] {
        var files = files
        func change(_ path: String, _ change: (String) -> String) {
            files[path] = files[path].map { Array(change(String(decoding: $0, as: UTF8.self)).utf8) }
        }
        change("/index.html") { named($0, escaped(brand.name)) }
        change("/manifest.webmanifest") { named($0, String(JSON.string(brand.name).text.dropFirst().dropLast())) }
        if brand.accents != .product {
            for path in files.keys where path.hasSuffix(".css") { change(path, coloured) }
            change("/icons/icon.svg", coloured)
            for icon in AppIcon.all {
                files[icon.path] = files[icon.path].map { _ in icon.drawn(in: brand.accents.light) }
            }
        }
        guard let logo else { return files }
        change("/index.html") { withLogo($0, logo) }
        change("/manifest.webmanifest") { withIcons($0, logo) }
        files = files.filter { !$0.key.hasPrefix("/icons/") }
        files[logo.path] = logo.bytes
        return files
    }

    private func named(_ text: String, _ name: String) -> String { text.replacing("{brand}", with: name) }

    private func coloured(_ text: String) -> String {
        text.replacing(Accents.product.light.text, with: brand.accents.light.text)
            .replacing(Accents.product.dark.text, with: brand.accents.dark.text)
    }

    /// The shell with the logo in the place of icons and mark. Lines stay lines.
    private func withLogo(_ shell: String, _ logo: BrandLogo) -> String {
        shell.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("<link rel=\"icon\"") {
                return "<link rel=\"icon\" href=\"\(logo.path)\" type=\"\(logo.type.text)\">"
            }
            if line.hasPrefix("<link rel=\"apple-touch-icon\"") {
                // An iPhone shows no SVG on its Home Screen.
                return logo.type == .png ? "<link rel=\"apple-touch-icon\" href=\"\(logo.path)\">" : ""
            }
            guard let start = line.firstRange(of: "<svg class=\"mark\""), let end = line.firstRange(of: "</svg>") else {
                return String(line)
            }
            return line[..<start.lowerBound] + "<img class=\"mark\" src=\"\(logo.path)\" alt=\"\">"
                + line[end.upperBound...]
        }.joined(separator: "\n")
    }

    private func withIcons(_ manifest: String, _ logo: BrandLogo) -> String {
        guard case .object(let members)? = try? JSON(reading: Array(manifest.utf8)) else { return manifest }
        let sizes = logo.type == .png ? "\(logo.side)x\(logo.side)" : "any"
        let icon: JSON = ["src": .string(logo.path), "sizes": .string(sizes), "type": .string(logo.type.text)]
        return JSON.object(members.map { $0.name == "icons" ? .init("icons", [icon]) : $0 }).text + "\n"
    }
}
