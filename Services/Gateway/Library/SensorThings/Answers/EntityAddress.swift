import Routes
import SensorThings

/// The addresses of a service's entities.
struct EntityAddress: Sendable {
    /// `https://water.example/sta/v1.1`
    let root: String

    func of(_ set: EntitySet) -> String { "\(root)/\(set.rawValue)" }

    func of(_ row: StoredEntity, in set: EntitySet) -> String {
        "\(root)/\(set.rawValue)(\(row.found.selection.id(in: set)?.description ?? ""))"
    }

    /// - Parameter address: Of the entities without a query.
    func next(_ page: NextPage, _ options: QueryOptions, of set: EntitySet, at address: String) -> String {
        let parameters =
            switch page {
            case .skip(let count): options.resumed(at: count).parameters(of: set)
            case .after(let token): options.resumed(at: 0).parameters(of: set) + [(name: "$skiptoken", value: token)]
            }
        return address + "?" + parameters.map { "\($0.name)=\(Routes.percentEncoded($0.value))" }.joined(separator: "&")
    }
}
