import TestSupport
import Testing

@testable import Gateway

/// Numbers of tiles, beside those of `pmtiles` 3.8.1 for Python.
@Suite struct TileAddressTests {
    @Test(
        arguments: [
            (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
            (12, 3423, 1763, 19_078_479),
            (20, 555_555, 333_333, 1_301_673_763_571),
        ] as [(Int, Int, Int, UInt64)])
    func tilesHaveTheNumbersOfOtherPrograms(zoom: Int, x: Int, y: Int, number: UInt64) throws {
        #expect(try #require(TileAddress(zoom: zoom, x: x, y: y)).number == number)
    }

    /// A curve: each tile of a level once, the next one always beside the last, and all of them behind those of the level before.
    @Test(arguments: 0...6) func aLevelIsOneWayThroughAllItsTiles(zoom: Int) throws {
        let side = 1 << zoom
        var tiles: [UInt64: TileAddress] = [:]
        for x in 0..<side {
            for y in 0..<side {
                let tile = try #require(TileAddress(zoom: zoom, x: x, y: y))
                tiles[tile.number] = tile
            }
        }
        let numbers = tiles.keys.sorted()
        let first = UInt64((1 << (2 * zoom)) - 1) / 3
        #expect(
            numbers.first == first && numbers.last == first + UInt64(side * side) - 1 && numbers.count == side * side)
        for (one, next) in zip(numbers, numbers.dropFirst()) {
            let (here, there) = (try #require(tiles[one]), try #require(tiles[next]))
            #expect(abs(here.x - there.x) + abs(here.y - there.y) == 1, "\(here) and \(there)")
        }
    }

    @Test(arguments: [(-1, 0, 0), (0, 1, 0), (3, 8, 0), (3, 0, 8), (3, -1, 0), (27, 0, 0), (64, 0, 0)])
    func whatNoLevelHasIsNoTile(zoom: Int, x: Int, y: Int) {
        #expect(TileAddress(zoom: zoom, x: x, y: y) == nil)
    }
}
