import Foundation
import Synchronization
import TestSupport

/// A computer with a power switch and a network cable: `Tests/Chaos/Machines/machine`.
final class Machine: Sendable {
    let number: Int
    let directory: String
    private let process: ProcessUnderTest
    private let commands = Atomic(0)

    var address: String { Lan.address(number) }
    private var cable: String { Self.cable(of: number) }

    private static func cable(of number: Int) -> String { "cable\(number)" }

    private static let program = Paths.repository.appending(path: "Tests/Chaos/Machines/machine")
        .path(percentEncoded: false)

    /// Runs machines, numbered from 1, until `body` returns. No program runs on them yet.
    /// - Parameter directories: A directory for each machine, with the files NAME.command of its programs. The programs
    ///   run as the files' owner.
    static func with<Result>(_ directories: [String], _ body: ([Machine]) async throws -> Result) async throws -> Result
    {
        var machines: [Machine] = []
        do {
            for (index, directory) in directories.enumerated() {
                machines.append(try await Machine(index + 1, directory))
            }
            let result = try await body(machines)
            for machine in machines { await machine.process.stop() }
            return result
        } catch {
            for machine in machines { await machine.process.stop() }
            throw error
        }
    }

    private init(_ number: Int, _ directory: String) async throws {
        self.number = number
        self.directory = directory
        process = try ProcessUnderTest.startHoldingInput(
            Self.program, [directory, "\(Lan.address(number))/24", Self.cable(of: number)])
        try await process.line { $0 == "ready" }
        try await plugIn()
    }

    func start(_ program: String) async throws { try await tell("start \(program)") }

    func kill(_ program: String) async throws { try await tell("kill \(program)") }

    /// Kills everything that runs on the machine, without warning.
    func powerOff() async throws { try await tell("off") }

    func plugIn() async throws { try await Lan.plugIn(cable) }

    /// Cuts the machine off from the network; its programs go on.
    func unplug() async throws { try await Lan.unplug(cable) }

    private func tell(_ action: String) async throws {
        let number = commands.add(1, ordering: .relaxed).newValue
        try process.say("\(number) \(action)")
        try await process.line { $0 == "\(number) done" }
    }
}
