extension QueryOptions {
    /// The options as they stand in an address, not yet percent-encoded; without the place where a page ended.
    package func parameters(of set: EntitySet) -> [(name: String, value: String)] {
        var parameters: [(String, String)] = []
        if let filter { parameters.append(("$filter", filter.text(in: set))) }
        if !order.isEmpty {
            let text = order.map { (set.path(of: $0.field) ?? "?") + ($0.isDescending ? " desc" : "") }
            parameters.append(("$orderby", text.joined(separator: ",")))
        }
        if let top { parameters.append(("$top", String(top))) }
        if skip > 0 { parameters.append(("$skip", String(skip))) }
        if isCounted { parameters.append(("$count", "true")) }
        if let select { parameters.append(("$select", select.joined(separator: ","))) }
        if !expand.isEmpty { parameters.append(("$expand", expand.map(\.text).joined(separator: ","))) }
        return parameters
    }

    /// The same query from another entity on.
    package func resumed(at skip: Int) -> QueryOptions {
        var options = self
        options.skip = skip
        options.token = nil
        return options
    }
}

extension QueryOptions.Expansion {
    fileprivate var text: String {
        let options = options.parameters(of: link.target).map { "\($0.name)=\($0.value)" }
        return link.name + (options.isEmpty ? "" : "(\(options.joined(separator: ";")))")
    }
}
