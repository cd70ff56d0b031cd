import PublicHTTP
import PushTargets
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("10.0.0.1", [String](), "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["1.2.3.4, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["1.2.3.4", "198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("10.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("10.0.0.1", ["1.2.3.4, unknown"], "10.0.0.1"),
        ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
    ])
    func theClientIsTheLastAddressThatIsNoProxy(peer: String, forwarded: [String], client: String) throws {
        let proxies = try #require(TrustedProxies("10.0.0.0/8"))
        let address = proxies.client(of: try #require(IPAddress(peer)), forwarded: forwarded)
        #expect(address.text == client)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7/32"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
    ])
    func aClientIsWhatOneConnectionIsGiven(address: String, network: String) throws {
        #expect(ClientAddress(try #require(IPAddress(address))).network.description == network)
    }
}
