import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ArtifactError, readArtifact, writeArtifact } from "./artifact-format.ts";
import { leadSchema, leads } from "./examples.fixture.ts";
import { fit } from "./fit.ts";

const bytes = fit(leadSchema, leads(60, 1), 1, () => undefined);

/** The artifact with another header and a checksum that fits: what somebody hostile would send. */
function forged(change: (header: Record<string, unknown>) => void): Uint8Array {
  const view = Buffer.from(bytes);
  const length = view.readUInt32LE(12);
  const header = JSON.parse(view.toString("utf8", 16, 16 + length)) as Record<string, unknown>;
  change(header);
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
  const start = Buffer.from(view.subarray(0, 16));
  start.writeUInt32LE(padded.length, 12);
  const body = Buffer.concat([start, padded, view.subarray(16 + length, -32)]);
  return Buffer.concat([body, createHash("sha256").update(body).digest()]);
}

it("reads what it wrote, and writes it again byte for byte", () => {
  const artifact = readArtifact(bytes);
  expect(artifact.heads.map(({ facts }) => facts.field)).toEqual(["/qualified", "/team", "/deal/value"]);
  expect(Buffer.from(writeArtifact(artifact)).equals(Buffer.from(bytes))).toBe(true);
  expect(readArtifact(Buffer.concat([Buffer.alloc(3), bytes]).subarray(3)).digest).toBe(artifact.digest);
});

it("refuses an artifact of which anything is missing, changed or added", () => {
  const length = fc.integer({ min: 0, max: bytes.length - 1 });
  fc.assert(
    fc.property(length, (cut) => {
      expect(() => readArtifact(bytes.subarray(0, cut))).toThrow(ArtifactError);
    }),
  );
  fc.assert(
    fc.property(length, fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] as number) ^ flip;
      expect(() => readArtifact(changed)).toThrow(ArtifactError);
    }),
  );
  expect(() => readArtifact(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow(ArtifactError);
});

it("refuses any bytes that are no artifact", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (any) => {
      expect(() => readArtifact(any)).toThrow(ArtifactError);
    }),
  );
});

it("refuses a header that promises more than there is, whatever its checksum says", () => {
  expect(() => readArtifact(forged((header) => void Object.assign(header, { features: 262_144 })))).toThrow(
    "shorter or longer than its header says",
  );
  expect(() => readArtifact(forged((header) => void Object.assign(header, { features: 1e12 })))).toThrow(
    "header is broken",
  );
  expect(() => readArtifact(forged((header) => void Object.assign(header, { extra: 1 })))).toThrow("header is broken");
  const endless = forged((header) => void Object.assign((header.heads as object[])[0] as object, { temperature: 0 }));
  expect(() => readArtifact(endless)).toThrow("/heads/0");
});

it("refuses weights that are no numbers, and a version that it does not know", () => {
  const view = Buffer.from(bytes);
  const body = view.subarray(0, -32);
  const features = readArtifact(bytes).vocabulary.hashes.length;
  body.writeFloatLE(Number.NaN, 16 + view.readUInt32LE(12) + features * 4);
  const poisoned = Buffer.concat([body, createHash("sha256").update(body).digest()]);
  expect(() => readArtifact(poisoned)).toThrow("not finite");
  const newer = Buffer.from(bytes);
  newer.writeUInt32LE(3, 8);
  expect(() => readArtifact(newer)).toThrow("version 3 of the format");
});
