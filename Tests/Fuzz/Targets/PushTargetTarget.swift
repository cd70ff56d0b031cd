import PushTargets

extension FuzzTarget {
    /// A person's address for alerts; behind a line break, the operator's permissions.
    static let pushTarget = FuzzTarget(
        "push-target",
        seeds: [
            "https://hooks.example.com/a?b=c", "http://127.0.0.1:9000/x\n127.0.0.0/8:9000,fd00::/8:*",
            "https://[2001:db8::1]/",
            "https://xn--caf-dma.example./", "https://[::ffff:10.0.0.1]:443/\n10.0.0.0/8:443",
        ],
        words: [
            "https://", "http://", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "localhost", ":443", ":80",
            "@", "%2e",
            "%00", "#", "?", "\\", "\n", "0.0.0.0/0:*", "::/0:443", "64:ff9b::7f00:1", "2002:7f00:1::", ".local", "\0",
        ]
    ) { bytes in
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 1)
        guard let text = lines.first.map(String.init) else { return }
        _ = lines.count > 1 ? PushAllowList(String(lines[1])) : nil
        if let address = IPAddress(text) {
            try promise(!text.utf8.contains(0), "\(text.debugDescription) is taken for an address")
            try promise(address.unwrapped.unwrapped.isPublic == address.isPublic, "\(text) is public and is not")
        }
        guard let target = try? PushTargetPolicy().register(text) else { return }
        try promise(target.isEncrypted && target.port == 443 && target.address == nil, "\(text) needs no permission")
        try promise(text.lowercased().contains(target.host), "\(text) leads to \(target.host)")
        try promise(target.host.contains("."), "\(text) has a local name")
    }
}
