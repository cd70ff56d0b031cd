import PushTargets
import Testing

@Suite struct IPAddressTests {
    /// The first, the last and the neighbouring addresses of every reserved network, and those embedded in IPv6.
    @Test(arguments: [
        ("0.0.0.0", false), ("0.255.255.255", false), ("1.0.0.0", true),
        ("9.255.255.255", true), ("10.0.0.0", false), ("10.255.255.255", false), ("11.0.0.0", true),
        ("100.63.255.255", true), ("100.64.0.0", false), ("100.127.255.255", false), ("100.128.0.0", true),
        ("126.255.255.255", true), ("127.0.0.1", false), ("127.255.255.255", false), ("128.0.0.0", true),
        ("169.253.255.255", true), ("169.254.169.254", false), ("169.255.0.0", true),
        ("172.15.255.255", true), ("172.16.0.0", false), ("172.31.255.255", false), ("172.32.0.0", true),
        ("192.0.0.0", false), ("192.0.0.255", false), ("192.0.1.0", true), ("192.0.2.1", false), ("192.0.3.0", true),
        ("192.88.99.1", false), ("192.167.255.255", true), ("192.168.0.0", false), ("192.169.0.0", true),
        ("198.17.255.255", true), ("198.18.0.0", false), ("198.19.255.255", false), ("198.20.0.0", true),
        ("198.51.100.7", false), ("198.51.101.0", true), ("203.0.113.0", false), ("203.0.114.0", true),
        ("223.255.255.255", true), ("224.0.0.0", false), ("239.1.1.1", false), ("240.0.0.0", false),
        ("255.255.255.255", false),
        ("::", false), ("::1", false), ("::7f00:1", false), ("100::1", false), ("fc00::1", false), ("fdff::1", false),
        ("fe80::1", false), ("fec0::1", false), ("ff02::1", false), ("2001:db8::1", false), ("2001::1", false),
        ("2001:1ff::1", false), ("2001:200::1", true), ("3fff::1", false), ("3fff:1000::1", true),
        ("2606:4700::1111", true), ("4000::1", false), ("1fff::1", false), ("64:ff9b:1::1", false),
        ("::ffff:127.0.0.1", false), ("::ffff:10.0.0.1", false), ("::ffff:8.8.8.8", true), ("::fffe:8.8.8.8", false),
        ("64:ff9b::10.0.0.1", false), ("64:ff9b::8.8.8.8", true),
        ("2002:7f00:1::", false), ("2002:a00:1::5", false), ("2002:808:808::1", true),
    ])
    func `is public`(text: String, isPublic: Bool) throws {
        #expect(try #require(IPAddress(text)).isPublic == isPublic)
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.1", "192.0.2.254", "::", "::1", "2001:db8::1:0", "::ffff:10.0.0.1"])
    func `is written as it is read`(text: String) throws {
        #expect(try #require(IPAddress(text)).text == text)
    }

    @Test(arguments: [
        "", "localhost", "127.1", "0x7f.0.0.1", "1.2.3.4.5", "256.0.0.1", "fe80::1%eth0", "1.2.3.4/8", "[::1]",
        "8.8.8.8\0", "::1\0.example.org",
    ])
    func `is no address`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "255.1.2.3", true),
        ("0.0.0.0/0", "::1", false), ("::/0", "::1", true), ("::1/128", "::1", true), ("::1/128", "::2", false),
        ("10.1.2.3/32", "10.1.2.3", true), ("10.1.2.3/32", "10.1.2.2", false), ("10.1.2.3/24", "10.1.2.99", true),
    ])
    func `network contains`(network: String, address: String, isInside: Bool) throws {
        #expect(try #require(IPNetwork(network)).contains(#require(IPAddress(address))) == isInside)
    }

    @Test(arguments: ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/8/8", "/8", "x/8"])
    func `is no network`(text: String) {
        #expect(IPNetwork(text) == nil)
    }
}
