import ArgumentParser
import Foundation
import Instants
import Operator
import TestSupport
import Testing
import WaterQuality

@testable import Rehearsal

@Suite("aqua-rehearsal replay")
struct ReplayTests {
    private static let mapping = ["--map", "T=temperature"]

    @Test("publishes the rows in order, with their spacing divided, duplicates and gaps kept")
    func replays() async throws {
        try await Stage.with(try await .shared, devices: ["replay-order"]) { stage in
            let file = try stage.write(
                "series.csv",
                """
                # a comment
                Time,T,pH
                2021-07-02 00:00,20.0,7.5
                2021-07-02 00:15,20.50,NULL
                2021-07-02 00:15,20.50,NULL
                2021-07-02 00:10,warm,7.5
                2021-07-02 00:05,,
                2021-07-02 02:00,21,-9999
                """)
            let payloads = try await stage.listening(to: ["replay-order"], "readings") { heard in
                try await Replay.parse(
                    [file, "--device", "replay-order", "--map", "pH=ph", "--missing", "-9999", "--speed", "30"]
                        + Self.mapping
                ).run(in: stage.context, until: Signal().stop)
                return await heard[0].upTo(count: 4)
            }
            #expect(stage.lines.complaints == ["\(file), line 6: \"warm\" in T is not a number"])
            #expect(
                stage.lines.output == [
                    "6 rows from 2021-07-02T00:00:00Z to 2021-07-02T02:00:00Z: 5 published, 5 acknowledged, 1 without values, 1 repeated, 0 skipped, 1 cells skipped."
                ])
            #expect(
                payloads.map { $0.drop { $0 != "r" } } == [
                    #"readings":{"ph":7.5,"temperature":20.0}}"#, #"readings":{"temperature":20.50}}"#,
                    #"readings":{"ph":7.5}}"#, #"readings":{"temperature":21}}"#,
                ])
            let times = try payloads.map { try #require(Self.time($0)) }
            #expect(times[1] - times[0] == .seconds(30))
            #expect(times[3] - times[0] == .seconds(240))
        }
    }

    @Test("replays the recorded estuary: every measured row and no other")
    func estuary() async throws {
        let file = Paths.repository.appending(path: "../shared/data/swmp/gndblwq2021.csv").path(percentEncoded: false)
        guard FileManager.default.isReadableFile(atPath: file) else {
            print("skipped: \(file) is absent")
            return
        }
        try await Stage.with(try await .shared, devices: ["replay-estuary"]) { stage in
            let arguments = [
                file, "--device", "replay-estuary", "--time", "DateTimeStamp", "--zone", "-06:00", "--map",
                "Temp=temperature", "--map", "pH=ph", "--map", "DO_mgl=dissolved_oxygen", "--map", "Sal=salinity",
                "--json",
            ]
            let error = await #expect(throws: OperatorError.self) {
                try await Replay.parse(arguments).run(in: stage.context, until: Signal().stop)
            }
            #expect(error?.description.contains("--speed 8.8.") == true)
            let payloads = try await stage.listening(to: ["replay-estuary"], "readings") { heard in
                try await Replay.parse(arguments + ["--speed", "30"]).run(in: stage.context, until: Signal().stop)
                return await heard[0].upTo { $0.last?.contains("end") == true || $0.count == 5333 }
            }
            let report = try #require(stage.lines.output.first)
            for member in [
                #""rows" : 5856"#, #""published" : 5333"#, #""acknowledged" : 5333"#, #""empty" : 523"#,
                #""skipped" : 0"#,
            ] {
                #expect(report.contains(member), "\(member) in \(report)")
            }
            let times = payloads.compactMap(Self.time)
            #expect(times.count == 5333 && times == times.sorted())
        }
    }

    @Test("loses nothing and keeps the order when the broker restarts in the middle")
    func restart() async throws {
        try await TestCluster.with { cluster in
            try await Stage.with(cluster, devices: ["replay-restart"]) { stage in
                let rows = 40_000
                let lines = (0..<rows).map { "\(1_600_000_000 + $0),\($0 % 30)" }
                let file = try stage.write("series.csv", "Time,T\n" + lines.joined(separator: "\n"))
                let payloads = try await stage.listening(to: ["replay-restart"], "readings") { heard in
                    async let replayed: Void = Replay.parse([file, "--device", "replay-restart"] + Self.mapping)
                        .run(in: stage.context, until: Signal().stop)
                    await heard[0].upTo(count: 1)
                    try await cluster.halt(.broker)
                    #expect(stage.lines.output.isEmpty, "the replay was over before the broker went")
                    try await cluster.resume(.broker)
                    try await replayed
                    return await heard[0].upTo(count: rows)
                }
                let times = payloads.compactMap(Self.time)
                #expect(times.count == rows)
                #expect(times == times.sorted())
                #expect(stage.lines.output.first?.contains("\(rows) published, \(rows) acknowledged") == true)
            }
        }
    }

    @Test("stops when told, with what it sent acknowledged")
    func stops() async throws {
        try await Stage.with(try await .shared, devices: ["replay-stop"]) { stage in
            let lines = (0..<60_000).map { "\(1_600_000_000 + $0),\($0 % 30)" }
            let file = try stage.write("series.csv", "Time,T\n" + lines.joined(separator: "\n"))
            try await stage.listening(to: ["replay-stop"], "readings") { heard in
                let stop = Signal()
                async let replayed: Void = Replay.parse([file, "--device", "replay-stop"] + Self.mapping)
                    .run(in: stage.context, until: stop.stop)
                await heard[0].upTo(count: 1)
                stop.give()
                try await replayed
            }
            let report = try #require(stage.lines.output.first)
            #expect(report.hasSuffix("Stopped before the end."))
            let counts = report.matches(of: /(\d+) (published|acknowledged)/).map(\.output.1)
            #expect(counts.count == 2 && counts[0] == counts[1])
        }
    }

    @Test("exits with 1 when nothing was published")
    func nothing() async throws {
        try await Stage.with(try await .shared) { stage in
            let file = try stage.write("series.csv", "Time,T\n2021-07-02 00:00,\nx,1\n")
            let code = await #expect(throws: ExitCode.self) {
                try await Replay.parse([file, "--device", "replay-nobody"] + Self.mapping)
                    .run(in: stage.context, until: Signal().stop)
            }
            #expect(code == ExitCode.failure)
            #expect(stage.lines.output.first?.contains("2 rows") == true)
        }
    }

    @Test("says what to do about a device that the broker does not know")
    func unknown() async throws {
        try await Stage.with(try await .shared) { stage in
            let file = try stage.write("series.csv", "Time,T\n2021-07-02 00:00,20\n")
            let error = await #expect(throws: OperatorError.self) {
                try await Replay.parse([file, "--device", "replay-nobody"] + Self.mapping)
                    .run(in: stage.context, until: Signal().stop)
            }
            #expect(error?.description.contains("run: aqua device add replay-nobody\n") == true)
        }
    }

    private static func time(_ payload: String) -> Timestamp? {
        payload.firstMatch(of: /"time":"([^"]+)"/).flatMap { Timestamp(String($0.output.1)) }
    }
}
