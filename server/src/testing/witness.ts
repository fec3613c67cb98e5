import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

// A witness as C2SP tlog-witness and tlog-cosignature describe one, for tests: in memory, and with code of its own for all that it verifies.

export interface TestWitness {
  readonly url: string;
  /** Its verifier key (type 4). */
  readonly vkey: string;
  /** Trusts a log's verifier key (type 1) for the origin that is its name. */
  trust(vkey: string): void;
  /** Every request: the old size, the size that it submitted, the status that it got. */
  readonly requests: readonly { readonly old: number; readonly size: number; readonly status: number }[];
  /** The newest size that it cosigned of a log; 0 for none. */
  sizeOf(origin: string): number;
  /** Answers every request like this instead, until null is set. `hang`: not at all. */
  fault: { readonly status: number; readonly body: string; readonly type?: string } | "hang" | null;
  /** What every answer waits for. */
  hold: Promise<void>;
  /** The most requests that it had under way at a time. */
  readonly mostAtOnce: number;
  close(): Promise<void>;
}

interface Head {
  readonly size: number;
  readonly root: Buffer;
}

interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly type?: string;
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const node = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);
const keyId = (name: string, type: number, publicKey: Buffer): Buffer =>
  sha256(Buffer.from(`${name}\n`), Buffer.of(type), publicKey).subarray(0, 4);
const rawKey = (x: Buffer) =>
  createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: x.toString("base64url") }, format: "jwk" });

/** Whether a tree of `b` leaves extends one of `a` (RFC 9162, section 2.1.4.2). */
function extendsHead(a: Head, b: Head, proof: readonly Buffer[]): boolean {
  if (a.size === 0) return proof.length === 0;
  if (a.size === b.size) return proof.length === 0 && a.root.equals(b.root);
  const path = (a.size & (a.size - 1)) === 0 ? [a.root, ...proof] : [...proof];
  let [fn, sn] = [a.size - 1, b.size - 1];
  while (fn % 2 === 1) [fn, sn] = [fn >> 1, sn >> 1];
  let fr = path.shift();
  let sr = fr;
  if (!fr || !sr) return false;
  for (const c of path) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      fr = node(c, fr);
      sr = node(c, sr);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else sr = node(sr, c);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && fr.equals(a.root) && sr.equals(b.root);
}

interface Submission {
  readonly old: number;
  readonly hashes: readonly Buffer[];
  /** The text that is signed. */
  readonly note: string;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  /** Name and data of each signature line. */
  readonly signatures: readonly { readonly signer: string; readonly data: Buffer }[];
}

/** Reads a request's body; undefined where it is none. */
function readSubmission(body: string): Submission | undefined {
  const cut = body.indexOf("\n\n");
  const [first = "", ...hashes] = body.slice(0, cut).split("\n");
  const checkpoint = body.slice(cut + 2);
  const end = checkpoint.indexOf("\n\n");
  const note = checkpoint.slice(0, end + 1);
  const [origin = "", size = "", root = ""] = note.split("\n");
  const old = /^old (0|[1-9]\d*)$/.exec(first)?.[1];
  if (cut < 0 || end < 0 || old === undefined || hashes.length > 63 || !/^(0|[1-9]\d*)$/.test(size)) return undefined;
  const lines = checkpoint.slice(end + 2, -1).split("\n");
  const signatures = lines
    .map((line) => line.split(" "))
    .map(([, signer = "", data = ""]) => ({ signer, data: Buffer.from(data, "base64") }));
  const proof = hashes.map((hash) => Buffer.from(hash, "base64"));
  return {
    old: Number(old),
    hashes: proof,
    note,
    origin,
    size: Number(size),
    root: Buffer.from(root, "base64"),
    signatures,
  };
}

/** What a witness knows and signs. */
function createMemory(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url");
  const id = keyId(name, 4, raw);
  const logs = new Map<string, Buffer>();
  const heads = new Map<string, Head>();
  const cosign = (note: string): string => {
    const time = Math.floor(Date.now() / 1000);
    const stamp = Buffer.alloc(8);
    stamp.writeBigUInt64BE(BigInt(time));
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${note}`), privateKey);
    return `\u2014 ${name} ${Buffer.concat([id, stamp, signature]).toString("base64")}\n`;
  };
  return {
    vkey: `${name}+${id.toString("hex")}+${Buffer.concat([Buffer.of(4), raw]).toString("base64")}`,
    trust: (vkey: string): void => {
      const [origin = "", , ...rest] = vkey.trim().split("+");
      logs.set(origin, Buffer.from(rest.join("+"), "base64").subarray(1));
    },
    sizeOf: (origin: string): number => heads.get(origin)?.size ?? 0,
    /** The checks in the order of the specification; the answer to a good request is the cosignature. */
    addCheckpoint({ old, hashes, note, origin, size, root, signatures }: Submission): Reply {
      const key = logs.get(origin);
      if (!key) return { status: 404 };
      const own = signatures.filter(
        ({ signer, data }) => signer === origin && data.subarray(0, 4).equals(keyId(origin, 1, key)),
      );
      const valid = own.every(({ data }) => verify(null, Buffer.from(note), rawKey(key), data.subarray(4)));
      if (own.length === 0 || !valid) return { status: 403 };
      if (old > size) return { status: 400 };
      const newest = heads.get(origin) ?? { size: 0, root: sha256() };
      if (newest.size !== old) return { status: 409, type: "text/x.tlog.size", body: `${newest.size}\n` };
      if (!extendsHead(newest, { size, root }, hashes)) return { status: 422, body: "no consistency\n" };
      heads.set(origin, { size, root });
      return { status: 200, body: cosign(note) };
    },
  };
}

/** Starts a witness on a free port of loopback. */
export async function startTestWitness(name = "witness.test/w1"): Promise<TestWitness> {
  const { addCheckpoint, ...memory } = createMemory(name);
  const requests: { old: number; size: number; status: number }[] = [];
  let underWay = 0;
  const handle = { fault: null as TestWitness["fault"], mostAtOnce: 0, hold: Promise.resolve() };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    handle.mostAtOnce = Math.max(handle.mostAtOnce, ++underWay);
    response.on("close", () => underWay--);
    const submitted = readSubmission(await text(request));
    const { old, size } = submitted ?? { old: -1, size: -1 };
    if (handle.fault === "hang") {
      requests.push({ old, size, status: 0 });
      return;
    }
    await handle.hold;
    const right = request.method === "POST" && request.url === "/prefix/add-checkpoint" && submitted;
    const reply: Reply = handle.fault ?? (right ? addCheckpoint(right) : { status: 400 });
    requests.push({ old, size, status: reply.status });
    response
      .writeHead(reply.status, { "content-type": reply.type ?? "text/plain; charset=utf-8" })
      .end(reply.body ?? "");
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(handle, memory, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
