import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import path from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { canonicalJson, readStrictJson, type StrictJsonLimits } from "@aos/strict-json";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import type { TSchema } from "typebox";
import { type Fault, type Refusal, refuse } from "../kernel/errors.ts";
import { bodyTooLarge, invalidBody, malformedBody, requestTimedOut } from "../kernel/problems.ts";
import { makeTemporaryFolder } from "../kernel/temporary-folders.ts";
import { describeUpload, type Upload, withUpload } from "../kernel/uploads.ts";
import type { FormReader } from "../pipeline/call.ts";

// Bodies of `multipart/form-data`: the file goes to disk while it arrives and is never whole in memory.

export const formType = "multipart/form-data";

/** Bytes of all parts besides the file, and how many of them there may be. */
const memberBytes = 1024 * 1024;
const mostMembers = 64;
/** How long a body may pause, and take from its beginning to its end (milliseconds). */
const pauseMs = 30_000;
const wholeMs = 15 * 60_000;
/** How long the rest of a refused body is taken and thrown away (milliseconds): a connection that breaks at once loses the answer. */
const lingersMs = 10_000;

/** Connections on which a body is arriving that has time limits of its own. */
const arriving = new WeakSet<Socket>();
export const isUploading = (socket: Socket): boolean => arriving.has(socket);

/** A body with a file, until its call has ended. */
export interface ArrivingForm {
  /** `limits`: of each member that is JSON. */
  read(reader: FormReader, limits: StrictJsonLimits): Promise<object>;
  /** SHA-256 of what the body says, whatever separates its parts; null: it was not read. */
  digest(): string | null;
  /** Removes the file, and takes what is left of the body. */
  end(): Promise<void>;
}

export function arrivingForm(request: IncomingMessage): ArrivingForm {
  let folder: string | null = null;
  let digest: string | null = null;
  return {
    digest: () => digest,
    async read(reader, limits) {
      folder = await makeTemporaryFolder("upload");
      const form = await receive(request, reader, folder);
      const body = bodyOf(form, reader, limits);
      const said = { members: body, file: describeUpload(form.file as Upload) };
      digest = createHash("sha256").update(canonicalJson(said)).digest("hex");
      return body;
    },
    async end() {
      if (!request.complete && !request.destroyed) {
        const timer = setTimeout(() => request.socket.destroy(), lingersMs);
        request.once("close", () => clearTimeout(timer));
        request.once("end", () => clearTimeout(timer));
        request.on("error", () => undefined).resume();
      }
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Form {
  readonly members: Map<string, string>;
  readonly faults: Fault[];
  file: Upload | null;
}

const tooLarge = (limit: number): Refusal =>
  refuse(bodyTooLarge, `The file may have ${limit} bytes at most. Split it, or send a smaller one.`, {
    members: { limit_bytes: limit },
  });
const broken = (): Refusal =>
  refuse(
    malformedBody,
    `The body is no whole ${formType}, or broke off. Send all of it, with the boundary that Content-Type says.`,
  );

async function receive(request: IncomingMessage, reader: FormReader, folder: string): Promise<Form> {
  if (Number(request.headers["content-length"] ?? 0) > reader.limit + 2 * memberBytes) throw tooLarge(reader.limit);
  const stop = new AbortController();
  const clock = watchClock(request, stop);
  try {
    return await parse(request, reader, folder, stop);
  } finally {
    clock.stop();
  }
}

/** Breaks a body off that pauses too long, or takes too long altogether. */
function watchClock(request: IncomingMessage, stop: AbortController): { stop(): void } {
  const { socket } = request;
  arriving.add(socket);
  const late = (limit: number) =>
    stop.abort(refuse(requestTimedOut, `The body did not arrive within the limit of ${limit / 1000} seconds.`));
  const whole = setTimeout(late, wholeMs, wholeMs);
  const pause = setTimeout(late, pauseMs, pauseMs);
  const moved = (): void => void pause.refresh();
  request.on("data", moved);
  return {
    stop() {
      request.off("data", moved);
      clearTimeout(whole);
      clearTimeout(pause);
      arriving.delete(socket);
    },
  };
}

/** Parses the body to its end, or to what is wrong with it. */
function parse(request: IncomingMessage, reader: FormReader, folder: string, stop: AbortController): Promise<Form> {
  const form: Form = { members: new Map(), faults: [], file: null };
  const { promise, resolve, reject } = Promise.withResolvers<Form>();
  let files: Promise<void> = Promise.resolve();
  const boy = parserOf(request, reader);
  const declared = watchContentType(boy);
  const fail = (error: unknown): void => {
    request.unpipe(boy);
    boy.removeAllListeners("finish");
    boy.on("error", () => undefined);
    stop.abort(error);
    // What is being written ends before its folder is removed.
    files.catch(() => undefined).finally(() => reject(error));
  };
  stop.signal.addEventListener("abort", () => fail(stop.signal.reason), { once: true });
  boy.on("field", (name, value, nameCut, valueCut) => addMember(form, name, value, nameCut || valueCut));
  boy.on("file", (name, stream, fileName, _encoding, type) => {
    stream.on("error", () => undefined);
    if (name !== reader.file || form.file !== null || form.members.has(` ${name}`)) {
      form.faults.push({
        pointer: `/${name}`,
        code: "unexpected",
        detail: `is a file; the one file is the part \`${reader.file}\``,
      });
      stream.resume();
      return;
    }
    form.members.set(` ${name}`, ""); // no second one
    files = spool(stream, { reader, folder, signal: stop.signal, fileName, type, charset: charsetOf(declared()) }).then(
      (file) => {
        form.members.delete(` ${name}`);
        form.file = file;
      },
    );
    files.catch(fail);
  });
  for (const event of ["partsLimit", "fieldsLimit"] as const)
    boy.on(event, () => fail(refuse(invalidBody, `The body may have ${mostMembers} parts besides the file.`)));
  boy.once("error", () => fail(broken()));
  boy.once("finish", () => void files.then(() => resolve(form), fail));
  request.on("error", () => fail(broken()));
  request.once("close", () => request.complete || fail(broken()));
  request.pipe(boy);
  return promise;
}

function parserOf(request: IncomingMessage, { file, limit }: FormReader) {
  try {
    return new Busboy({
      headers: request.headers as { "content-type": string },
      isPartAFile: (name, _type, fileName) => fileName !== undefined || name === file,
      limits: {
        fileSize: limit + 1,
        fieldSize: memberBytes,
        fields: mostMembers,
        files: 8,
        fieldNameSize: 255,
        headerPairs: 64,
      },
    });
  } catch {
    throw broken(); // no boundary
  }
}

/** Returns the Content-Type of the part that is being read: the parser tells it without its parameters, so its own parser of parts is asked. */
function watchContentType(boy: InstanceType<typeof Busboy>): () => string {
  let latest = "";
  type Part = { prependListener(event: "header", then: (header: Record<string, string[]>) => void): void };
  const { parser } = (boy as unknown as { _parser: { parser: NodeJS.EventEmitter } })._parser;
  parser.on("part", (part: Part) => {
    part.prependListener("header", (header) => {
      latest = header["content-type"]?.[0] ?? "";
    });
  });
  return () => latest;
}

const charsetOf = (contentType: string): string | null =>
  /;\s*charset\s*=\s*"?([^\s";]{1,40})/i.exec(contentType)?.[1]?.toLowerCase() ?? null;

function addMember({ members, faults }: Form, name: string, value: string, cut: boolean): void {
  const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  if (cut) faults.push({ pointer, code: "too_long", detail: `may have ${memberBytes} bytes` });
  else if (members.has(name)) faults.push({ pointer, code: "repeated", detail: "is given more than once" });
  else members.set(name, value);
}

interface Spooling {
  readonly reader: FormReader;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly fileName: string | undefined;
  readonly type: string;
  readonly charset: string | null;
}

/** Writes the file while it arrives. */
async function spool(
  stream: BusboyFileStream,
  { reader: { limit }, folder, signal, fileName, type, charset }: Spooling,
): Promise<Upload> {
  const hash = createHash("sha256");
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) return done(tooLarge(limit));
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const file = path.join(folder, "file");
  await pipeline(stream as Readable, counted, createWriteStream(file), { signal });
  const name = path
    .basename((fileName ?? "").replaceAll("\\", "/"))
    .replaceAll("\0", "")
    .slice(0, 255)
    .toWellFormed();
  const media_type = (type || "application/octet-stream").split(";")[0]?.trim().toLowerCase().slice(0, 255) as string;
  return { name: name || null, media_type, charset, size, sha256: hash.digest("hex"), path: file };
}

