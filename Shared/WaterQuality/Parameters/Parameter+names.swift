extension Parameter {
    /// The parameter of this name or alias; case, `_`, `-` and blanks do not matter (`pH`, `dissolvedOxygen`).
    package init?(name: String) {
        self.init(name: name.utf8.span)
    }

    /// The parameter of a name given as the bytes of a message, without allocating.
    package init?(name: Span<UInt8>) {
        let index = Self.nameIndex
        for entry in index.entries where index.letters.matches(entry.letters, name) {
            self = entry.parameter
            return
        }
        return nil
    }

    /// All names and aliases, folded and side by side, so that a search touches one array and no reference counts.
    private static let nameIndex: (letters: [UInt8], entries: [(letters: Range<Int>, parameter: Parameter)]) = {
        var letters: [UInt8] = []
        var entries: [(letters: Range<Int>, parameter: Parameter)] = []
        for facts in catalogue {
            for name in [facts.name] + facts.aliases {
                let start = letters.count
                letters += name.utf8.compactMap(folded)
                entries.append((start..<letters.count, facts.parameter))
            }
        }
        return (letters, entries)
    }()
}

/// The lower-case form of a letter; `nil` for a separator.
private func folded(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: " "): nil
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    default: byte
    }
}

extension [UInt8] {
    /// Whether `name`, folded, spells these letters of the index.
    fileprivate func matches(_ letters: Range<Int>, _ name: Span<UInt8>) -> Bool {
        var next = letters.lowerBound
        for index in name.indices {
            guard let letter = folded(name[index]) else { continue }
            guard next < letters.upperBound, self[next] == letter else { return false }
            next += 1
        }
        return next == letters.upperBound
    }
}
