import Testing

/// A short run over the same readers and promises as `deploy/fuzz`, which is guided by code coverage.
@Suite struct FuzzTests {
    private static let inputs = 5_000

    @Test(arguments: FuzzTarget.all.indices) func everyInputIsReadOrRefused(_ index: Int) throws {
        let target = FuzzTarget.all[index]
        for seed in target.seeds { try check(seed, target) }
        var mutator = Mutator(target, seed: 1)
        for _ in 0..<Self.inputs { try check(mutator.next(), target) }
    }

    private func check(_ input: [UInt8], _ target: FuzzTarget) throws {
        do {
            try target.check(input)
        } catch {
            let text = String(decoding: input, as: UTF8.self).debugDescription
            Issue.record("\(target.name): \(error)\nThe input: \(text)")
            throw error
        }
    }

    @Test func theMutatorRepeatsItself() {
        var first = Mutator(.payload, seed: 5)
        var second = Mutator(.payload, seed: 5)
        for _ in 0..<100 { #expect(first.next() == second.next()) }
    }
}
