import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

// An authenticator in software, for what a browser would never send: tampered challenges, another origin, a counter that goes back.

export interface Signing {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  /** By default, the authenticator counts on. */
  readonly counter?: number;
  /** Whether its person was verified; default: yes. */
  readonly verified?: boolean;
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();

export class Authenticator {
  readonly id = randomBytes(32);
  readonly #key: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
  });
  #counter = 0;

  /** The answer to `navigator.credentials.create`. */
  register(given: Signing): object {
    const credential = Buffer.concat([Buffer.alloc(16), uint16(this.id.length), this.id, this.#coseKey()]);
    const authData = Buffer.concat([this.#head(given, 0x40), credential]);
    const attestation = Buffer.concat([
      Buffer.of(0xa3),
      text("fmt"),
      text("none"),
      text("attStmt"),
      Buffer.of(0xa0),
      text("authData"),
      bytes(authData),
    ]);
    return this.#answer({
      clientDataJSON: clientData("webauthn.create", given),
      attestationObject: attestation.toString("base64url"),
    });
  }

  /** The answer to `navigator.credentials.get`. */
  sign(given: Signing): object {
    const authenticatorData = this.#head(given, 0);
    const clientDataJSON = clientData("webauthn.get", given);
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, "base64url"))]);
    const signature = createSign("sha256").update(signed).sign(this.#key.privateKey).toString("base64url");
    return this.#answer({ clientDataJSON, authenticatorData: authenticatorData.toString("base64url"), signature });
  }

  #head({ rpId, counter, verified = true }: Signing, flags: number): Buffer {
    this.#counter = counter ?? this.#counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#counter);
    return Buffer.concat([sha256(rpId), Buffer.of(flags | 0x01 | (verified ? 0x04 : 0)), count]);
  }

  #answer(response: object): object {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }

  /** COSE_Key of an EC2 key for ES256 (RFC 9052): {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
  #coseKey(): Buffer {
    const { x = "", y = "" } = this.#key.publicKey.export({ format: "jwk" });
    const coordinate = (value: string): Buffer => bytes(Buffer.from(value, "base64url"));
    return Buffer.concat([
      Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21),
      coordinate(x),
      Buffer.of(0x22),
      coordinate(y),
    ]);
  }
}

const clientData = (type: string, { challenge, origin }: Signing): string =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");

// CBOR (RFC 8949), as much of it as an attestation needs.
const uint16 = (value: number): Buffer => Buffer.of(value >> 8, value & 0xff);
const text = (value: string): Buffer => Buffer.concat([Buffer.of(0x60 | value.length), Buffer.from(value)]);
const bytes = (value: Buffer): Buffer => Buffer.concat([Buffer.of(0x58, value.length), value]);
