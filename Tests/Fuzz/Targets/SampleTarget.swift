import Routes
import WaterQuality

@testable import Gateway

extension FuzzTarget {
    /// Samples and protocols as people send them, and as they are stored.
    static let sample = FuzzTarget(
        "sample",
        seeds: [
            #"{"protocol":"river-full","protocolVersion":1,"begunAt":"2026-05-01T10:00:00Z","zone":"Europe/Berlin","utcOffset":7200,"values":[{"field":"temperature","number":12.5},{"field":"nitrite","below":0.02},{"field":"ph","notMeasured":"no meter"}],"position":{"latitude":52.5,"longitude":13.4,"source":"gps"}}"#,
            #"{"protocol":"pond","protocolVersion":2,"begunAt":"2026-05-01T10:00:00Z","weather":{"now":"clouded","wind":2},"values":[{"field":"animals","station":"2","count":[{"species":"mayflies","count":12}]},{"field":"oxygen","depth":2.5,"above":1e3}]}"#,
            #"{"name":"Our pond","stations":3,"depths":true,"fields":[{"id":"clear","kind":"class","label":"Clear","choices":[{"id":"a","label":"A","to":1},{"id":"b","label":"B","from":1}]},{"id":"t","kind":"number","label":"Warm","parameter":"temperature","unit":"F","minimum":0,"each":"depth"}]}"#,
            #"{"name":"Animals","help":"Turn stones.","fields":[{"id":"n","kind":"count","label":"N","species":[{"id":"m","label":"M","scientific":"Ephemeroptera"}],"required":true}]}"#,
            "[[[0,52.5,13.4,5],[60,52.501,13.4,null]],[[7200,0,1,0]]]",
        ],
        words: [
            #""field":"#, #""station":"#, #""depth":"#, #""below":-1"#, #""choice":"#, #""each":"station""#,
            #""fields":["#, #""meanOf":["#, "null", "1e9",
            "-0", "\\u0000", "\\uD800", "{", "}", "[", "]", ",",
        ]
    ) { bytes in
        guard let json = try? JSON(reading: bytes) else { return }
        if let sample = try? Format<FieldSample>.storedSample.readJSON(json) {
            try promise(sample.values.count <= FieldSample.mostValues, "\(sample.values.count) values")
            let again = try Format<FieldSample>.storedSample.readJSON(JSON(reading: Array(sample.storedJSON.utf8)))
            try promise(again == sample, "another sample comes back")
            for sampling in FieldProtocol.catalogue {
                if let (index, _) = sampling.fault(of: sample.values) {
                    try promise(sample.values.indices.contains(index), "a fault at \(index)")
                } else {
                    _ = sample.handValues(by: sampling)
                }
            }
        }
        if let sampling = try? Format<FieldProtocol>.fieldProtocol.readJSON(json) {
            try promise(sampling.fields.count <= FieldProtocol.mostFields, "\(sampling.fields.count) fields")
            let again = try Format<FieldProtocol>.fieldProtocol.readJSON(JSON(reading: Array(sampling.storedJSON.utf8)))
            try promise(again == sampling, "another protocol comes back")
        }
        if let track = try? Format<FieldTrack>.fieldTrack.readJSON(json) {
            try promise(track.count <= FieldTrack.mostPoints && track.ascends, "\(track.count) points")
        }
    }
}
