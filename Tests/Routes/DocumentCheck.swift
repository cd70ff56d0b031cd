@testable import Routes

/// The rules of an OpenAPI document that can be checked without a validator.
struct DocumentCheck {
    private(set) var faults: [String] = []
    private let document: JSON

    init(_ document: JSON) {
        self.document = document
        if document["openapi"] != "3.1.0" { faults.append("the version") }
        checkReferences(document)
        checkOperations()
    }

    private mutating func checkReferences(_ json: JSON) {
        for element in json.array ?? [] { checkReferences(element) }
        for member in json.members ?? [] {
            if member.name == "$ref" {
                let steps = (member.value.string ?? "").split(separator: "/")
                let target = steps.dropFirst().reduce(Optional(document)) { $0?[String($1)] }
                if steps.first != "#" || target == nil { faults.append("no \(member.value.text)") }
            }
            checkReferences(member.value)
        }
    }

    private mutating func checkOperations() {
        var ids: Set<String> = []
        let paths = document["paths"]?.members ?? []
        let all = paths.flatMap { path in (path.value.members ?? []).map { (path.name, $0.value) } }
        for (_, operation) in all {
            let id = operation["operationId"]?.string ?? ""
            if !ids.insert(id).inserted || id.isEmpty { faults.append("the id \(id)") }
        }
        let tags = Set(document["tags"]?.array?.compactMap { $0["name"]?.string } ?? [])
        let schemes = Set(document["components"]?["securitySchemes"]?.members?.map(\.name) ?? [])
        for (path, operation) in all {
            let id = operation["operationId"]?.string ?? ""
            let named = path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                String($0.dropFirst().dropLast())
            }
            let declared = (operation["parameters"]?.array ?? [])
                .filter { $0["in"] == "path" && $0["required"] == true }.compactMap { $0["name"]?.string }
            if named.sorted() != declared.sorted() { faults.append("\(id): the path's parameters") }
            if !(operation["tags"]?.array ?? []).allSatisfy({ tags.contains($0.string ?? "") }) {
                faults.append("\(id): its tags")
            }
            for requirement in operation["security"]?.array ?? [] {
                for scheme in requirement.members ?? [] where !schemes.contains(scheme.name) {
                    faults.append("\(id): its security")
                }
            }
            let responses = operation["responses"]?.members ?? []
            if !responses.contains(where: { $0.name.hasPrefix("2") }) { faults.append("\(id): no success") }
            for link in responses.flatMap({ $0.value["links"]?.members ?? [] })
            where !ids.contains(link.value["operationId"]?.string ?? "") { faults.append("\(id): a link to nowhere") }
        }
    }
}
