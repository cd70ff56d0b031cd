import Routes

extension Layer {
    /// The JSON Schema of a feature, whose properties are described as those of a root.
    func schema(root: FeatureRoot) -> [JSON.Member] {
        let properties = root.properties(of: self).map { property in
            JSON.Member(
                property.name,
                .object((property.type.members ?? []) + [.init("description", .string(property.text))]))
        }
        let point: JSON = [
            "type": "object", "required": ["type", "coordinates"],
            "properties": [
                "type": ["type": "string", "enum": ["Point"]],
                "coordinates": ["type": "array", "minItems": 2, "maxItems": 2, "items": ["type": "number"]],
            ],
        ]
        return [
            .init("type", "object"), .init("required", ["type", "id", "geometry", "properties"]),
            .init(
                "properties",
                [
                    "type": ["type": "string", "enum": ["Feature"]], "id": ["type": "string"],
                    "geometry": ["anyOf": [point, ["type": "null"]]],
                    "properties": ["type": "object", "properties": .object(properties)], "links": Self.links,
                ]),
        ]
    }

    /// - Parameter feature: The schema of a feature.
    static func schemaOfPage(_ feature: [JSON.Member]) -> Schema {
        Schema(
            [
                "type": "object", "required": ["type", "features", "links", "timeStamp", "numberReturned"],
                "properties": [
                    "type": ["type": "string", "enum": ["FeatureCollection"]],
                    "timeStamp": ["type": "string", "format": "date-time"],
                    "numberReturned": ["type": "integer", "minimum": 0], "links": links,
                    "features": ["type": "array", "items": .object(feature)],
                ],
            ],
            example: [
                "type": "FeatureCollection", "timeStamp": "2026-05-01T12:00:00Z", "numberReturned": 1, "links": [],
                "features": [example],
            ])
    }

    /// An example of a feature in the document.
    static let example: JSON = [
        "type": "Feature", "id": "pond-1", "geometry": ["type": "Point", "coordinates": [16.37208, 48.20849]],
        "properties": [:],
    ]

    private static let links: JSON = [
        "type": "array",
        "items": [
            "type": "object", "required": ["href", "rel"],
            "properties": [
                "href": ["type": "string"], "rel": ["type": "string"], "type": ["type": "string"],
                "title": ["type": "string"],
            ],
        ],
    ]
}
