import TestSupport

/// Changes valid inputs a little, the same way for the same seed.
struct Mutator {
    private let seeds: [[UInt8]]
    private let words: [[UInt8]]
    private var generator: SeededGenerator
    /// The longest input: longer ones are cut, so that repeated insertions cannot fill the memory.
    private static let longest = 2_048

    init(_ target: FuzzTarget, seed: UInt64) {
        seeds = target.seeds
        words = target.words.map { Array($0.utf8) }
        generator = SeededGenerator(seed: seed)
    }

    /// A seed with one to eight changes.
    mutating func next() -> [UInt8] {
        var input = seeds.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...8, using: &generator) { change(&input) }
        return Array(input.prefix(Self.longest))
    }

    private mutating func change(_ input: inout [UInt8]) {
        let place = Int.random(in: 0...input.count, using: &generator)
        let range = place..<min(place + Int.random(in: 0...12, using: &generator), input.count)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: input.replaceSubrange(range, with: [])
        case 1: input.insert(contentsOf: input[range], at: place)
        case 2: input.insert(.random(in: 0...255, using: &generator), at: place)
        case 3: input.insert(contentsOf: words.randomElement(using: &generator) ?? [], at: place)
        case 4: input.replaceSubrange(range, with: words.randomElement(using: &generator) ?? [])
        case 5: input.replaceSubrange(place..<input.count, with: otherTail())
        case 6 where place < input.count: input[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 7 where place < input.count: input[place] = digit(near: input[place])
        default: break
        }
    }

    /// The end of some seed.
    private mutating func otherTail() -> ArraySlice<UInt8> {
        let other = seeds.randomElement(using: &generator) ?? []
        return other[Int.random(in: 0...other.count, using: &generator)...]
    }

    /// Another digit for a digit; for anything else, its neighbour.
    private mutating func digit(near byte: UInt8) -> UInt8 {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return digits.contains(byte) ? .random(in: digits, using: &generator) : byte &+ 1
    }
}
