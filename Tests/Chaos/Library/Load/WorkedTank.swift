import Foundation
import Synchronization
import TestSupport

/// A tank on whose water somebody works while faults are injected. Its person begins, extends and finishes work by
/// their screen, or lets it end by itself; its device goes on measuring, and asks for receipts.
///
/// Nothing is measured while a request is on its way, so that the time of a reading alone says whether it is of the
/// work.
final class WorkedTank: Sendable {
    let probe: Probe
    private let screen: Screen
    private let ledger = Mutex<[LedgerWork]>([])

    private static let period = Duration.milliseconds(200)
    private static let hour = 3_600_000_000
    /// Readings of so many hours are believed as they come.
    private static let hoursBack = 150

    init(_ probe: Probe, _ screen: Screen) {
        self.probe = probe
        self.screen = screen
    }

    var device: String { probe.name }

    func signIn() async throws { try await screen.signIn() }

    /// The work since the last call.
    func takeLedger() -> [LedgerWork] {
        ledger.withLock { ledger in
            defer { ledger = [] }
            return ledger
        }
    }

    /// Works once on the water of now and once on that of an earlier hour, and measures calm water for as long as `flow`
    /// goes on. Returns when all readings are handed over.
    /// - Parameter round: Its number: each round has an earlier hour of its own.
    func play(_ flow: Flow, seed: UInt64, round: Int) async throws {
        try await probe.play { course in
            var generator = SeededGenerator(seed: seed)
            try await self.enterAfterwards(course, round)
            try await self.work(course, flow, &generator)
            while flow.goesOn {
                course.measure(Water.calm)
                await flow.pause(Flow.period)
            }
            await course.end(flow)
        }
    }

    /// Reports a backlog of an hour that is rolled up already, and enters work for the middle of it. Its values are within
    /// all limits, and the greatest and least of their hour.
    private func enterAfterwards(_ course: Probe.Course, _ round: Int) async throws {
        let start = wallClock() - (2 + round % Self.hoursBack) * Self.hour
        let values = [Water.calm, Water.all.map { $0.minimum + 1 }, Water.all.map { $0.maximum - 1 }, Water.calm]
        for (number, values) in values.enumerated() { course.measure(values, at: start + number * 1_000_000) }
        try await begin(from: start + 500_000, until: start + 2_500_000)
    }

    private func work(_ course: Probe.Course, _ flow: Flow, _ generator: inout SeededGenerator) async throws {
        var values = Values(&generator)
        /// Measures as long as the list says.
        func measure(_ rows: [[Values.Look]]) async {
            for row in rows {
                course.measure(values.row(row))
                await flow.pause(Self.period)
            }
        }
        // Temperature is wrong before, all the while and perhaps after; pH becomes wrong and stays so; oxygen is well
        // again before the end; salinity is critical for a moment.
        await measure([[.calm, .calm, .calm, .calm], [.out, .calm, .calm, .calm], [.out, .calm, .calm, .calm]])
        let ending = Ending.allCases.randomElement(using: &generator) ?? .byItself
        let length = Int.random(in: 1_200_000...2_500_000, using: &generator)
        let now = wallClock()
        if ending == .byItself {
            try await begin(from: now, until: now + length)
        } else {
            try await begin(minutes: 15)
        }
        await measure([
            [.out, .calm, .out, .calm], [.calm, .out, .out, .hard], [.other, .out, .out, .hard],
            [.out, .out, .out, .calm], [.calm, .out, .out, .calm], [.out, .out, .out, .calm],
            [.out, .out, .calm, .calm],
        ])
        switch ending {
        case .byItself: break
        case .finished: try await finish()
        case .extended:
            try await extend()
            await measure([[.out, .out, .calm, .calm]])
            try await finish()
        }
        while let end = ledger.withLock({ $0.last?.end }), wallClock() <= end {
            try Task.checkCancellation()
            await measure([[.out, .out, .calm, .calm]])
        }
        let isWell = Bool.random(using: &generator)
        await measure(Array(repeating: [isWell ? .calm : .out, .out, .calm, .calm], count: 2))
    }

    private enum Ending: CaseIterable { case byItself, finished, extended }

    /// Random values of each look, with one wrong side for each parameter.
    private struct Values {
        enum Look {
            case calm
            /// Beyond the limit of the parameter's wrong side, and beyond that of the other.
            case out, other
            /// Beyond the critical limit.
            case hard
        }

