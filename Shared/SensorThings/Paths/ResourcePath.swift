/// The path behind the service's root (OGC 18-088, section 9.2): `Things(7)/Datastreams`.
package struct ResourcePath: Hashable, Sendable, CustomStringConvertible {
    /// One part of the path: a set, or a link of the entity before.
    package struct Step: Hashable, Sendable {
        /// The name in the path: of the set, or of the link.
        package let link: EntityLink
        package let id: EntityID?

        package var isEntity: Bool { id != nil || !link.isMany }
    }

    package enum Tail: Hashable, Sendable {
        /// The entity or the entities of the last step.
        case whole
        /// One property of an entity; raw: its value alone (`$value`).
        case property(String, isRaw: Bool)
        /// The addresses of the entities alone (`$ref`).
        case references
    }

    package let steps: [Step]
    package let tail: Tail

    /// The set that the last step is of.
    package var set: EntitySet { steps[steps.count - 1].link.target }
    package var isEntity: Bool { steps[steps.count - 1].isEntity }

    package static let longest = 500
    package static let mostSteps = 8

    /// - Parameter text: Percent-decoded, without the slash before it.
    package init(_ text: String) throws(SensorThingsFault) {
        guard text.utf8.count <= Self.longest else { throw .notFound }
        var parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= Self.mostSteps + 2 else { throw .notFound }
        var steps: [Step] = []
        var tail = Tail.whole
        while !parts.isEmpty {
            let part = parts.removeFirst()
            let (name, id) = try Self.read(part)
            let before = steps.last
            guard before?.isEntity ?? true else {
                guard part == "$ref", parts.isEmpty else { throw .notFound }
                tail = .references
                break
            }
            let link =
                before.map { $0.link.target.link(name) } ?? EntitySet(rawValue: name).map(EntityLink.many)
            if let link {
                guard link.isMany || id == nil, steps.count < Self.mostSteps else { throw .notFound }
                steps.append(Step(link: link, id: id))
                continue
            }
            guard let before else { throw .notFound }
            if part == "$ref", parts.isEmpty {
                tail = .references
                break
            }
            guard id == nil, before.link.target.properties.contains(name) else { throw .notFound }
            switch parts {
            case []: tail = .property(name, isRaw: false)
            case ["$value"]: tail = .property(name, isRaw: true)
            default: throw .notFound
            }
            break
        }
        guard !steps.isEmpty else { throw .notFound }
        self.steps = steps
        self.tail = tail
    }

    /// `Things`, `Things(7)` or `Observations('449-1')`.
    private static func read(_ part: Substring) throws(SensorThingsFault) -> (name: String, id: EntityID?) {
        guard let bracket = part.firstIndex(of: "(") else { return (String(part), nil) }
        guard part.hasSuffix(")") else { throw .notFound }
        let inner = part[part.index(after: bracket)...].dropLast()
        let name = String(part[..<bracket])
        if inner.utf8.count >= 2, inner.hasPrefix("'"), inner.hasSuffix("'") {
            let text = inner.dropFirst().dropLast()
            guard !text.isEmpty, !text.contains("'") else { throw .notFound }
            return (name, .text(String(text)))
        }
        guard let number = Int64(inner), String(number) == inner else { throw .notFound }
        return (name, .number(number))
    }

    package var description: String {
        let way = steps.map { $0.link.name + ($0.id.map { "(\($0))" } ?? "") }.joined(separator: "/")
        return switch tail {
        case .whole: way
        case .references: way + "/$ref"
        case .property(let name, let isRaw): way + "/" + name + (isRaw ? "/$value" : "")
        }
    }
}
