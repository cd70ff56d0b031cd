import Routes

/// The description of a root for programs (OpenAPI 3.0).
enum FeatureDocument {
    static let mediaType = "application/vnd.oai.openapi+json;version=3.0"

    /// Written when somebody first asks for it.
    private static let whole = OGCFeatures.api.document().asOpenAPI30

    /// - Parameters:
    ///   - title: The name of the installation.
    ///   - server: The address of the root.
    static func json(of root: FeatureRoot, title: String, server: String) -> JSON {
        .object(
            (whole.members ?? []).map { member in
                switch member.name {
                case "info":
                    JSON.Member("info", member.value.replacing("title", by: .string(title)))
                case "servers": JSON.Member("servers", [["url": .string(server)]])
                case "paths": JSON.Member("paths", .object(paths(member.value.members ?? [], of: root)))
                default: member
                }
            })
    }

    private static let ofPages = "/public/{\(FeatureInputs.page.name)}"

    /// The paths of a root, from there on: those of pages without the secret, which is a part of the root.
    private static func paths(_ all: [JSON.Member], of root: FeatureRoot) -> [JSON.Member] {
        all.compactMap { path in
            guard case .page = root else { return path.name.hasPrefix(ofPages) ? nil : path }
            guard path.name.hasPrefix(ofPages) else { return nil }
            let rest = String(path.name.dropFirst(ofPages.count))
            let operations = (path.value.members ?? []).map { JSON.Member($0.name, withoutSecret($0.value)) }
            return JSON.Member(rest.isEmpty ? "/" : rest, .object(operations))
        }
    }

    private static func withoutSecret(_ operation: JSON) -> JSON {
        let inputs = (operation["parameters"]?.array ?? []).filter { $0["name"] != .string(FeatureInputs.page.name) }
        return operation.replacing("parameters", by: .array(inputs))
    }
}

extension JSON {
    /// The same object with another value of a member that it has.
    fileprivate func replacing(_ name: String, by value: JSON) -> JSON {
        .object((members ?? []).map { $0.name == name ? Member(name, value) : $0 })
    }
}