        private var generator: SeededGenerator
        private let isHigh: [Bool]

        init(_ generator: inout SeededGenerator) {
            isHigh = Water.all.map { _ in Bool.random(using: &generator) }
            self.generator = SeededGenerator(seed: generator.next())
        }

        mutating func row(_ looks: [Look]) -> [Int] {
            zip(Water.all, zip(looks, isHigh)).map { water, look in
                switch look {
                case (.calm, _): water.middle
                case (.out, true), (.other, false):
                    Int.random(in: water.maximum + 1...water.maximum + 20, using: &generator)
                case (.out, false), (.other, true):
                    Int.random(in: water.minimum - 20...water.minimum - 1, using: &generator)
                case (.hard, _):
                    (water.hardMaximum ?? water.maximum) + Int.random(in: 1...10, using: &generator)
                }
            }
        }
    }
}

extension WorkedTank {
    /// The members of an answer about work that matter here.
    private struct Told: Decodable {
        let from: String
        let until: String
        let endedAt: String?
    }

    private func begin(from: Int, until: Int) async throws {
        let span = #""from":"\#(text(of: from))","until":"\#(text(of: until))""#
        try await begin(span, until - from...until - from)
    }

    private func begin(minutes: Int) async throws {
        try await begin(#""minutes":\#(minutes)"#, minutes * 60_000_000...minutes * 60_000_000)
    }

    private func begin(_ span: String, _ lengths: ClosedRange<Int>) async throws {
        let id = UUID().uuidString.lowercased()
        let begun = try await screen.insist("PUT", path(id), json: #"{"kind":"cleaning",\#(span)}"#)
        let told = try told(begun.answer)
        ledger.withLock {
            $0.append(
                LedgerWork(
                    device: device, id: id, from: told.from, until: told.until, lengths: lengths))
        }
    }

    /// Extends the last work by a minute.
    private func extend() async throws {
        guard let last = ledger.withLock({ $0.last }) else { return }
        let extended = try await screen.insist("POST", path(last.id) + "/extend", json: #"{"minutes":1}"#)
        let told = try told(extended.answer)
        let most = last.lengths.upperBound + extended.attempts * 60_000_000
        change {
            $0.until = told.until
            $0.lengths = $0.lengths.lowerBound + 60_000_000...most
        }
    }

    /// Finishes the last work.
    private func finish() async throws {
        guard let last = ledger.withLock({ $0.last }) else { return }
        let finished = try await screen.insist("POST", path(last.id) + "/finish")
        let told = try told(finished.answer)
        guard let endedAt = told.endedAt else { throw TestSupportError("\(finished.answer.text) goes on") }
        change { ($0.endedAt, $0.finishing) = (endedAt, finished.span) }
    }

    private func change(_ body: (inout LedgerWork) -> Void) {
        ledger.withLock { if !$0.isEmpty { body(&$0[$0.count - 1]) } }
    }

    private func path(_ id: String) -> String { "/devices/\(device)/work/\(id)" }

    private func told(_ answer: PeopleClient.Answer) throws -> (from: Int, until: Int, endedAt: Int?) {
        guard answer.status / 100 == 2 else {
            throw TestSupportError("work on \(device): \(answer.status) \(answer.text)")
        }
        let told = try JSONDecoder().decode(Told.self, from: Data(answer.text.utf8))
        return try (microseconds(of: told.from), microseconds(of: told.until), told.endedAt.map(microseconds(of:)))
    }

    /// The person's table of readings, with what it says of the work.
    /// - Parameter since: The time of its first line.
    func table(since: Int) async throws -> [ListedReading] {
        let table = try await screen.insist("GET", "/devices/\(device)/readings.csv?from=\(text(of: since))").answer
        let lines = table.text.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        guard table.status == 200, let header = lines.first, let column = header.firstIndex(of: "work") else {
            throw TestSupportError("no table of \(device): \(table.status) \(table.text.prefix(300))")
        }
        return try lines.dropFirst().map { cells in
            guard let time = cells.first, cells.indices.contains(column) else {
                throw TestSupportError("\(cells) is no line of a table")
            }
            return ListedReading(
                device: device, time: try microseconds(of: String(time)), isOfWork: cells[column] == "1")
        }
    }
}
