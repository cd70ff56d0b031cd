import Routes

/// Answers as the services' documentation shows them.
enum Examples {
    static let number = "01646500"

    /// A feature of the Survey's collection `continuous`; values are texts there.
    static func feature(
        _ series: String, _ code: String, _ time: String, _ value: JSON, unit: String = "degC",
        at number: String = number
    ) -> JSON {
        [
            "type": "Feature", "id": "0001", "geometry": nil,
            "properties": [
                "id": "0001", "time_series_id": .string(series), "monitoring_location_id": .string("USGS-\(number)"),
                "parameter_code": .string(code), "statistic_id": "00011", "time": .string(time), "value": value,
                "unit_of_measure": .string(unit), "approval_status": "Provisional", "qualifier": nil,
                "last_modified": "2026-11-30T12:06:23.000000+00:00",
            ],
        ]
    }

    static func collection(_ features: [JSON]) -> JSON {
        [
            "type": "FeatureCollection", "features": .array(features),
            "numberReturned": .integer(Int64(features.count)),
            "links": [["rel": "self", "href": "https://api.waterdata.usgs.gov/", "type": "application/geo+json"]],
            "timeStamp": "2026-11-30T12:10:00.000000Z",
        ]
    }

    /// A series of the Survey's former service, WaterML 1.1 as JSON.
    static func timeSeries(_ code: String, _ values: [(String, String)], method: Int64 = 69_928) -> JSON {
        [
            "sourceInfo": [
                "siteName": "POTOMAC RIVER NEAR WASH, DC LITTLE FALLS PUMP STA",
                "siteCode": [["value": .string(number), "network": "NWIS", "agencyCode": "USGS"]],
            ],
            "variable": [
                "variableCode": [["value": .string(code), "network": "NWIS", "vocabulary": "NWIS:UnitValues"]],
                "unit": ["unitCode": "deg C"], "noDataValue": -999999.0,
            ],
            "values": [
                [
                    "value": .array(
                        values.map { ["value": .string($0.1), "qualifiers": ["P"], "dateTime": .string($0.0)] }),
                    "method": [["methodDescription": "", "methodID": .integer(method)]],
                ]
            ],
            "name": .string("USGS:\(number):\(code):00000"),
        ]
    }

    /// A Datastream with what it is asked for.
    static func stream(
        _ id: JSON, _ name: String, symbol: String, property: String, definition: String = "",
        _ observations: [(String, JSON)], hasMore: Bool = false
    ) -> JSON {
        var members: [JSON.Member] = [
            .init("@iot.selfLink", "https://sta.example/v1.1/Datastreams(1)"), .init("@iot.id", id),
            .init("name", .string(name)), .init("description", ""),
            .init("observationType", "http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_Measurement"),
            .init("unitOfMeasurement", ["name": "", "symbol": .string(symbol), "definition": ""]),
            .init("Thing", ["name": "Weir at the mill"]),
            .init("ObservedProperty", ["name": .string(property), "definition": .string(definition)]),
            .init("Observations", .array(observations.map { ["phenomenonTime": .string($0.0), "result": $0.1] })),
        ]
        if hasMore { members.append(.init("Observations@iot.nextLink", "https://sta.example/next")) }
        return .object(members)
    }
}