/** The members, as a body of JSON would have them. */
function bodyOf({ members, faults, file }: Form, { form, file: part }: FormReader, limits: StrictJsonLimits): object {
  const all = [...faults];
  if (file === null)
    all.push({ pointer: `/${part}`, code: "required", detail: `is missing: send the file as the part \`${part}\`` });
  else if (file.size === 0) all.push({ pointer: `/${part}`, code: "empty", detail: "is a file without a byte" });
  const body: Record<string, unknown> = {};
  for (const [name, text] of members) {
    const read = memberValue(form.properties[name], text, limits);
    if ("fault" in read) all.push({ pointer: `/${name}`, code: "invalid_json", detail: read.fault });
    else Object.defineProperty(body, name, { value: read.value, enumerable: true, configurable: true, writable: true });
  }
  const [first] = all;
  if (first) throw refuse(invalidBody, `${first.pointer}: ${first.detail}`, { errors: all });
  return withUpload(body, file as Upload);
}

/** A member that may be text is taken as it is, but for `null` where it may be null; any other is JSON. One that no schema knows is reported by the schema. */
function memberValue(
  schema: TSchema | undefined,
  text: string,
  limits: StrictJsonLimits,
): { value: unknown } | { fault: string } {
  if (schema !== undefined && text === "null" && takes(schema, "null")) return { value: null };
  if (schema === undefined || takes(schema, "string")) return { value: text };
  const read = readStrictJson(Buffer.from(text), limits);
  return read.ok
    ? { value: read.value }
    : { fault: `must be JSON. ${read.fault.detail.replace(/^The body is/, "It is")}` };
}

const takes = (schema: { type?: unknown; anyOf?: readonly object[] }, type: "string" | "null"): boolean =>
  schema.type === type || (schema.anyOf?.some((one) => takes(one, type)) ?? false);
