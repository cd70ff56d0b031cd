/// The path of a route: `/devices/{device}/readings`.
package struct RoutePath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package enum Step: Hashable, Sendable {
        case name(String)
        case parameter(String)
    }

    package let steps: [Step]

    package init(stringLiteral text: String) {
        precondition(text.hasPrefix("/") && (text == "/" || !text.hasSuffix("/")), "A path is /like/this, not \(text).")
        steps = text.split(separator: "/").map { part in
            part.hasPrefix("{") && part.hasSuffix("}")
                ? .parameter(String(part.dropFirst().dropLast())) : .name(String(part))
        }
    }

    package var parameters: [String] {
        steps.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    package var description: String {
        "/"
            + steps.map { step in
                switch step {
                case .name(let name): name
                case .parameter(let name): "{\(name)}"
                }
            }.joined(separator: "/")
    }
}
