import { createHash } from "node:crypto";
import { endianness } from "node:os";
import { compileSchema, type Validator } from "@aos/json-schema";
import { canonicalJson } from "@aos/strict-json";
import { Type } from "typebox";
import { type BuiltinArtifact, columnsOf, type Head, type HeadFacts } from "./artifact.ts";
import type { Field } from "./fields.ts";
import { firstScheme, type TextScheme } from "./grams.ts";
import type { Familiarity } from "./novelty.ts";
import { Vocabulary } from "./vocabulary.ts";

// An artifact as bytes, all numbers little-endian:
//   "AOSMODEL" | u32 version | u32 length of the header | header: canonical JSON in UTF-8, filled with spaces to a multiple of 4
//   u32 × V hashes, ascending | f32 × V idf | per head: f32 × V scales, f32 × K bias, i8 × V·K weights, filled with zeros to a multiple of 4 | SHA-256 of all before it

const magic = "AOSMODEL";
const version = 2;
/** Artifacts of the first version have neither a text scheme nor a measure of novelty. */
const firstVersion = 1;
const checksumBytes = 32;
const limits = { bytes: 256 * 1024 * 1024, header: 8 * 1024 * 1024, features: 1 << 18, columns: 20_000 } as const;

/** An artifact that cannot be used; the message says what is wrong with it. */
export class ArtifactError extends Error {
  override readonly name = "ArtifactError";
}

const Finite = Type.Number({ minimum: -1e300, maximum: 1e300 });
const Deviation = Type.Number({ minimum: 1e-300, maximum: 1e300 });
const Count = Type.Integer({ minimum: 0, maximum: 1e9 });
const closed = { additionalProperties: false } as const;
const FieldShape = Type.Union([
  Type.Object({ key: Type.String(), kind: Type.Enum(["text", "category"]) }, closed),
  Type.Object(
    {
      key: Type.String(),
      kind: Type.Literal("number"),
      edges: Type.Array(Finite, { maxItems: 64 }),
      mean: Finite,
      deviation: Deviation,
      log_mean: Finite,
      log_deviation: Deviation,
    },
    closed,
  ),
]);
const MapShape = Type.Union([
  Type.Object({ kind: Type.Literal("platt"), slope: Finite, shift: Finite }, closed),
  Type.Object(
    {
      kind: Type.Literal("isotonic"),
      scores: Type.Array(Finite, { minItems: 1, maxItems: 256 }),
      probabilities: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 1, maxItems: 256 }),
    },
    closed,
  ),
]);
const Label = Type.Union([Type.String(), Finite, Type.Boolean(), Type.Null()]);
const HeadShape = Type.Union([
  Type.Object(
    {
      field: Type.String(),
      kind: Type.Enum(["class", "boolean"]),
      n: Count,
      labels: Type.Array(Label, { minItems: 1, maxItems: limits.columns }),
      temperature: Type.Number({ minimum: 1e-3, maximum: 1e3 }),
      map: MapShape,
    },
    closed,
  ),
  Type.Object(
    {
      field: Type.String(),
      kind: Type.Literal("number"),
      n: Count,
      mean: Finite,
      deviation: Deviation,
      low: Finite,
      high: Finite,
      tolerance: Finite,
      hits: Type.Number({ minimum: 0, maximum: 1 }),
    },
    closed,
  ),
]);
const SchemeShape = Type.Object(
  {
    words: Type.Integer({ minimum: 1, maximum: 5 }),
    pairs: Type.Integer({ minimum: 0, maximum: 16 }),
    characters: Type.Integer({ minimum: 3, maximum: 8 }),
    reach: Type.Number({ minimum: 0.01, maximum: 100 }),
    whole: Type.Boolean(),
  },
  closed,
);
const Share = Type.Number({ minimum: 0, maximum: 1 });
const FamiliarityShape = Type.Union([Type.Object({ typical: Share, high: Share }, closed), Type.Null()]);
const shared = {
  features: Type.Integer({ minimum: 0, maximum: limits.features }),
  fields: Type.Array(FieldShape, { maxItems: 2_000 }),
  heads: Type.Array(HeadShape, { maxItems: 200 }),
};
const FirstHeaderShape = Type.Object(shared, closed);
const HeaderShape = Type.Object({ ...shared, scheme: SchemeShape, familiarity: FamiliarityShape }, closed);
let checks: { readonly first: Validator; readonly later: Validator } | undefined;

interface Header {
  readonly features: number;
  readonly fields: readonly Field[];
  readonly scheme: TextScheme;
  readonly familiarity: Familiarity | null;
  readonly heads: readonly HeadFacts[];
}

/** `sha256:` and the hexadecimal digits of the bytes' SHA-256. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Writes an artifact. The same artifact gives the same bytes. */
export function writeArtifact({
  fields,
  scheme,
  familiarity,
  vocabulary,
  heads,
}: Omit<BuiltinArtifact, "digest">): Uint8Array {
  const facts = heads.map((head) => head.facts);
  const header = Buffer.from(
    canonicalJson({ features: vocabulary.hashes.length, fields, scheme, familiarity, heads: facts } satisfies Header),
  );
  const padded = Buffer.concat([header, Buffer.alloc(padding(header.length), " ")]);
  const start = Buffer.alloc(16);
  start.write(magic, "latin1");
  start.writeUInt32LE(version, 8);
  start.writeUInt32LE(padded.length, 12);
  const parts: Uint8Array[] = [start, padded, littleEndian(vocabulary.hashes), littleEndian(vocabulary.idf)];
  for (const { scales, bias, weights } of heads) {
    parts.push(
      littleEndian(scales),
      littleEndian(bias),
      new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength),
    );
    parts.push(new Uint8Array(padding(weights.length)));
  }
  const body = Buffer.concat(parts);
  return new Uint8Array(Buffer.concat([body, createHash("sha256").update(body).digest()]));
}

