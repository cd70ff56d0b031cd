import WaterQuality

extension RenderedAlert {
    /// The most bytes of a device's name in a title, so that what is wrong with it is not cut off.
    static let longestNameInTitle = 96

    /// A body that is short enough for a push service: of several alerts as many have a line as there is room for, and at last the text is
    /// cut.
    /// - Parameters:
    ///   - most: The most bytes that are taken.
    ///   - write: Makes a body of title and text, and of how many alerts they tell.
    func body(within most: Int, _ write: (Notice.Message, _ lines: Int) throws -> [UInt8]) throws -> [UInt8] {
        var lines = mostLines
        var words = words(longestName: Self.longestNameInTitle, most: lines)
        while lines > 1, alerts.count > 1, try write(words, lines).count > most {
            lines -= 1
            words = self.words(longestName: Self.longestNameInTitle, most: lines)
        }
        return try words.body(within: most) { try write($0, lines) }
    }
}

extension Notice.Message {
    /// A body whose text, and then title, is cut until it is short enough.
    func body(within most: Int, _ write: (Notice.Message) throws -> [UInt8]) throws -> [UInt8] {
        var words = self
        let parts: [WritableKeyPath<Notice.Message, String>] = [\.body, \.title]
        for part in parts {
            guard try write(words).count > most else { break }
            let text = words[keyPath: part]
            // The longest that fits: how many bytes of the body one of the text is depends on what it says.
            var (fits, highest) = (0, text.utf8.count)
            while fits < highest {
                let tried = (fits + highest + 1) / 2
                words[keyPath: part] = text.cut(toBytes: tried)
                if try write(words).count <= most { fits = tried } else { highest = tried - 1 }
            }
            words[keyPath: part] = text.cut(toBytes: fits)
        }
        return try write(words)
    }
}

extension String {
    /// At most so many bytes of UTF-8, whole characters, with an ellipsis where any are missing.
    func cut(toBytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var kept = ""
        var room = most - "…".utf8.count
        for character in self {
            room -= character.utf8.count
            guard room >= 0 else { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
