/** Setting a probe up over a cable: packets as the protocol has them, the settings in parts, and a probe that answers late, wrongly or not at all. */

import { deepStrictEqual as same, ok, rejects, strictEqual as equal, throws } from "node:assert/strict";
import { bytesOf, commandOf, commands, createPacketReader, packetOf, partsOf, resultOf, types } from "../../Services/Gateway/Web/components/setup/improv.js";
import { openProbe } from "../../Services/Gateway/Web/components/setup/probe.js";
import { filledIn, settingsText } from "../../Services/Gateway/Web/components/setup/settings-text.js";

Deno.test("a packet is the protocol's", () => {
    const bytes = commandOf(commands.join, bytesOf("MyWirelessAP", "mysecurepassword"));
    same([...bytes.slice(0, 11)], [0x49, 0x4D, 0x50, 0x52, 0x4F, 0x56, 1, 3, 0x20, 1, 0x1E]);
    equal(bytes.length, 43);
    same([...bytes.slice(-2)], [0xC1, 10]);
    same(bytesOf("é", ""), [2, 0xC3, 0xA9, 0]);
    throws(() => packetOf(1, new Uint8Array(256)), RangeError);
});

Deno.test("packets are found among lines of a log, whole or in pieces, and those that are broken are passed over", () => {
    const reader = createPacketReader();
    const state = packetOf(types.state, [2]);
    const wrong = Uint8Array.from(state);
    wrong[10] ^= 1;
    const log = new TextEncoder().encode("boot IMPROVing\nIMP");
    same(reader.take(Uint8Array.from([...log, ...wrong, ...log, ...state])), [{ type: 1, data: Uint8Array.of(2) }]);
    const found = [...state].flatMap((byte) => reader.take(Uint8Array.of(byte)));
    same(found.length, 1);
    reader.take(state.slice(0, 9));
    reader.clear();
    equal(reader.take(state).length, 1);
    // Whatever comes, it neither throws nor keeps more than a packet.
    let seed = 1;
    const random = () => (seed = seed * 48271 % 2147483647) % 256;
    for (let round = 0; round < 2000; round++) {
        const bytes = Uint8Array.from([...state, ...Array.from({ length: 20 }, random)]);
        bytes[random() % bytes.length] = random();
        for (const { type, data } of reader.take(bytes)) {
            ok(type < 256 && data.length <= 255);
            resultOf(data);
        }
    }
});

Deno.test("a result has its strings, or is none", () => {
    const data = Uint8Array.from([4, 4, ...bytesOf("a", "é").slice(0, 4)]);
    equal(resultOf(data), null, "it ends within a string");
    same(resultOf(Uint8Array.from([4, 5, ...bytesOf("a", "é")])), { command: 4, texts: ["a", "é"] });
    same(resultOf(Uint8Array.of(4, 0)), { command: 4, texts: [] });
    for (const bytes of [[], [4], [4, 1], [4, 0, 1]]) equal(resultOf(Uint8Array.from(bytes)), null);
});

const device = { id: "pond-1", password: "s3cret", host: "mqtt.example.org", port: 8883, tls: true };
const authority = "Bag attributes\r\n-----BEGIN CERTIFICATE-----\r\nAQ==\r\n-----END CERTIFICATE-----\r\n";

Deno.test("the settings are one text", () => {
    equal(
        settingsText(device, authority),
        "aquamonitor 1\nhost mqtt.example.org\nport 8883\ntls yes\nid pond-1\nkey s3cret\n-----BEGIN CERTIFICATE-----\nAQ==\n-----END CERTIFICATE-----\nend\n",
    );
    ok(settingsText({ ...device, tls: false }, authority)?.includes("tls no\nid pond-1\nkey s3cret\nend"), "no certificate without TLS");
    equal(settingsText(device, authority.replace("AQ==", "A".repeat(3900))), null);
    equal(filledIn("a {{password}} b {{password}}", "$&"), "a $& b $&");
    const text = "x".repeat(450);
    const parts = partsOf(text);
    same(parts.map(([high, low, ...bytes]) => [high * 256 + low, bytes.length]), [[0, 200], [200, 200], [400, 50]]);
});

/**
 * A port whose other end answers each packet with what `answer` says, and a clock whose bells ring when nothing more comes.
 * @param {(command: number, data: Uint8Array, nth: number) => Uint8Array[] | "pull"} answer
 */
