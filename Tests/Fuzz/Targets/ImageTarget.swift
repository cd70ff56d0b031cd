@testable import Gateway

extension FuzzTarget {
    /// A photo that somebody sends.
    static let image = FuzzTarget(
        "image", bytes: ImageSeeds.all,
        words: [
            "Exif\0\0", "http://ns.adobe.com/xap/1.0/\0", "JFIF\0", "Adobe", "ICC_PROFILE\0", "IHDR", "IDAT", "IEND",
            "tEXt", "eXIf", "acTL", "tRNS",
            "RIFF", "WEBP", "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "EXIF", "XMP ", "\0\0\0\0", "\u{1}\0\0\0", "\u{7F}",
        ]
    ) { bytes in
        guard let image = try? CleanImage(bytes) else { return }
        try promise(image.bytes.count <= bytes.count, "\(bytes.count) bytes became \(image.bytes.count)")
        try promise(
            (1...CleanImage.longestSide).contains(image.width) && (1...CleanImage.longestSide).contains(image.height),
            "\(image.width) by \(image.height) pixels")
        try promise((try? CleanImage(image.bytes)) == image, "a clean picture is cleaned differently")
        let parts = ImageParts.names(of: image)
        try promise(
            parts.isSubset(of: ImageParts.harmless), "\(image.type) has \(parts.subtracting(ImageParts.harmless))")
    }
}

/// The parts of a picture's container, read with nothing of the product.
private enum ImageParts {
    /// Of JPEG the markers in decimals; of the others the names of chunks.
    static let harmless: Set<String> = [
        "192", "193", "194", "196", "217", "218", "219", "221", "224 JFIF", "238 Adob",
        "IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "IDAT", "IEND", "VP8 ", "VP8L", "VP8X", "ALPH",
    ]

    static func names(of image: CleanImage) -> Set<String> {
        switch image.type {
        case .jpeg: markers(image.bytes)
        case .png: chunks(image.bytes, from: 8, isBigEndian: true)
        case .webP: chunks(image.bytes, from: 12, isBigEndian: false)
        }
    }

    private static func markers(_ bytes: [UInt8]) -> Set<String> {
        var names: Set<String> = []
        var place = 2
        while place + 3 < bytes.count {
            // Behind a scan its coded picture comes, in which markers are restarts, or bytes FF that are none.
            guard bytes[place] == 0xFF, bytes[place + 1] != 0, !(0xD0...0xD7).contains(bytes[place + 1]) else {
                place += 1
                continue
            }
            let marker = bytes[place + 1]
            let content = bytes[(place + 4)...].prefix(4)
            names.insert(
                marker >= 0xE0 && marker <= 0xEF ? "\(marker) \(String(decoding: content, as: UTF8.self))" : "\(marker)"
            )
            place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
        }
        return names
    }

    private static func chunks(_ bytes: [UInt8], from start: Int, isBigEndian: Bool) -> Set<String> {
        var names: Set<String> = []
        var place = start
        while place + 8 <= bytes.count {
            let (first, second) = (bytes[place..<place + 4], bytes[place + 4..<place + 8])
            let length = (isBigEndian ? Array(first) : second.reversed()).reduce(0) { $0 << 8 | Int($1) }
            names.insert(String(decoding: isBigEndian ? second : first, as: UTF8.self))
            place += 8 + length + (isBigEndian ? 4 : length % 2)
        }
        return names
    }
}

/// Containers with little in them: nothing decodes what is coded.
private enum ImageSeeds {
    static let all: [[UInt8]] = [
        [0xFF, 0xD8]
            + segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
            + segment(0xE1, Array("Exif\0\0MM".utf8)) + segment(0xFE, Array("here".utf8))
            + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xC0, [8, 0, 8, 0, 16, 1, 1, 0x11, 0])
            + segment(0xC4, [0, 1] + [UInt8](repeating: 0, count: 15) + [0])
            + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xD9],
        // 1 by 1 pixels of grey, with a text; checksums are not mutated into others that fit, so the texts of PNG come from here.
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55]
            + [0, 0, 0, 3] + Array("tEXta".utf8) + [0, 0x62] + [0xDC, 0x49, 0xA2, 0x3B]
            + [0, 0, 0, 0] + Array("IDAT".utf8) + [0x35, 0xAF, 0x06, 0x1E]
            + [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82],
        riff(chunk("VP8L", [0x2F, 0x0F, 0xC0, 0x01, 0]) + chunk("EXIF", Array("MM".utf8))),
        riff(
            chunk("VP8X", [0x18, 0, 0, 0, 15, 0, 0, 7, 0, 0]) + chunk("ALPH", [0, 1])
                + chunk("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A, 16, 0, 8, 0]) + chunk("EXIF", Array("MM".utf8))),
    ]

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, 0, UInt8(content.count + 2)] + content
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [UInt8(content.count), 0, 0, 0] + content + (content.count % 2 == 0 ? [] : [0])
    }

    private static func riff(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + [UInt8(chunks.count + 4), 0, 0, 0] + Array("WEBP".utf8) + chunks
    }
}
