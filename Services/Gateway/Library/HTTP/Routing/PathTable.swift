import Routes

/// A map from paths such as `/devices/{device}/parameters/{parameter}`, whose look-ups take a time that does not depend
/// on the number of paths.
///
/// A literal step takes precedence over a parameter, and both over the rest of a path. Paths are taken as they are: no slash is added, removed or merged.
struct PathTable<Value: Sendable>: Sendable {
    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var rest: Int?
        var value: Value?
    }

    private var nodes = [Node()]

    /// Changes the value of a path, nil at first.
    mutating func update(_ path: RoutePath, _ change: (inout Value?) -> Void) {
        var node = 0
        for step in path.steps {
            let known: Int? =
                switch step {
                case .name(let name): nodes[node].literals[name]
                case .parameter: nodes[node].parameter
                case .rest: nodes[node].rest
                }
            if let known {
                node = known
                continue
            }
            nodes.append(Node())
            let added = nodes.count - 1
            switch step {
            case .name(let name): nodes[node].literals[name] = added
            case .parameter: nodes[node].parameter = added
            case .rest: nodes[node].rest = added
            }
            node = added
        }
        change(&nodes[node].value)
    }

    /// - Parameter path: Percent-encoded, without query. It is split before it is decoded, so that an escaped slash
    ///   stays inside its step.
    /// - Returns: The value and the path's parameters in order; nil for an unknown path, and for a malformed one.
    func match(_ path: Substring) -> (value: Value, parameters: [String])? {
        guard path.first == "/" else { return nil }
        let parts = path == "/" ? [] : path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= Self.mostSteps else { return nil }
        var steps: [String] = []
        for part in parts {
            guard let step = percentDecoded(part), !step.isEmpty else { return nil }
            steps.append(step)
        }
        var parameters: [String] = []
        return find(steps[...], from: 0, &parameters).map { ($0, parameters) }
    }

    private static var mostSteps: Int { 16 }

    private func find(_ steps: ArraySlice<String>, from node: Int, _ parameters: inout [String]) -> Value? {
        guard let step = steps.first else { return nodes[node].value }
        if let next = nodes[node].literals[step], let value = find(steps.dropFirst(), from: next, &parameters) {
            return value
        }
        if let next = nodes[node].parameter {
            parameters.append(step)
            if let value = find(steps.dropFirst(), from: next, &parameters) { return value }
            parameters.removeLast()
        }
        guard let next = nodes[node].rest else { return nil }
        parameters.append(steps.joined(separator: "/"))
        return nodes[next].value
    }
}