/**
 * Reads an artifact. It is checked whole before anything is made of it: form, version, size and checksum, and that all numbers are ones. Nothing is allocated
 * beyond a few times the bytes given. Throws an {@link ArtifactError}.
 */
export function readArtifact(given: Uint8Array): BuiltinArtifact {
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength); // a Buffer's `slice` would not copy
  const header = readHeader(bytes);
  const needed =
    header.end + header.features * 8 + header.heads.reduce((sum, facts) => sum + headBytes(facts, header.features), 0);
  if (bytes.length !== needed + checksumBytes)
    throw new ArtifactError("The artifact is shorter or longer than its header says.");
  const checksum = createHash("sha256").update(bytes.subarray(0, needed)).digest();
  if (!checksum.equals(bytes.subarray(needed)))
    throw new ArtifactError("The artifact's checksum does not match: it was changed or damaged.");
  const cursor = new Cursor(bytes, header.end);
  const vocabulary = new Vocabulary(cursor.hashes(header.features), cursor.floats(header.features));
  const heads = header.heads.map((facts): Head => {
    const columns = columnsOf(facts);
    const rows = columns === 0 ? 0 : header.features;
    return { facts, scales: cursor.floats(rows), bias: cursor.floats(columns), weights: cursor.smalls(rows * columns) };
  });
  return {
    digest: digestOf(bytes),
    fields: header.fields,
    scheme: header.scheme,
    familiarity: header.familiarity,
    vocabulary,
    heads,
  };
}

function readHeader(bytes: Uint8Array): Header & { readonly end: number } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length > limits.bytes)
    throw new ArtifactError(`The artifact is larger than ${limits.bytes / 1024 / 1024} MB.`);
  if (bytes.length < 16 + checksumBytes || view.toString("latin1", 0, 8) !== magic)
    throw new ArtifactError("These bytes are no artifact of the built-in model.");
  const found = view.readUInt32LE(8);
  if (found !== version && found !== firstVersion)
    throw new ArtifactError(
      `The artifact has version ${found} of the format; this service reads versions ${firstVersion} and ${version}.`,
    );
  const length = view.readUInt32LE(12);
  const end = 16 + length;
  if (length > limits.header || length % 4 !== 0 || end > bytes.length)
    throw new ArtifactError("The artifact's header is broken.");
  let header: unknown;
  try {
    header = JSON.parse(view.toString("utf8", 16, end));
  } catch {
    throw new ArtifactError("The artifact's header is broken.");
  }
  checks ??= { first: compileSchema(FirstHeaderShape), later: compileSchema(HeaderShape) };
  const fault = (found === firstVersion ? checks.first : checks.later)(header)[0];
  if (fault) throw new ArtifactError(`The artifact's header is broken: ${fault.pointer} ${fault.detail}`);
  for (const facts of (header as Header).heads) {
    const uneven =
      facts.kind !== "number" &&
      facts.map.kind === "isotonic" &&
      facts.map.scores.length !== facts.map.probabilities.length;
    if (uneven)
      throw new ArtifactError("The artifact's header is broken: a map with as many scores as probabilities is needed.");
  }
  const known = header as Omit<Header, "scheme" | "familiarity"> & Partial<Header>;
  return { ...known, scheme: known.scheme ?? firstScheme, familiarity: known.familiarity ?? null, end };
}

function headBytes(facts: HeadFacts, features: number): number {
  const columns = columnsOf(facts);
  const weights = columns === 0 ? 0 : features * columns;
  return (columns === 0 ? 0 : features * 4) + columns * 4 + weights + padding(weights);
}

function padding(length: number): number {
  return (4 - (length % 4)) % 4;
}

function littleEndian(values: Uint32Array | Float32Array): Uint8Array {
  const bytes = Buffer.from(
    values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength) as ArrayBuffer,
  );
  return endianness() === "LE" ? bytes : bytes.swap32();
}

/** Reads the tables behind the header, one after the other; their sizes were checked. */
class Cursor {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  #take(length: number): ArrayBuffer {
    const copy = Buffer.from(this.#bytes.slice(this.#at, this.#at + length).buffer);
    this.#at += length;
    if (endianness() !== "LE") copy.swap32();
    return copy.buffer as ArrayBuffer;
  }

  floats(count: number): Float32Array {
    const floats = new Float32Array(this.#take(count * 4));
    for (const float of floats)
      if (!Number.isFinite(float)) throw new ArtifactError("The artifact holds a number that is not finite.");
    return floats;
  }

  hashes(count: number): Uint32Array {
    const hashes = new Uint32Array(this.#take(count * 4));
    for (let at = 1; at < count; at++) {
      if ((hashes[at] as number) <= (hashes[at - 1] as number))
        throw new ArtifactError("The artifact's features are out of order.");
    }
    return hashes;
  }

  smalls(count: number): Int8Array {
    const smalls = new Int8Array(this.#bytes.slice(this.#at, this.#at + count).buffer);
    this.#at += count + padding(count);
    return smalls;
  }
}
