import Routes
import SensorThings

/// The answer to a path: entities, one entity, one of its properties, or addresses alone.
struct WrittenEntities: Sendable {
    let text: String
    let mediaType: String

    init(_ page: EntityPage, _ path: ResourcePath, _ options: QueryOptions, _ writer: EntityWriter) {
        let place = "\(writer.address.root)/\(path)"
        let json: JSON
        switch path.tail {
        case .whole:
            json =
                path.isEntity
                ? page.entities.first.map { writer.entity($0, options, of: path.set) } ?? .null
                : writer.list(page, options, of: path.set, at: place)
        case .references:
            let references = writer.references(page, options, of: path.set, at: place)
            json = path.isEntity ? references["value"]?[0] ?? .null : references
        case .property(let name, let isRaw):
            let value = page.entities.first?.row.property(name, of: path.set) ?? .null
            if isRaw, value.members == nil {
                text = value.string ?? value.text
                mediaType = "text/plain; charset=utf-8"
                return
            }
            json = isRaw ? value : .object([.init(name, value)])
        }
        text = json.text
        mediaType = "application/json"
    }
}
