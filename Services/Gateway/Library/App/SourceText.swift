/// The text of a script or a style, whose comments and indentation need not travel. Line ends stay, and so do lines' numbers.
struct SourceText {
    private let path: String
    private let bytes: [UInt8]

    /// - Parameter path: Where it is, for what is said of it.
    init(_ bytes: [UInt8], path: String) {
        self.path = path
        self.bytes = bytes
    }

    /// A style without its comments and its indentation.
    func withoutStyleComments() throws(PackingFault) -> [UInt8] {
        var kept: [UInt8] = []
        var quote: UInt8?
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if let mark = quote {
                if byte == Self.backslash, index + 1 < bytes.count {
                    kept.append(byte)
                    index += 1
                } else if byte == mark {
                    quote = nil
                }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if let end = try comment(at: index) {
                kept += bytes[index..<end].filter { $0 == Self.lineEnd }
                index = end
                continue
            } else if byte == Self.space, kept.last == Self.lineEnd {
                index += 1
                continue
            }
            kept.append(bytes[index])
            index += 1
        }
        return kept
    }

    /// A script without indentation, without the comments that begin a line, and without types.
    ///
    /// Where a string or a regular expression begins only a parser knows. At the beginning of a line outside of a template
    /// there is neither, and `/** @` is in none that we write. A script whose templates cannot be told is refused.
    func withoutComments() throws(PackingFault) -> [UInt8] {
        var kept: [UInt8] = []
        var isTemplate = false
        var template = 0
        var isAtStart = true
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if !isTemplate, isAtStart, starts(index, "//") {
                while index < bytes.count, bytes[index] != Self.lineEnd { index += 1 }
                continue
            }
            if !isTemplate, isAtStart || starts(index, "/** @"), let end = try comment(at: index) {
                let ends = bytes[index..<end].filter { $0 == Self.lineEnd }
                kept += ends
                index = end
                continue
            }
            if byte == Self.space, isAtStart, !isTemplate {
                index += 1
                continue
            }
            if byte == UInt8(ascii: "`") {
                isTemplate.toggle()
                template = index
            }
            if byte == Self.backslash, isTemplate, index + 1 < bytes.count {
                kept.append(byte)
                index += 1
            }
            isAtStart = byte == Self.lineEnd
            kept.append(bytes[index])
            index += 1
        }
        guard !isTemplate else { throw fault(at: template, .template) }
        return kept
    }

    /// Where a script waits for something before it has run: outside of any function, where lines have no indentation.
    var waitsAt: Int? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.firstIndex { line in
            guard let first = line.first, !" /*".contains(first) else { return false }
            return line.ranges(of: "await ").contains { range in
                let before = line[..<range.lowerBound]
                return !before.contains("async") && before.last.map { " (".contains($0) } ?? true
            }
        }.map { $0 + 1 }
    }

    /// - Returns: Where the comment ends that begins here.
    private func comment(at start: Int) throws(PackingFault) -> Int? {
        guard starts(start, "/*") else { return nil }
        var index = start + 2
        while index + 1 < bytes.count {
            if starts(index, "*/") { return index + 2 }
            index += 1
        }
        throw fault(at: start, .comment)
    }

    private func fault(at index: Int, _ reason: PackingFault.Reason) -> PackingFault {
        PackingFault(path: path, line: bytes[..<index].count { $0 == Self.lineEnd } + 1, reason: reason)
    }

    private func starts(_ index: Int, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        return text.withUTF8Buffer { wanted in wanted.indices.allSatisfy { bytes[index + $0] == wanted[$0] } }
    }

    private static let space = UInt8(ascii: " ")
    private static let backslash = UInt8(ascii: "\\")
    private static let lineEnd = UInt8(ascii: "\n")
}
