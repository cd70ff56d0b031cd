import Crypto
import HTTPTypes
import Routes

/// The route of the pictures that the operator's own map is made of.
enum TileRoutes {
    /// Not below the API: pages load pictures without a token, and anybody may see a map.
    static let outside = [show]

    private static let column = Format<Int>.integer(0...(1 << TileAddress.deepest) - 1)
    private static let zoom = Input.path("z", Format<Int>.integer(0...TileAddress.deepest), "The zoom level.")
    private static let x = Input.path("x", column, "The column, from the west.")
    private static let y = Input.path("y", column, "The row, from the north.")
    private static let version = Input<String?>.optionalQuery(
        "v", Format<String>.text(1...64), "The version of the map, as the address of its tiles has it.")

    private static let show = Route<Caller>(
        .get, "/tiles/{z}/{x}/{y}", id: "showTile", tag: DeviceRoutes.tag, access: .anyone, "Show a tile of the map",
        text: "204 where the map has none.", inputs: [zoom, x, y, version],
        answers: .file("image/*", "The picture.", headers: [.eTag]), problems: [.notFound], limit: .tiles
    ) { caller, inputs in
        guard let map = caller.scope.services.map,
            let address = TileAddress(zoom: inputs[zoom], x: inputs[x], y: inputs[y])
        else { throw Problem(.notFound) }
        let found = try await map.answered { try await $0.tile(at: address) }
        // Another version of the map has another address.
        let cacheControl =
            inputs[version] == found.facts.version ? "public, max-age=31536000, immutable" : "public, no-cache"
        guard let picture = found.picture else { return .absent(headers: [.cacheControl: cacheControl]) }
        let tag = EntityTag(picture: Array(SHA256.hash(data: picture.bytes)))
        let headers = HTTPFields(
            ofPicture: picture.type.rawValue, named: "tile", tag, cacheControl: cacheControl)
        let isKnown = caller.headers[.ifNoneMatch].map { $0.contains(tag.value) || $0 == "*" } ?? false
        return isKnown ? .notModified(headers: headers) : .value(picture.bytes, headers: headers)
    }
}

extension MapReader {
    /// Runs `body`; what keeps the map from being read is no fault of the request.
    /// - Throws: `Problem(.unavailable)`.
    func answered<Value: Sendable>(_ body: @Sendable (MapReader) async throws -> Value) async throws -> Value {
        do {
            return try await body(self)
        } catch is Busy {
            throw Problem(.unavailable, retryAfter: .seconds(2))
        } catch is TileFault {
            throw Problem(.unavailable, retryAfter: .seconds(60))
        }
    }
}
