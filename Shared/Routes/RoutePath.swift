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

    /// The parameters of a request's path, percent-decoded.
    ///
    /// The path is split before it is decoded, so an escaped slash stays inside its part.
    /// - Returns: `nil` when the path is another one, or a part cannot be decoded or is empty.
    package func match(_ path: Substring) -> [String: String]? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == steps.count + 1, parts[0].isEmpty || steps.isEmpty else { return nil }
        var parameters: [String: String] = [:]
        for (step, part) in zip(steps, parts.dropFirst()) {
            guard let decoded = percentDecoded(part), !decoded.isEmpty else { return nil }
            switch step {
            case .name(let name): guard decoded == name else { return nil }
            case .parameter(let name): parameters[name] = decoded
            }
        }
        return parameters
    }
}
