/** Messages that are sealed for a page: the specification's own example, what was sealed here, and what is none of it. */

import { notStrictEqual as differs, rejects, strictEqual as equal } from "node:assert/strict";
import { base64URL, bytesOf, makeSealKeys, maySeal, opening } from "../../Services/Gateway/Web/app/sealed.js";
import { seal } from "./sealing.js";

/** RFC 8291, section 5 and appendix A. */
const example = {
    private: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
    public: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
    body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
    text: "When I grow up, I want to be a watermelon",
};

async function openingExample() {
    const point = bytesOf(example.public);
    const [x, y] = [point.slice(1, 33), point.slice(33)].map(base64URL);
    const key = await crypto.subtle.importKey("jwk", { kty: "EC", crv: "P-256", x, y, d: example.private }, { name: "ECDH", namedCurve: "P-256" }, false, ["deriveBits"]);
    return opening(key, point, bytesOf(example.auth));
}

Deno.test("the example of RFC 8291 is opened", async () => {
    equal(await (await openingExample())(example.body), example.text);
});

Deno.test("what a sender sealed to new keys is opened, whatever stands behind it", async () => {
    const { key, open } = await makeSealKeys();
    equal(maySeal(), true);
    equal(bytesOf(key.public).length, 65);
    equal(bytesOf(key.auth).length, 16);
    const text = JSON.stringify({ id: "tank-7", name: "Becken 3 ｘ", password: "x".repeat(43) });
    for (const padding of [0, 1, 255, 2_000]) equal(await open(await seal(text, key, { padding })), text);
    equal(await open(await seal("", key)), "");
});

Deno.test("keys are never the same, and open nothing of others", async () => {
    const [one, other] = [await makeSealKeys(), await makeSealKeys()];
    differs(one.key.public, other.key.public);
    differs(one.key.auth, other.key.auth);
    const sealed = await seal("a key", one.key);
    await rejects(other.open(sealed));
    // Of the right pair, with another secret.
    const mixed = await seal("a key", { ...one.key, auth: other.key.auth });
    await rejects(one.open(mixed));
});

Deno.test("what was changed, cut or goes on is refused", async () => {
    const { key, open } = await makeSealKeys();
    const body = bytesOf(await seal("a key", key));
    for (const place of [0, 20, 30, body.length - 1]) {
        const changed = body.slice();
        changed[place] ^= 1;
        await rejects(open(base64URL(changed)), `${place}`);
    }
    for (const length of [0, 1, 86, 102, body.length - 1]) await rejects(open(base64URL(body.slice(0, length))), `${length}`);
    await rejects(open(await seal("a key", key, { end: 1 })), /last/);
    await rejects(open(await seal("a key", key, { end: 0 })), /last/);
    await rejects(open(await seal("a key", key, { size: 18 })), /one record/);
    await rejects(open("?"));
});
