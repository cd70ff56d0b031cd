/// What a query asks of the entities of a set (OGC 18-088, section 9.3).
package struct QueryOptions: Hashable, Sendable {
    package struct Order: Hashable, Sendable {
        package let field: Field
        package let isDescending: Bool
    }

    /// A link whose entities stand in the answer.
    package struct Expansion: Hashable, Sendable {
        package let link: EntityLink
        package internal(set) var options: QueryOptions
    }

    package internal(set) var filter: FilterExpression?
    package internal(set) var order: [Order] = []
    package internal(set) var top: Int?
    package internal(set) var skip = 0
    package internal(set) var isCounted = false
    /// Names of properties and links; nil: all.
    package internal(set) var select: [String]?
    package internal(set) var expand: [Expansion] = []
    /// Where the page before ended, as its `@iot.nextLink` says.
    package internal(set) var token: String?

    package static let mostTop = 1_000
    package static let defaultTop = 100
    package static let mostSkip = 1_000_000
    package static let mostOrders = 5
    package static let deepestExpand = 3
    package static let mostExpansions = 16
    package static let longestToken = 200

    package init() {}

    /// The most entities of a page.
    package var limit: Int { top ?? Self.defaultTop }

    /// Reads the options of a request.
    /// - Parameters:
    ///   - parameters: Percent-decoded; nil for a value that cannot be.
    ///   - isEntity: Whether one entity is asked for, which can only be selected of and expanded.
    package init(
        _ parameters: [(name: String, value: String?)], of set: EntitySet, isEntity: Bool
    ) throws(SensorThingsFault) {
        var seen: Set<String> = []
        for (name, value) in parameters where !name.isEmpty {
            guard let value else { throw SensorThingsFault(.malformed, "encoding", name) }
            guard seen.insert(name).inserted else { throw SensorThingsFault(.malformed, "repeated", name) }
            try take(name, value, of: set, isEntity: isEntity, depth: 1)
        }
    }

    /// - Parameter depth: How deep an expansion of these options is.
    private mutating func take(
        _ name: String, _ value: String, of set: EntitySet, isEntity: Bool, depth: Int
    ) throws(SensorThingsFault) {
        switch name {
        case "$select": select = try Self.names(value, of: set)
        case "$expand": try readExpansions(value, of: set, depth: depth)
        case _ where isEntity: throw SensorThingsFault(.malformed, "not-of-an-entity", name)
        case "$filter": filter = try FilterParser.read(value, of: set)
        case "$orderby": order = try Self.orders(value, of: set)
        case "$top": top = try Self.number(value, name, 0...Self.mostTop)
        case "$skip": skip = try Self.number(value, name, 0...Self.mostSkip)
        case "$count":
            guard let counted = Bool(value) else { throw SensorThingsFault(.malformed, "not-a-truth", name) }
            isCounted = counted
        case "$skiptoken" where depth == 1:
            guard (1...Self.longestToken).contains(value.utf8.count) else {
                throw SensorThingsFault(.malformed, "token", name)
            }
            token = value
        case "$resultFormat", "$search", "$apply", "$compute", "$format":
            throw SensorThingsFault(.unsupported, "unsupported-option", name)
        default: throw SensorThingsFault(.malformed, "unknown-option", name)
        }
    }

    private static func number(
        _ text: String, _ name: String, _ range: ClosedRange<Int>
    ) throws(SensorThingsFault) -> Int {
        guard let number = Int(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), number >= range.lowerBound
        else {
            throw SensorThingsFault(.malformed, "not-a-number", name)
        }
        // The standard has a service give less than was asked for; what it skips it has to skip.
        guard number <= range.upperBound else {
            guard name == "$top" else { throw SensorThingsFault(.malformed, "too-large", name) }
            return range.upperBound
        }
        return number
    }

    private static func names(_ text: String, of set: EntitySet) throws(SensorThingsFault) -> [String] {
        var names: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var name = String(part.trimmingSpaces)
            if name == "@iot.id" { name = "id" }
            guard name == "id" || name == "@iot.selfLink" || set.properties.contains(name) || set.link(name) != nil
            else {
                throw SensorThingsFault(.malformed, "unknown-property", name)
            }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func orders(_ text: String, of set: EntitySet) throws(SensorThingsFault) -> [Order] {
        var orders: [Order] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: " ")
            guard (1...2).contains(words.count), orders.count < mostOrders else {
                throw SensorThingsFault(.malformed, "order", "$orderby")
            }
            guard let field = set.field(String(words[0])) else {
                throw SensorThingsFault(.malformed, "unknown-property", words[0])
            }
            guard field != .place, words.count == 1 || ["asc", "desc"].contains(words[1].lowercased()) else {
                throw SensorThingsFault(.malformed, "order", words[words.count - 1])
            }
            orders.append(Order(field: field, isDescending: words.count == 2 && words[1].lowercased() == "desc"))
        }
        return orders
    }

    /// `Datastreams($top=1;$select=name)/Sensor,Locations`
    private mutating func readExpansions(_ text: String, of set: EntitySet, depth: Int) throws(SensorThingsFault) {
        guard text.utf8.count <= FilterParser.longest else {
            throw SensorThingsFault(.malformed, "too-long", "$expand")
        }
        for part in try text.parts(by: ",") { try addExpansion(part, of: set, depth: depth) }
    }

    private mutating func addExpansion(_ text: Substring, of set: EntitySet, depth: Int) throws(SensorThingsFault) {
        let text = text.trimmingSpaces
        guard depth <= Self.deepestExpand else { throw SensorThingsFault(.malformed, "too-deep", "$expand") }
        let name = text.prefix { $0 != "(" && $0 != "/" }
        guard let link = set.link(String(name)) else { throw SensorThingsFault(.malformed, "unknown-link", name) }
        var rest = text.dropFirst(name.count)
        if !expand.contains(where: { $0.link == link }) {
            guard expand.count < Self.mostExpansions else { throw SensorThingsFault(.malformed, "too-many", "$expand") }
            expand.append(Expansion(link: link, options: QueryOptions()))
        }
        guard let index = expand.firstIndex(where: { $0.link == link }) else { return }
        if rest.first == "(" {
            let inside = try rest.bracketed()
            rest = rest.dropFirst(inside.count + 2)
            for option in try inside.parts(by: ";") {
                let sides = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard sides.count == 2 else { throw SensorThingsFault(.malformed, "option", option) }
                try expand[index].options.take(
                    String(sides[0].trimmingSpaces), String(sides[1]), of: link.target, isEntity: !link.isMany,
                    depth: depth + 1)
            }
        }
        guard !rest.isEmpty else { return }
        guard rest.first == "/" else { throw SensorThingsFault(.malformed, "unexpected", rest) }
        try expand[index].options.addExpansion(rest.dropFirst(), of: link.target, depth: depth + 1)
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// What stands between the bracket at the beginning and its partner.
    fileprivate func bracketed() throws(SensorThingsFault) -> Substring {
        var depth = 0
        var isText = false
        for index in indices {
            if self[index] == "'" { isText.toggle() }
            if isText { continue }
            if self[index] == "(" { depth += 1 }
            if self[index] == ")" { depth -= 1 }
            if depth == 0 { return self[self.index(after: startIndex)..<index] }
        }
        throw SensorThingsFault(.malformed, "unexpected-end", "$expand")
    }

    /// Splits at a mark outside of brackets and texts.
    fileprivate func parts(by mark: Character) throws(SensorThingsFault) -> [Substring] {
        var parts: [Substring] = []
        var depth = 0
        var isText = false
        var start = startIndex
        for index in indices {
            switch self[index] {
            case "'": isText.toggle()
            case "(" where !isText: depth += 1
            case ")" where !isText: depth -= 1
            case mark where !isText && depth == 0:
                parts.append(self[start..<index])
                start = self.index(after: index)
            default: break
            }
        }
        guard depth == 0, !isText else { throw SensorThingsFault(.malformed, "unexpected-end", "$expand") }
        return parts + [self[start...]]
    }
}

extension String {
    fileprivate func parts(by mark: Character) throws(SensorThingsFault) -> [Substring] {
        try self[...].parts(by: mark)
    }
}
