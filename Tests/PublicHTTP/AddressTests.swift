import HTTPTypes
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

    /// The tables of a container on a bridge with IPv6, and of one on a bridge without a way out.
    private static let shared = SharedAddresses(
        routes: """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            eth0\t00000000\t0158D50A\t0003\t0\t0\t0\t00000000\t0\t0\t0
            eth0\t0058D50A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
            eth1\t000010AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
            nonsense
            """,
        routes6: """
            nonsense
            fd000000021300880000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 1 0 00000001 eth0
            fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 1 0 00000001 eth0
            00000000000000000000000000000000 00 00000000000000000000000000000000 00 fd000000021300880000000000000002 00000400 1 0 00000003 eth0
            ff000000000000000000000000000000 08 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 1 0 00000001 eth0
            """)

    @Test(arguments: [
        ("10.213.88.1", true), ("::ffff:10.213.88.1", true), ("172.16.0.1", true), ("fd00:0:213:88::1", true),
        ("fd00:0:213:88::2", true), ("10.213.88.2", false), ("203.0.113.1", false), ("fe80::1", false),
        ("ff00::1", false),
        ("2001:db8::1", false),
    ])
    func routersAndBridgesStandForMany(_ text: String, _ isShared: Bool) throws {
        #expect(Self.shared.contains(try #require(IPAddress(text))) == isShared, "\(text)")
    }

    /// A shared bridge address is not taken for a client, whether it is the peer or in the proxy's header.
    @Test(arguments: [("10.213.88.1", nil), ("10.213.88.9", "10.213.88.1")])
    func whoComesByABridgeIsNobodyInParticular(_ peer: String, _ forwarded: String?) throws {
        var proxies = try #require(TrustedProxies("10.213.88.9/32"))
        proxies.shared = Self.shared
        var headers: HTTPFields = [:]
        headers[.xForwardedFor] = forwarded
        let origin = RequestOrigin(headers, peer: IPAddress(peer), proxies: proxies)
        #expect(origin.address.isShared && !origin.address.isProxy)
        #expect(origin.address.guessOrigin == nil)
        headers[.xForwardedFor] = "2001:db8::7"
        let known = RequestOrigin(headers, peer: IPAddress("10.213.88.9"), proxies: proxies)
        #expect(known.address.guessOrigin == "2001:db8::/64")
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7/32"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
    ])
    func aClientIsWhatOneConnectionIsGiven(address: String, network: String) throws {
        #expect(ClientAddress(try #require(IPAddress(address))).network.description == network)
    }
}
