/// The path of a route: `/devices/{device}/readings`.
package struct RoutePath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package enum Step: Hashable, Sendable {
        case name(String)
        case parameter(String)
        /// All steps that are left, at least one, with the slashes between them: `{path...}`.
        case rest(String)
    }

    package let steps: [Step]

    package init(stringLiteral text: String) {
        precondition(text.hasPrefix("/") && (text == "/" || !text.hasSuffix("/")), "A path is /like/this, not \(text).")
        steps = text.split(separator: "/").map { part in
            guard part.hasPrefix("{"), part.hasSuffix("}") else { return .name(String(part)) }
            let name = part.dropFirst().dropLast()
            return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
        }
        precondition(
            !steps.dropLast().contains { if case .rest = $0 { true } else { false } },
            "Nothing is behind the rest of \(text).")
    }

    package var parameters: [String] {
        steps.compactMap { step in
            switch step {
            case .name: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }

    package var description: String {
        "/"
            + steps.map { step in
                switch step {
                case .name(let name): name
                case .parameter(let name): "{\(name)}"
                case .rest(let name): "{\(name)...}"
                }
            }.joined(separator: "/")
    }
}
