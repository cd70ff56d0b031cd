package import FoundationEssentials

extension Format where Value == UUID {
    package static var uuid: Format<UUID> {
        Format(schema: .uuid) { text throws(Fault) in
            guard text.utf8.count == 36, let value = UUID(uuidString: text) else { throw .notUUID }
            return value
        }
    }
}

extension Format {
    /// Several values: a JSON array in a body, comma-separated elsewhere.
    package static func list<Element>(of element: Format<Element>, count: ClosedRange<Int>) -> Format
    where Value == [Element] {
        @Sendable func counted(_ number: Int) throws(Fault) {
            guard number >= count.lowerBound else { throw .tooFew(minimum: count.lowerBound) }
            guard number <= count.upperBound else { throw .tooMany(maximum: count.upperBound) }
        }
        return Format(
            schema: .list(of: element.schema, count: count),
            readText: { text throws(Fault) in
                let parts = text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
                try counted(parts.count)
                var values: [Element] = []
                for part in parts { values.append(try element.readText(String(part))) }
                return values
            },
            readJSON: { json throws(Fault) in
                guard case .array(let parts) = json else { throw .notList }
                try counted(parts.count)
                var values: [Element] = []
                for (index, part) in parts.enumerated() {
                    do throws(Fault) {
                        values.append(try element.readJSON(part))
                    } catch {
                        throw error.inside(String(index))
                    }
                }
                return values
            })
    }
}
