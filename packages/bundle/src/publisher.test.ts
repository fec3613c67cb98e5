import { describe, expect, it } from "vitest";
import { faultOf, PUBLISHER_ID, publisherWith, sampleFiles, scan, signer, source } from "./bundle.fixture.ts";
import { signBundle, verifyBundle } from "./bundle.ts";
import { signEnvelope } from "./dsse.ts";
import { makeKey } from "./keys.ts";
import { checkRotations, type Publisher, rotateKey } from "./publisher.ts";

const { publisher, signingKeys } = publisherWith(4); // three rotations
const ids = signingKeys.map(({ publicKey }) => publicKey.key_id);
const refused = (changed: Publisher, pinned = ids[0]!) => faultOf(() => checkRotations(pinned, changed));

/** A rotation with whatever payload, signed by the key of this index. */
function rotation(by: number, changes: object = {}, keyid = ids[by]!): Publisher["rotations"][number] {
  const [from, to] = [signingKeys[by]!, signingKeys[by + 1]!];
  const payload = {
    publisher_id: PUBLISHER_ID,
    name: publisher.name,
    from: from.publicKey.key_id,
    to: to.publicKey.key_id,
    public_key: to.publicKey.public_key,
    ...changes,
  };
  const type = "application/vnd.aos.key-rotation+json";
  return signEnvelope(type, JSON.stringify(payload), { key_id: keyid, privateKey: from.privateKey });
}

const withRotation = (index: number, envelope: Publisher["rotations"][number]): Publisher => ({
  ...publisher,
  rotations: publisher.rotations.with(index, envelope),
});

describe("a chain of three rotations", () => {
  it("leads from every former key to the current one", () => {
    for (const [at, pinned] of ids.entries())
      expect(checkRotations(pinned, publisher)).toEqual({ key_id: ids[3], chain: ids.slice(at) });
  });

  it("signs bundles with the last key only", () => {
    const parts = { files: sampleFiles(), scan, source, publisher };
    const file = signBundle({ ...parts, privateKey: signingKeys[3]!.privateKey });
    expect(verifyBundle(file).statement.predicate.publisher.key_id).toBe(ids[3]);
    expect(faultOf(() => signBundle({ ...parts, privateKey: signingKeys[2]!.privateKey })).code).toBe(
      "wrong_private_key",
    );
  });

  it("does not lead to it from a key that is not in it", () => {
    expect(refused(publisher, signer.publicKey.key_id)).toMatchObject({
      code: "pinned_key_absent",
      place: { part: "file", at: "/publisher/keys" },
    });
  });

  it("does not give a former key its trust back", () => {
    const stolen: Publisher = {
      ...publisher,
      keys: publisher.keys.slice(0, 2),
      rotations: publisher.rotations.slice(0, 1),
    };
    expect(checkRotations(ids[0]!, stolen).key_id).toBe(ids[1]);
    expect(refused(stolen, ids[3]).code).toBe("pinned_key_absent");
  });

  it("may be told under a former name", () => {
    expect(checkRotations(ids[0]!, withRotation(0, rotation(0, { name: "Former Works" }))).key_id).toBe(ids[3]);
  });
});

describe("a publisher is refused", () => {
  const stranger = makeKey();

  it("with a rotation that a stranger signed", () => {
    const { keyid } = publisher.rotations[1]!.signatures[0]!;
    const forged = signEnvelope("application/vnd.aos.key-rotation+json", "{}", {
      key_id: keyid,
      privateKey: stranger.privateKey,
    });
    expect(refused(withRotation(1, forged))).toMatchObject({
      code: "rotation_signature",
      place: { part: "rotation", at: "/publisher/rotations/1" },
    });
    expect(refused(withRotation(1, rotation(1, {}, stranger.publicKey.key_id))).code).toBe("rotation_signature");
  });

  it("with a stranger's key at the end of the chain", () => {
    const hijacked = { ...publisher, keys: publisher.keys.with(3, stranger.publicKey) };
    expect(refused(hijacked)).toMatchObject({ code: "rotation_differs", place: { at: "/publisher/rotations/2#/to" } });
  });

  it("with keys or rotations in another order", () => {
    const [a, b, c, d] = publisher.keys as [never, never, never, never];
    const [x, y, z] = publisher.rotations as [never, never, never];
    expect(refused({ ...publisher, keys: [a, c, b, d] }).code).toBe("rotation_differs");
    expect(refused({ ...publisher, rotations: [y, x, z] }).code).toBe("rotation_signature");
    expect(refused({ ...publisher, keys: [a, c, b, d], rotations: [x, z, y] }).code).toBe("rotation_differs");
  });

  it("with a rotation too few or too many", () => {
    expect(refused({ ...publisher, rotations: publisher.rotations.slice(1) }).code).toBe("rotation_count");
    expect(refused({ ...publisher, keys: publisher.keys.slice(0, 3) }).code).toBe("rotation_count");
  });

  it("with a rotation of another publisher, or one that says more", () => {
    const other = `pub_${"z".repeat(26)}`;
    expect(refused(withRotation(0, rotation(0, { publisher_id: other }))).code).toBe("rotation_differs");
    expect(refused(withRotation(0, rotation(0, { from: ids[2] }))).code).toBe("rotation_differs");
    expect(refused(withRotation(0, rotation(0, { note: "x" })))).toMatchObject({
      code: "rotation_shape",
      place: { at: "/publisher/rotations/0#/note" },
    });
  });
});

describe("rotating", () => {
  it("needs the current private key", () => {
    const next = makeKey().publicKey;
    expect(faultOf(() => rotateKey(publisher, signingKeys[0]!.privateKey, next)).code).toBe("wrong_private_key");
  });

  it("never returns to a former key", () => {
    const { privateKey } = signingKeys[3]!;
    expect(faultOf(() => rotateKey(publisher, privateKey, signingKeys[0]!.publicKey)).code).toBe("key_repeated");
  });
});
