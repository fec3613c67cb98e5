import type { KeyObject } from "node:crypto";
import {
  type DecodedEnvelope,
  decodeEnvelope,
  type Envelope,
  envelopeShape,
  isSignedBy,
  signEnvelope,
} from "./dsse.ts";
import { BundleFault, type BundlePlace, quoted } from "./faults.ts";
import { readJson } from "./json.ts";
import { importPublicKey, type PublicKey, publicKeyOf } from "./keys.ts";
import { FILE_LIMITS } from "./limits.ts";
import { list, object, type Shape, text } from "./shapes.ts";
import { keyId, publisherId, publisherName } from "./words.ts";

const ROTATION_PAYLOAD_TYPE = "application/vnd.aos.key-rotation+json";

/**
 * A publisher with all its keys, the oldest first. The last signs; `rotations[i]`, signed by `keys[i]`, names `keys[i +
 * 1]`.
 */
export interface Publisher {
  readonly publisher_id: string;
  readonly name: string;
  readonly keys: readonly PublicKey[];
  readonly rotations: readonly Envelope<typeof ROTATION_PAYLOAD_TYPE>[];
}

const publicKey = text(60);

export const publisherShape: Shape<Publisher> = object({
  publisher_id: publisherId,
  name: publisherName,
  keys: list(object({ key_id: keyId, public_key: publicKey }), { least: 1, most: FILE_LIMITS.rotations + 1 }),
  rotations: list(envelopeShape(ROTATION_PAYLOAD_TYPE, FILE_LIMITS.rotation), { most: FILE_LIMITS.rotations }),
});

// The name is the publisher's at that time: it may have changed since.
const rotationShape = object({
  publisher_id: publisherId,
  name: publisherName,
  from: keyId,
  to: keyId,
  public_key: publicKey,
});

/**
 * The publisher with a new key, for which the current key vouches. `next` signs from now on. Throws the fault
 * `wrong_private_key` unless `privateKey` belongs to the current key, and `key_repeated` for a key that the publisher
 * had before.
 */
export function rotateKey(publisher: Publisher, privateKey: KeyObject, next: PublicKey): Publisher {
  const current = checkSigner(publisher, privateKey);
  const payload = JSON.stringify({
    publisher_id: publisher.publisher_id,
    name: publisher.name,
    from: current.key_id,
    to: next.key_id,
    public_key: next.public_key,
  });
  const rotation = signEnvelope(ROTATION_PAYLOAD_TYPE, payload, { key_id: current.key_id, privateKey });
  const rotated: Publisher = {
    publisher_id: publisher.publisher_id,
    name: publisher.name,
    keys: [...publisher.keys, { key_id: next.key_id, public_key: next.public_key }],
    rotations: [...publisher.rotations, rotation],
  };
  verifyKeys(decodePublisher(readPublisher(rotated)));
  return rotated;
}

/** The current key of a publisher. Throws the fault `wrong_private_key` unless the private key belongs to it. */
export function checkSigner({ keys }: Publisher, privateKey: KeyObject): PublicKey {
  const current = keys.at(-1)!;
  const actual = publicKeyOf(privateKey).key_id;
  if (actual !== current.key_id)
    throw new BundleFault("wrong_private_key", { part: "key", at: "" }, `The private key belongs to ${actual}.`);
  return current;
}

/** Which key of a publisher is trusted, and why. */
export interface TrustedKey {
  /**
   * The signer's key, to be pinned from now on: former keys lose their trust, so that a stolen former key cannot sign
   * updates.
   */
  readonly key_id: string;
  /**
   * Key ids from the pinned key to the signer's, each vouching for the next; one alone if the pinned key still signs.
   */
  readonly chain: readonly string[];
}

/**
 * Whether the signer's key follows from the key that was trusted before. Keys before the pinned one are verified too,
 * but carry no trust. Throws the fault `pinned_key_absent` for a publisher without the pinned key, or the fault of the
 * key or rotation that does not hold.
 */
export function checkRotations(pinnedKeyId: string, publisher: Publisher): TrustedKey {
  const read = readPublisher(publisher);
  verifyKeys(decodePublisher(read));
  const ids = read.keys.map(({ key_id }) => key_id);
  const start = ids.indexOf(pinnedKeyId);
  if (start < 0)
    throw new BundleFault(
      "pinned_key_absent",
      { part: "file", at: "/publisher/keys" },
      `The publisher has no key ${quoted(pinnedKeyId)}.`,
    );
  return { key_id: ids.at(-1)!, chain: ids.slice(start) };
}

function readPublisher(publisher: unknown): Publisher {
  return publisherShape(publisher, { code: "file_shape", part: "file", at: "/publisher" });
}

/** A publisher whose base64 is decoded; nothing is verified yet. */
export interface DecodedPublisher extends Publisher {
  readonly publicKeys: readonly KeyObject[];
  readonly decoded: readonly DecodedEnvelope[];
}

const keyPlace = (index: number): BundlePlace => ({ part: "file", at: `/publisher/keys/${index}` });
const rotationPlace = (index: number, pointer = ""): BundlePlace => ({
  part: "rotation",
  at: `/publisher/rotations/${index}${pointer}`,
});

/** Decodes keys and rotations. Throws the faults `base64`, `key_form` and `key_id`. */
export function decodePublisher(publisher: Publisher): DecodedPublisher {
  return {
    ...publisher,
    publicKeys: publisher.keys.map((key, index) => importPublicKey(key, keyPlace(index))),
    decoded: publisher.rotations.map((envelope, index) => decodeEnvelope(envelope, rotationPlace(index))),
  };
}

/** Verifies that each key vouches for the next one. Throws a BundleFault otherwise. */
export function verifyKeys(publisher: DecodedPublisher): void {
  const { keys, decoded } = publisher;
  const repeated = keys.findIndex(({ key_id }, index) => keys.findIndex((key) => key.key_id === key_id) < index);
  if (repeated >= 0) throw new BundleFault("key_repeated", keyPlace(repeated), "This key occurs before.");
  if (decoded.length !== keys.length - 1)
    throw new BundleFault(
      "rotation_count",
      { part: "file", at: "/publisher/rotations" },
      `There are ${keys.length} keys and ${decoded.length} rotations.`,
    );
  for (const index of decoded.keys()) verifyRotation(publisher, index);
}

function verifyRotation({ publisher_id, keys, publicKeys, decoded }: DecodedPublisher, index: number): void {
  const rotation = decoded[index]!;
  const [from, to] = [keys[index]!, keys[index + 1]!];
  if (rotation.keyid !== from.key_id || !isSignedBy(rotation, publicKeys[index]!))
    throw new BundleFault(
      "rotation_signature",
      rotationPlace(index),
      `The key ${from.key_id} did not sign this rotation.`,
    );
  const value = readJson(rotation.payload, "rotation", { usual: "rotation_shape" }, FILE_LIMITS.depth);
  const at = rotationPlace(index, "#").at;
  const said = rotationShape(value, { code: "rotation_shape", part: "rotation", at });
  const expected = { publisher_id, from: from.key_id, to: to.key_id, public_key: to.public_key } as const;
  for (const [field, must] of Object.entries(expected) as [keyof typeof expected, string][])
    if (said[field] !== must)
      throw new BundleFault(
        "rotation_differs",
        rotationPlace(index, `#/${field}`),
        `This rotation has another ${field}.`,
      );
}
