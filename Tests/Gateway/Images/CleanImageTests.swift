import Testing

@testable import Gateway

/// Pictures that strangers send: cleaned to what is needed to show them, or refused. The fuzz target `image` tries mutations of them.
@Suite struct CleanImageTests {
    private static let taken: [(name: String, bytes: [UInt8], type: ImageType)] = [
        ("jpeg", Pictures.jpeg, .jpeg), ("progressive", Pictures.progressive, .jpeg), ("png", Pictures.png, .png),
        ("palette", Pictures.palette, .png), ("webP", Pictures.webP, .webP), ("alpha", Pictures.alpha, .webP),
        ("lossless", Pictures.lossless, .webP),
    ]

    @Test(arguments: taken.indices) func nothingStaysBesideThePicture(_ index: Int) throws {
        let (name, sent, type) = Self.taken[index]
        let image = try CleanImage(sent)
        #expect(image.type == type && image.width == 16 && image.height == 8, "\(name)")
        for word in ["Secret", "Exif", "EXIF", "XMP", "eXIf", "tEXt", "iTXt"] {
            #expect(!image.bytes.contains(Array(word.utf8)), "\(name) still has \(word)")
        }
        let again = try CleanImage(image.bytes)
        #expect(again == image, "\(name): a clean picture stays as it is")
        let hadMore = sent.contains(Array("Secret".utf8)) || sent.contains(Array("EXIF".utf8))
        #expect(hadMore == (image.bytes.count < sent.count), "\(name): \(sent.count) bytes became \(image.bytes.count)")
    }

    @Test func whatIsNoPhotoIsRefused() {
        for bytes in [Pictures.animatedPNG, Pictures.animatedWebP] { #expect(fault(bytes) == .animated) }
        let svg = Array(#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#.utf8)
        let heic: [UInt8] = [0, 0, 0, 0x18] + Array("ftypheic".utf8) + [0, 0, 0, 0]
        for bytes in [Pictures.gif, svg, heic, Array("<!DOCTYPE html>".utf8), [], [0xFF]] {
            #expect(fault(bytes) == .otherType)
        }
    }

    /// A file that was cut off, at every byte, and one that goes on behind its end.
    @Test(arguments: taken.indices) func onlyWholeFilesAreTaken(_ index: Int) {
        let (name, sent, _) = Self.taken[index]
        for length in sent.indices { #expect(fault(Array(sent.prefix(length))) != nil, "\(name) of \(length) bytes") }
        for tail in [[0], Array("PK\u{3}\u{4}".utf8), Pictures.gif] {
            #expect(fault(sent + tail) == .broken, "\(name)")
        }
    }

    /// Each scan is a pass over the whole picture for whoever shows it.
    @Test func aPictureHasSoManyScans() throws {
        let start = try #require(Pictures.jpeg.firstRange(of: [0xFF, 0xDA])).lowerBound
        let scan = Pictures.jpeg[start..<Pictures.jpeg.count - 2]
        func file(_ scans: Int) -> [UInt8] {
            Pictures.jpeg.prefix(start) + (0..<scans).flatMap { _ in scan } + [0xFF, 0xD9]
        }
        #expect(fault(file(JPEGContainer.mostScans)) == nil)
        #expect(fault(file(JPEGContainer.mostScans + 1)) == .broken)
    }

    /// The height of a JPEG has no checksum, so that it can be claimed.
    @Test func aSmallFileClaimsNoHugePicture() throws {
        let frame = try #require(
            Pictures.jpeg.firstRange(of: [0xFF, 0xC0]) ?? Pictures.jpeg.firstRange(of: [0xFF, 0xC2]))
        func claiming(_ height: UInt16) -> [UInt8] {
            var bytes = Pictures.jpeg
            bytes[frame.lowerBound + 5] = UInt8(height >> 8)
            bytes[frame.lowerBound + 6] = UInt8(height & 0xFF)
            return bytes
        }
        #expect(fault(claiming(4096)) == nil)
        #expect(fault(claiming(4097)) == .tooManyPixels)
        #expect(fault(claiming(0)) == .broken)
    }

    /// Any changed byte is refused or harmless; in a PNG a checksum finds each.
    @Test func aChangedByteIsFound() {
        let signatureAndEnd = Pictures.png.count
        for place in 0..<signatureAndEnd {
            var bytes = Pictures.png
            bytes[place] ^= 0x40
            #expect(fault(bytes) != nil, "byte \(place)")
        }
    }

    private func fault(_ bytes: [UInt8]) -> ImageFault? {
        do throws(ImageFault) {
            _ = try CleanImage(bytes)
            return nil
        } catch {
            return error
        }
    }
}
