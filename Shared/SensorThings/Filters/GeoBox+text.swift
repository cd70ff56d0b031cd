extension GeoBox {
    /// Reads Well-Known Text: a polygon of one ring with four corners whose sides follow meridians and parallels.
    init(wellKnownText text: String, at place: Int) throws(SensorThingsFault) {
        let name = text.prefix { $0 != "(" }.filter { $0 != " " }.uppercased()
        guard ["POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON"].contains(name) else {
            throw SensorThingsFault(.malformed, "not-an-area", name, at: place)
        }
        guard name == "POLYGON" else { throw SensorThingsFault(.unsupported, "boxes-only", name, at: place) }
        let inner = text.drop { $0 != "(" }.filter { $0 != "(" && $0 != ")" }
        guard text.filter({ $0 == "(" }).count == 2, text.filter({ $0 == ")" }).count == 2, text.hasSuffix("))") else {
            throw SensorThingsFault(.unsupported, "boxes-only", name, at: place)
        }
        var corners: [(x: Double, y: Double)] = []
        for part in inner.split(separator: ",", omittingEmptySubsequences: false) {
            let numbers = part.split(separator: " ").map { Double($0) }
            guard numbers.count == 2, let x = numbers[0], let y = numbers[1], (-180...180).contains(x),
                (-90...90).contains(y)
            else { throw SensorThingsFault(.malformed, "not-an-area", part, at: place) }
            corners.append((x, y))
        }
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        guard let west = xs.min(), let east = xs.max(), let south = ys.min(), let north = ys.max() else {
            throw SensorThingsFault(.malformed, "not-an-area", name, at: place)
        }
        // Each side keeps a longitude or a latitude, and each corner of the box is met.
        let isBox =
            corners.count == 5 && xs[0] == xs[4] && ys[0] == ys[4] && west < east && south < north
            && zip(corners, corners.dropFirst()).allSatisfy { ($0.x == $1.x) != ($0.y == $1.y) }
            && corners.allSatisfy { ($0.x == west || $0.x == east) && ($0.y == south || $0.y == north) }
        guard isBox else { throw SensorThingsFault(.unsupported, "boxes-only", name, at: place) }
        self.init(west: west, south: south, east: east, north: north)
    }

    var wellKnownText: String {
        "POLYGON((\(west) \(south),\(east) \(south),\(east) \(north),\(west) \(north),\(west) \(south)))"
    }
}
