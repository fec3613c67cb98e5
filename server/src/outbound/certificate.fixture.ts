import { createHash, generateKeyPairSync, sign } from "node:crypto";

// A self-signed certificate for servers of tests, made again each time: no key lies in the repository. DER as X.680 and X.690 write it, fields as RFC 5280.

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const octets = (part: Uint8Array) => der(0x04, part);

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));
const commonName = (name: string) => sequence(der(0x31, sequence(oid("550403"), text(0x0c, name))));

/** A key and a certificate for these host names, valid for ever, both in PEM. The certificate is its own authority. */
export function selfSigned(...hosts: readonly string[]): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const names = sequence(...hosts.map((host) => text(0x82, host)));
  const extensions = sequence(
    sequence(oid("551d11"), octets(names)),
    sequence(oid("551d13"), der(0x01, Buffer.from([0xff])), octets(sequence(der(0x01, Buffer.from([0xff]))))),
  );
  const spki = publicKey.export({ type: "spki", format: "der" });
  const serial = createHash("sha256").update(spki).digest().subarray(0, 8);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), serial),
    ECDSA_WITH_SHA256,
    commonName("test"),
    sequence(text(0x17, "200101000000Z"), text(0x17, "491231235959Z")),
    commonName("test"),
    spki,
    der(0xa3, extensions),
  );
  const signature = sign("sha256", body, privateKey);
  const whole = sequence(body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g)!;
  const cert = ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), cert };
}
