import HTTPTypes
import Routes
import WaterQuality

/// What a client asks of a layer.
struct FeatureQuery: Sendable {
    static let mostFeatures = 1_000

    var limit = 100
    /// Nil: the whole earth.
    var box: BoundingBox?
    var span = TimeSpan.always
    /// The cursor of the page before.
    var cursor: String?

    /// The query of the same, but for the cursor.
    var parameters: [(name: String, value: String)] {
        var parameters = [(name: FeatureInputs.limit.name, value: "\(limit)")]
        if let box { parameters.append((FeatureInputs.box.name, box.numbers.map { "\($0)" }.joined(separator: ","))) }
        if span != .always { parameters.append((FeatureInputs.span.name, span.text)) }
        return parameters
    }

    /// The query of the cursor.
    var position: [(name: String, value: String)] {
        cursor.map { [(name: FeatureInputs.cursor.name, value: $0)] } ?? []
    }

    /// The place behind which the page begins; nil: at the beginning.
    func place<Place: CursorKey>(in layer: Layer) throws(Problem) -> Place? {
        guard let cursor else { return nil }
        do {
            return try Cursor.read(cursor, of: layer.rawValue)
        } catch {
            throw Problem(.invalidParameter, faults: [FieldFault(FeatureInputs.cursor, error)])
        }
    }
}

/// The form of an answer.
enum FeatureForm: String, CaseIterable, Sendable {
    case json, html

    /// The form that a client wants: what it says in the address, else in `Accept`; HTML only where it names no JSON, as browsers do.
    init(_ asked: FeatureForm?, accepting accepted: [String]) {
        let types = accepted.joined(separator: ",").lowercased()
        self = asked ?? (types.contains("text/html") && !types.contains("json") ? .html : .json)
    }
}

/// Coordinate reference systems (OGC 18-058r1): longitude and latitude by WGS 84, and no other.
enum FeatureCRS: String, CaseIterable, Sendable {
    case crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
}

enum FeatureInputs {
    static let form = Input<FeatureForm?>.optionalQuery(
        "f", .choice(FeatureForm.self), "The form of the answer. Without it: what Accept asks for.")
    static let limit = Input<Int>.query(
        "limit", .featureLimit, default: FeatureQuery().limit, "How many features a page has at most.")
    static let box = Input<BoundingBox?>.optionalQuery(
        "bbox", .boundingBox,
        """
        West, south, east and north in degrees by WGS 84, or with heights after the second and the last number, which are left aside. Features \
        without a place match as well.
        """)
    static let span = Input<TimeSpan?>.optionalQuery(
        "datetime", .timeSpan,
        "A time, or two with a slash between them, of which one may be open: 2026-05-01T00:00:00Z/..")
    static let crs = Input<FeatureCRS?>.optionalQuery(
        "crs", .choice(FeatureCRS.self), "The coordinate reference system of the answer.")
    static let boxCRS = Input<FeatureCRS?>.optionalQuery(
        "bbox-crs", .choice(FeatureCRS.self), "The coordinate reference system of bbox.")
    static let cursor = Input<String?>.optionalQuery(
        "cursor", .text(1...Cursor.longest), "Comes with the link to the next page.")
    static let feature = Input<String>.path("featureId", .text(1...64).example("pond-1"), "The id of the feature.")
    static let page = Input<String>.path("page", .text(1...128), "The secret of the public page's address.")

    static let ofPage: [any InputDeclaration] = [limit, box, span, crs, boxCRS, cursor]

    static func query(_ inputs: Inputs) -> FeatureQuery {
        FeatureQuery(
            limit: inputs[limit], box: inputs[box], span: inputs[span] ?? .always, cursor: inputs[cursor])
    }
}

extension Format where Value == Int {
    /// More than a page may have counts as the most (17-069r4, 7.15.2).
    fileprivate static let featureLimit: Format = {
        let any = integer(1...Int(Int32.max))
        return Format(
            schema: Schema(
                [
                    "type": "integer", "minimum": 1, "maximum": .integer(Int64(FeatureQuery.mostFeatures)),
                    "default": .integer(Int64(FeatureQuery().limit)),
                ], example: 100)
        ) { text throws(Fault) in min(try any.readText(text), FeatureQuery.mostFeatures) }
    }()
}

extension Format where Value == BoundingBox {
    fileprivate static let boundingBox = Format<[Double]>.list(of: .decimal(-1e6...1e6), count: 4...6)
        .map { (numbers: [Double]) throws(Fault) -> BoundingBox in
            do {
                return try BoundingBox(numbers)
            } catch {
                throw .boundingBox
            }
        }.example([5, 45, 15, 50])
}

extension Format where Value == TimeSpan {
    fileprivate static let timeSpan = reading("time span", example: "2026-05-01T00:00:00Z/..", count: 1...100) {
        text throws(Fault) in
        guard let span = TimeSpan(text) else { throw .timeSpan }
        return span
    }
}

extension Fault {
    fileprivate static let boundingBox = Fault("bounding-box")
    fileprivate static let timeSpan = Fault("time-span")
}

extension ProblemType {
    /// The standard's status for what is wrong in a query.
    static let invalidParameter = ProblemType("invalid-parameter", .badRequest)
}

extension HTTPField.Name {
    static let contentCRS = HTTPField.Name("Content-Crs")!
}
