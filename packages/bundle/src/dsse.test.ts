import { createPublicKey } from "node:crypto";
import { toSignedEntity, Verifier } from "@sigstore/verify";
import { describe, expect, it } from "vitest";
import { sign, signer } from "./bundle.fixture.ts";
import { preAuthenticationEncoding, signEnvelope } from "./dsse.ts";

type Bundle = Parameters<typeof toSignedEntity>[0];
type TrustMaterial = ConstructorParameters<typeof Verifier>[0];

/**
 * Verifies an envelope of ours with npm @sigstore/verify, which trusts the publisher's key and asks for no transparency
 * log.
 */
function verifyWithSigstore(envelope: {
  payloadType: string;
  payload: string;
  signatures: readonly { keyid: string; sig: string }[];
}): void {
  const publicKey = createPublicKey(signer.privateKey);
  const trust = {
    certificateAuthorities: [],
    timestampAuthorities: [],
    tlogs: [],
    ctlogs: [],
    publicKey: () => ({ publicKey, validFor: () => true }),
  } as TrustMaterial;
  const bundle = {
    mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
    verificationMaterial: {
      content: { $case: "publicKey", publicKey: { hint: signer.publicKey.key_id } },
      tlogEntries: [],
      timestampVerificationData: undefined,
    },
    content: {
      $case: "dsseEnvelope",
      dsseEnvelope: {
        payloadType: envelope.payloadType,
        payload: Buffer.from(envelope.payload, "base64"),
        signatures: envelope.signatures.map(({ keyid, sig }) => ({ keyid, sig: Buffer.from(sig, "base64") })),
      },
    },
  } as unknown as Bundle;
  new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 }).verify(toSignedEntity(bundle));
}

// https://github.com/secure-systems-lab/dsse/blob/master/protocol.md, "Test vectors".
it("encodes the example of the DSSE specification as it does", () => {
  expect(preAuthenticationEncoding("http://example.com/HelloWorld", Buffer.from("hello world")).toString()).toBe(
    "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
  );
});

it("counts bytes, not characters", () => {
  expect(preAuthenticationEncoding("ä", Buffer.from("€")).toString()).toBe("DSSEv1 2 ä 3 €");
});

describe("npm @sigstore/verify", () => {
  it("accepts the envelope of a bundle", () => {
    expect(() => verifyWithSigstore(sign().envelope)).not.toThrow();
  });

  it("refuses an envelope whose payload, type, signature or key was changed", () => {
    const { envelope } = sign();
    const payload = Buffer.from(envelope.payload, "base64");
    payload[100] = payload[100]! ^ 1;
    const signature = Buffer.from(envelope.signatures[0]!.sig, "base64");
    signature[10] = signature[10]! ^ 1;
    const stranger = signEnvelope("x", "y", { key_id: signer.publicKey.key_id, privateKey: signer.privateKey });
    for (const changed of [
      { ...envelope, payload: payload.toString("base64") },
      { ...envelope, payloadType: "application/json" },
      { ...envelope, signatures: [{ keyid: envelope.signatures[0]!.keyid, sig: signature.toString("base64") }] },
      { ...envelope, signatures: stranger.signatures },
    ])
      expect(() => verifyWithSigstore(changed)).toThrow(/signature/);
  });
});