function portOf(answer) {
    const asked = /** @type {number[]} */ ([]);
    const read = /** @type {ReturnType<typeof createPacketReader>} */ (createPacketReader());
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let up;
    /** @type {Set<() => void>} */
    const bells = new Set();
    let isOpen = false;
    const port = {
        readable: new ReadableStream({ start: (controller) => void (up = controller) }),
        writable: new WritableStream({
            /** @param {Uint8Array} chunk */
            write(chunk) {
                for (const { data } of read.take(chunk)) {
                    asked.push(data[0]);
                    const answers = answer(data[0], data.slice(2), asked.filter((one) => one === data[0]).length);
                    if (answers === "pull") return up.error(new DOMException("gone", "NetworkError"));
                    for (const packet of answers) for (const byte of packet) up.enqueue(Uint8Array.of(byte));
                }
                // No answer: the time for it passes.
                setTimeout(() => [...bells].forEach((ring) => ring()));
            },
        }),
        open: () => (isOpen = true, Promise.resolve()),
        close: () => (isOpen = false, Promise.resolve()),
    };
    /** @param {number} _ @param {() => void} ring */
    const wait = (_, ring) => (bells.add(ring), () => void bells.delete(ring));
    return { asked, open: () => openProbe(port, wait), isOpen: () => isOpen };
}

/** @param {number} command @param {...string} texts */
const answered = (command, ...texts) => packetOf(types.result, [command, bytesOf(...texts).length, ...bytesOf(...texts)]);

Deno.test("a probe that answers is set up", async () => {
    let given = "";
    const { open, isOpen } = portOf((command, data) => {
        if (command === commands.state) return [packetOf(types.state, [2])];
        if (command === commands.networks) return [answered(4, "Koi", "-50", "YES"), answered(4, "Open", "-60", "NO"), answered(4)];
        if (command === commands.join) return [packetOf(types.error, [0]), packetOf(types.state, [3]), packetOf(types.state, [4]), answered(1)];
        if (command === commands.part) given += new TextDecoder().decode(data.slice(2));
        if (command === commands.standing) return [answered(command, "pond-1", "connected", "AquaMonitor-AB:CD", "0123456789")];
        return [answered(command, "")];
    });
    const probe = await open();
    equal(await probe.isJoined(), false);
    same(await probe.networks(), [{ name: "Koi", signal: -50, isSecured: true }, { name: "Open", signal: -60, isSecured: false }]);
    await probe.join("Koi", "right password");
    const text = settingsText(device, "-----BEGIN CERTIFICATE-----\n" + "A".repeat(64) + "\n-----END CERTIFICATE-----") ?? "";
    await probe.give(text);
    equal(given, text);
    same(await probe.standing(), { id: "pond-1", broker: "connected", access: { name: "AquaMonitor-AB:CD", password: "0123456789" } });
    await probe.close();
    equal(isOpen(), false);
});

Deno.test("noise is asked again, and what refuses is told by its reason", async () => {
    const wrong = packetOf(types.state, [4]);
    wrong[10] ^= 1;
    const { open, asked } = portOf((command, _, nth) => {
        if (command === commands.state) return nth === 1 ? [] : nth === 2 ? [wrong] : nth === 3 ? [packetOf(types.error, [1])] : [packetOf(types.state, [4])];
        if (command === commands.join) return [packetOf(types.error, [3])];
        if (command === commands.part) return [answered(command, "")];
        if (command === commands.keep) return [packetOf(types.error, [0x81])];
        return [packetOf(types.error, [2])];
    });
    const probe = await open();
    equal(await probe.isJoined(), true);
    equal(asked.length, 4);
    await rejects(probe.join("Koi", "wrong password"), { code: "network" });
    equal(asked.filter((command) => command === commands.join).length, 1, "a wrong password is wrong at once");
    await rejects(probe.give("settings"), { code: "settings" });
    await rejects(probe.standing(), { code: "silent" }, "other firmware knows no such command");
    await probe.close();
});

Deno.test("a port that says nothing, and one that is pulled", async () => {
    const silent = await portOf(() => []).open();
    await rejects(silent.isJoined(), { code: "silent" });
    await silent.close();
    const pulled = await portOf((command) => command === commands.state ? [packetOf(types.state, [2])] : "pull").open();
    await pulled.isJoined();
    await rejects(pulled.join("Koi", "right password"), { code: "lost" });
    await rejects(pulled.standing(), { code: "lost" });
    await pulled.close();
});

Deno.test("the network that people are told to join is the firmware's", async () => {
    const [words, firmware] = await Promise.all(
        ["Services/Gateway/Web/components/setup/access.js", "deploy/firmware/aquamonitor/Radio.h"].map((path) =>
            Deno.readTextFile(new URL(`../../${path}`, import.meta.url))
        ),
    );
    const [, network] = /^const network = "(\w+)";$/m.exec(words) ?? [];
    ok(network && firmware.includes(`accessName = std::string("${network}-")`), `${network} is not what Radio.h says`);
});
