import { createHash, randomBytes } from "node:crypto";
import { createWriteStream, rmSync } from "node:fs";
import { access, constants, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { operations } from "@aos/sdk/operations";
import type { AosCommand, Given } from "../command.ts";
import { type Reply, type Service, serviceFor } from "../http.ts";
import { valueOptions } from "../operations/options.ts";
import { addressOf, type Request, requestOf } from "../operations/request.ts";
import { waitFor } from "../operations/wait.ts";
import { progressOn } from "../output/progress.ts";
import { counted } from "../output/text.ts";
import { refused } from "../problems.ts";
import { CommandError, exits } from "../terminal.ts";

const operation = operations["audit.startExport"];
const values = valueOptions(operation);
export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Writes the audit log, or the records that a filter selects, to a file with its signed manifest beside it: starts
an export, waits for it, downloads it and checks its digest. With the id of an export (aos audit exports start),
downloads that one.`,
    )
    .addOptions(values)
    .option("-o, --output <file>", "the file; default: audit-<export>.<format>")
    .option("--force", "overwrites existing files")
    .serviceOptions()
    .examples(
      "aos audit export -o audit.jsonl",
      `aos audit export --format csv --filter '{"decision":["refused"]}' -o refused.csv`,
    )
    .run(run);
/** An export as the service tells of it, as far as it is needed here. */
interface Exported {
  readonly export_id: string;
  readonly format: keyof typeof types;
  readonly state: string;
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly digest: string | null;
  readonly failure: string | null;
}

const types = { jsonl: "application/x-ndjson", csv: "text/csv", ocsf: "application/x-ndjson" } as const;

async function run(given: Given): Promise<number> {
  const { options } = given;
  const service = await serviceFor(given);
  const asked = options.output;
  if (asked !== undefined) await free(given, asked);
  const reply = await finished(given, service);
  const failed = refused(reply, given, service.access.profile);
  if (failed !== null) return failed;
  const exported = reply.body as Exported;
  if (exported.state !== "completed")
    throw new CommandError(`The export ${exported.export_id} ${exported.state}: ${exported.failure}`);
  const file = asked ?? `audit-${exported.export_id}.${exported.format}`;
  if (asked === undefined) await free(given, file);
  const fetched = await fetchFile(given, service, exported, file).catch((error: unknown) => {
    throw new CommandError(`${wordsOf(error, file)} Download it again: aos audit export ${exported.export_id}`);
  });
  if (fetched !== null) return refused(fetched, given, service.access.profile) ?? exits.failed;
  tell(given, exported, file);
  return exits.done;
}

const manifestOf = (file: string): string => `${file}.manifest.json`;

/** Throws a CommandError where the file, or its manifest, is there already, or its folder is not: before anything is exported. */
async function free({ options }: Given, file: string): Promise<void> {
  await access(path.dirname(path.resolve(file)), constants.W_OK).catch((error: unknown) => {
    throw unwritable(error, file) ?? error;
  });
  if (options.force) return;
  for (const name of [file, manifestOf(file)]) {
    const there = await stat(name).then(
      () => true,
      () => false,
    );
    if (there) throw new CommandError(`${name} already exists: choose another file with --output, or use --force.`);
  }
}

/** The export at its end: one that is begun now, or the one that is named. */
async function finished(given: Given, service: Service): Promise<Reply> {
  const { terminal, argument, options } = given;
  const named = argument(0);
  if (named !== "") {
    if (values.some((option) => options[option.attributeName()] !== undefined))
      throw new CommandError("An existing export has a fixed format and filter: remove these options.");
    const query = new URLSearchParams();
    const request: Request = {
      method: "GET",
      path: `/v1/audit/exports/${encodeURIComponent(named)}`,
      query,
      sending: {},
    };
    return waitFor({ service, terminal }, request, await service.call("GET", request.path));
  }
  const format = options.format ?? "jsonl";
  const whole = { ...given, options: { ...options, format } };
  const request = await requestOf(operation, whole, values);
  return waitFor(
    { service, terminal },
    request,
    await service.call(request.method, addressOf(request), request.sending),
  );
}

/** Fetches the file and writes its manifest, both or none. Answers what was refused, if anything. Throws where it is not what its digest says. */
async function fetchFile(
  { terminal }: Given,
  service: Service,
  exported: Exported,
  file: string,
): Promise<Reply | null> {
  const { export_id, format, bytes, digest } = exported;
  const partial = `${file}.${randomBytes(4).toString("hex")}.part`;
  const leave = (): void => rmSync(partial, { force: true });
  process.once("exit", leave); // also by Ctrl-C
  const progress = progressOn(terminal);
  const hash = createHash("sha256");
  let done = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length;
      hash.update(chunk);
      progress.say(`${done.toLocaleString("en")} of ${(bytes ?? 0).toLocaleString("en")} bytes`);
      next(null, chunk);
    },
  });
  try {
    const save = (body: AsyncIterable<Uint8Array>): Promise<void> =>
      pipeline(body, counted, createWriteStream(partial, { flags: "wx" }));
    const reply = await service.fetch(`/v1/audit/exports/${export_id}`, types[format], save);
    if (reply !== null) return reply;
    if (hash.digest("hex") !== digest)
      throw new CommandError("The downloaded file does not match the export's digest.");
    await writeFile(manifestOf(file), `${JSON.stringify(exported, null, 2)}\n`);
    await rename(partial, file);
    return null;
  } finally {
    progress.done();
    leave();
    process.off("exit", leave);
  }
}

/** What kept the file from being written. An error of ours goes on as it is. */
function wordsOf(error: unknown, file: string): string {
  const told = unwritable(error, file) ?? error;
  if (told instanceof CommandError) return told.message;
  throw error;
}

/** A file that cannot be written, in words; undefined for every other error. */
function unwritable(error: unknown, file: string): CommandError | undefined {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return undefined;
  const why = code === "ENOENT" ? `the folder does not exist: ${path.dirname(path.resolve(file))}` : code;
  return new CommandError(`${file} cannot be written: ${why}.`);
}

function tell({ terminal, json }: Given, exported: Exported, file: string): void {
  const manifest = manifestOf(file);
  const { rows, bytes } = exported;
  if (json)
    terminal.stdout.write(`${JSON.stringify({ export_id: exported.export_id, file, manifest, rows, bytes })}\n`);
  else
    terminal.stdout.write(
      `${file}: ${counted(rows ?? 0, "record")}, ${counted(bytes ?? 0, "byte")}; its manifest is ${manifest}\n` +
        `Verify it anywhere: aos audit verify ${file} --manifest ${manifest} --key <key of the log>\n`,
    );
}
