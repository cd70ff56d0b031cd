import NIOCore
import Testing

@testable import Gateway

/// Archives of another program's, and archives that are not as they say. The fuzz target `map` tries mutations of them.
@Suite struct TileArchiveTests {
    /// An archive, and what it knows by now.
    private final class Opened {
        var archive: TileArchive

        init(_ bytes: [UInt8]) throws { archive = try TileArchive(MemoryTiles(bytes: bytes)) }

        func tile(_ zoom: Int, _ x: Int, _ y: Int) throws -> [UInt8]? {
            try archive.tile(at: #require(TileAddress(zoom: zoom, x: x, y: y)))?.bytes
        }
    }

    private static func fault(_ bytes: [UInt8], _ zoom: Int = 0) throws -> TileFault? {
        let address = try #require(TileAddress(zoom: zoom, x: 0, y: 0))
        do throws(TileFault) {
            var archive = try TileArchive(MemoryTiles(bytes: bytes))
            _ = try archive.metadata()
            _ = try archive.tile(at: address)
            return nil
        } catch {
            return error
        }
    }

    // MARK: As they are written

    @Test func anotherProgramsArchiveIsRead() throws {
        let opened = try Opened(WrittenArchive.bytes)
        let archive = opened.archive
        #expect(archive.header.zooms == 0...3 && archive.header.isCompressed && archive.header.pictures == 8)
        #expect(archive.header.bounds == TileBounds(west: 0, south: -85.0511, east: 180, north: 85.0511))
        // Twice, the second time by directories that are known.
        for _ in 1...2 {
            #expect(try opened.tile(3, 5, 3) == WrittenArchive.pond)
            #expect(try opened.tile(3, 7, 0) == WrittenArchive.sea)
            #expect(try opened.tile(2, 3, 3) == WrittenArchive.sea)
            #expect(try opened.tile(0, 0, 0)?.isEmpty == false)
            // A gap in a level, another place of a level, and other levels.
            #expect(try opened.tile(2, 0, 3) == nil)
            #expect(try opened.tile(3, 0, 0) == nil)
            #expect(try opened.tile(4, 0, 0) == nil)
        }
        let metadata = MapMetadata(try archive.metadata())
        #expect(
            metadata.attribution == MapTiles.Attribution("© Map contributors, B & C <https://map.example/copyright>"))
    }

    /// Of each tile of the levels there is what the writer meant.
    @Test func allTilesAreThereAndNoOthers() throws {
        let opened = try Opened(WrittenArchive.bytes)
        for zoom in 0...3 {
            for x in 0..<1 << zoom {
                for y in 0..<1 << zoom {
                    let isThere = zoom == 3 ? x >= 4 && y < 4 : (zoom, x, y) != (2, 0, 3)
                    #expect(try (opened.tile(zoom, x, y) != nil) == isThere, "\(zoom)/\(x)/\(y)")
                }
            }
        }
    }

    @Test func aTileHasTheTypeOfItsBytes() throws {
        var writer = ArchiveWriter(root: ArchiveWriter.directory([(0, 1, UInt64(Pictures.jpeg.count), 0)]))
        writer.tiles = Pictures.jpeg
        var archive = try TileArchive(MemoryTiles(bytes: writer.bytes))
        let found = try archive.tile(at: #require(TileAddress(zoom: 0, x: 0, y: 0)))
        #expect(found?.type == .jpeg && found?.bytes == Pictures.jpeg)
    }

    @Test func boundsThatAreNoneAreTheWorlds() throws {
        for bounds in [[0, 0, 0, 0], [10, 0, -10, 5], [-1_900_000_000, 0, 0, 5], [0, -950_000_000, 10, 5]] as [[Int32]]
        {
            var writer = ArchiveWriter(root: ArchiveWriter.directory([(0, 1, 1, 0)]))
            writer.bounds = bounds
            #expect(try TileArchive(MemoryTiles(bytes: writer.bytes)).header.bounds == .world)
        }
    }

    // MARK: As they should not be

    @Test func everyCutIsTold() throws {
        for length in WrittenArchive.bytes.indices {
            #expect(try Self.fault(Array(WrittenArchive.bytes.prefix(length)), 3) != nil, "\(length) bytes")
        }
    }

    @Test func whatIsNoMapOfPicturesIsRefused() throws {
        let root = ArchiveWriter.directory([(0, 1, UInt64(WrittenArchive.sea.count), 0)])
        let cases: [(TileFault?, (inout ArchiveWriter) -> Void)] = [
            (nil, { _ in }), (nil, { $0.tileCompression = 0 }), (.version(2), { $0.version = 2 }),
            (.content("vector tiles"), { $0.type = 1 }), (.content("AVIF"), { $0.type = 5 }),
            (.content("something unknown"), { $0.type = 0 }),
            (.compression(.directory), { $0.internalCompression = 3 }),
            (.compression(.directory), { $0.internalCompression = 4 }),
            (.compression(.tile), { $0.tileCompression = 2 }),
            (.levels, { $0.zooms = (3, 2) }), (.levels, { $0.zooms = (0, 27) }),
            (.broken(.directory), { $0.internalCompression = 2 }),
            (.broken(.tile), { $0.tiles = Array("<svg onload=alert(1)>".utf8) + [UInt8](repeating: 0, count: 99) }),
        ]
        for (expected, change) in cases {
            var writer = ArchiveWriter(root: root)
            change(&writer)
            #expect(try Self.fault(writer.bytes) == expected)
        }
        #expect(try Self.fault(Array("SQLite format 3\0".utf8)) == .noArchive)
        #expect(try Self.fault([]) == .noArchive)
    }

    /// No length of an archive is taken on trust.
    @Test func lengthsAreBounded() throws {
        let far = UInt64.max - 1
        let cases: [(TileFault, [UInt8])] = [
            (.cutOff(.tile), ArchiveWriter.directory([(0, 1, 5, 1_000_000)])),
            (.broken(.directory), ArchiveWriter.directory([(0, 1, 5, far)])),
            (.cutOff(.tile), ArchiveWriter.directory([(0, 1, UInt64(UInt32.max), 0)])),
            (.broken(.directory), ArchiveWriter.directory([(0, 1, 1 << 40, 0)])),
            (.broken(.directory), ArchiveWriter.directory([(0, 1, 0, 0)])),
            (.cutOff(.directory), ArchiveWriter.directory([(0, 0, 5, 0)])),
            (.tooLarge(.directory), ArchiveWriter.varint(1 << 60) + [0, 0, 0, 0]),
            (.broken(.directory), ArchiveWriter.varint(1_000) + [0, 0, 0, 0]),
            // Twice the same tile, an entry before the first, a number of eleven bytes, and something behind the end.
            (.broken(.directory), ArchiveWriter.directory([(0, 1, 5, 0), (0, 1, 5, 0)])),
            (.broken(.directory), [1, 0, 1, 5, 0]),
            (.broken(.directory), [1] + [UInt8](repeating: 0x80, count: 10) + [0, 1, 5, 1]),
            (.broken(.directory), ArchiveWriter.directory([(0, 1, 5, 0)]) + [0]),
            (.broken(.directory), []),
        ]
        for (expected, root) in cases {
            #expect(try Self.fault(ArchiveWriter(root: root).bytes) == expected, "\(root)")
        }
        var large = ArchiveWriter(root: ArchiveWriter.directory([(0, 1, UInt64(TileArchive.largestTile) + 1, 0)]))
        large.tiles = [UInt8](repeating: 0, count: TileArchive.largestTile + 1)
        #expect(try Self.fault(large.bytes) == .tooLarge(.tile))
        let long = ArchiveWriter(root: [UInt8](repeating: 0, count: TileHeader.mostOfRoot + 1))
        #expect(try Self.fault(long.bytes) == .tooLarge(.directory))
    }

    @Test func directoriesLeadToOneAnotherOnlySoFar() throws {
        let leaf = ArchiveWriter.directory([(0, 0, 5, 0)])
        var writer = ArchiveWriter(root: leaf)
        writer.leaves = leaf
        #expect(leaf.count == 5)
        #expect(try Self.fault(writer.bytes) == .nested)
    }

    @Test func aSmallPieceUnpacksToSoMuchAndNoMore() throws {
        let packed = Array(buffer: Gzip(level: 9).finish(ByteBuffer(bytes: [UInt8](repeating: 7, count: 300_000))))
        #expect(packed.count < 1_000)
        #expect(try Gunzip.unpacked(packed, most: 300_000, .directory).count == 300_000)
        for (bytes, most, expected) in [
            (packed, 299_999, .tooLarge(.directory)), (packed, 10, .tooLarge(.directory)),
            (Array(packed.dropLast()), 300_000, .broken(.directory)), (packed + [0], 300_000, .broken(.directory)),
            ([], 10, .broken(.directory)), (WrittenArchive.sea, 10, .broken(.directory)),
        ] as [([UInt8], Int, TileFault)] {
            #expect(throws: expected) { try Gunzip.unpacked(bytes, most: most, .directory) }
        }
    }

    @Test func theDirectoriesThatWereUsedLastAreKept() throws {
        let directory = try TileDirectory(ArchiveWriter.directory([(0, 1, 5, 0), (9, 1, 5, 5)]))
        var cache = TileDirectoryCache(most: 3, mostEntries: 100)
        for place in 0..<3 as Range<UInt64> { cache[place] = directory }
        _ = cache[0]
        cache[3] = directory
        let kept = (0..<4 as Range<UInt64>).filter { cache[$0] != nil }
        #expect(kept == [0, 2, 3] && cache.count == 3)
        var small = TileDirectoryCache(most: 3, mostEntries: 5)
        for place in 0..<3 as Range<UInt64> { small[place] = directory }
        let few = (0..<3 as Range<UInt64>).filter { small[$0] != nil }
        #expect(few == [1, 2])
    }

    // MARK: Whose work it is

    @Test(arguments: [
        ("© Plain", "© Plain"), ("<b>A</b> &amp; B", "A & B"),
        ("<a href='https://a.example/x?y=1&amp;z=2'>A</a>", "A <https://a.example/x?y=1&z=2>"),
        // An address that is none is no reason to forget the authors.
        (#"<a href="javascript:alert(1)">A</a>"#, "A"), (#"<a href="http://a.example">A</a>"#, "A"),
    ])
    func authorsAreReadFromMarkup(markup: String, setting: String) {
        #expect(MapMetadata.attribution(markup: markup) == MapTiles.Attribution(setting))
    }

    @Test(arguments: [
        "", "   ", "<a", "<a href='https://a.example'></a>", "&lt;b>", String(repeating: "a", count: 201),
    ])
    func whatCannotBeShownIsNoAttribution(markup: String) {
        #expect(MapMetadata.attribution(markup: markup) == nil)
    }

    @Test(arguments: ["", "[]", "{}", #"{"attribution":7}"#, #"{"attribution":"A"#])
    func metadataMaySayNothing(text: String) {
        #expect(MapMetadata(Array(text.utf8)).attribution == nil)
    }
}
