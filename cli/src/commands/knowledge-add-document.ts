import { type AosCommand, collect, type Given } from "../command.ts";
import { type AddedDocument, type AddedFile, type FileToAdd, filesIn, formOf } from "../document-files.ts";
import { type Service, serviceFor } from "../http.ts";
import { type Progress, progressOn } from "../output/progress.ts";
import { tableLines } from "../output/table.ts";
import { counted } from "../output/text.ts";
import { problemOf, writeProblem } from "../problems.ts";
import { CommandError, exits, printable } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Adds files to a knowledge base and waits until searches find them. A folder is added with all its files but
hidden ones. PDF, DOCX, XLSX, PPTX, EPUB, Markdown, HTML and text are cut into chunks; each row of CSV and JSONL
becomes a record.
A file's external id is its name, or its path in the folder: adding it again replaces the document.`,
    )
    .option("-f, --file <file>", "a file or a folder; may be given several times", collect)
    .option("--url <url>", "an address that the service fetches once", collect)
    .option("--external-id <text>", "the document's id in your own system, for a single file")
    .option("--title <text>", "the title, for a single file; default: the file's own")
    .option(
      "--reader <token>",
      "who may read it: role:<role>, agent:<name> or member:<mbr_…>; default: whoever may read the base",
      collect,
    )
    .option("--wait", "waits until everything is indexed (the default); --no-wait does not")
    .serviceOptions()
    .examples(
      "aos knowledge add-document handbook --file returns.pdf --file shipping.pdf",
      "aos knowledge add-document handbook --file ./handbook --reader role:operator",
    )
    .run(run);

async function run(given: Given): Promise<number> {
  const { terminal, options } = given;
  const files = await filesToAdd(given);
  const service = await serviceFor(given);
  const progress = progressOn(terminal);
  const added: AddedFile[] = [];
  try {
    for (const [at, file] of files.entries()) {
      progress.say(`sending ${at + 1} of ${files.length}  ${file.name}`);
      added.push(await addOne(service, given.argument(0), file, given));
      const { fatal } = added.at(-1) as AddedFile;
      if (fatal !== undefined) {
        progress.done();
        return writeProblem(fatal, terminal, service.access.profile);
      }
    }
    if (options.wait !== false) await settle(service, given.argument(0), added, progress);
  } finally {
    progress.done();
  }
  return tell(added, given);
}

async function filesToAdd({ options }: Given): Promise<readonly FileToAdd[]> {
  const files = await filesIn(options.file ?? [], options.url ?? []);
  if (files.length === 0) throw new CommandError(`--file is missing: name a file or a folder.`);
  const single = [
    ["external-id", options.externalId],
    ["title", options.title],
  ].find(([, given]) => given !== undefined)?.[0];
  if (single !== undefined && files.length > 1)
    throw new CommandError(`--${single} is of one document, and there are ${files.length}: add them one by one.`);
  const [first] = files as [FileToAdd];
  return single === undefined
    ? files
    : [{ ...first, externalId: options.externalId ?? first.externalId, title: options.title }];
}

/** Refusals that the next file would get as well. */
const general = new Set([401, 403, 404, 429]);

async function addOne(service: Service, base: string, file: FileToAdd, { options }: Given): Promise<AddedFile> {
  const readers = options.reader;
  const path = `/v1/knowledge/bases/${encodeURIComponent(base)}/documents`;
  const { externalId, title, name } = file;
  const sending =
    file.url === undefined
      ? { form: await formOf(file, readers) }
      : {
          json: {
            url: file.url,
            ...(externalId === undefined ? {} : { external_id: externalId }),
            ...(title === undefined ? {} : { title }),
            ...(readers === undefined ? {} : { readers }),
          },
        };
  const reply = await service.call("POST", path, sending);
  const problem = problemOf(reply);
  if (problem === null) return { name, document: reply.body as AddedDocument };
  if (general.has(reply.status)) return { name, fatal: problem };
  const { title: what, detail } = reply.body as { title: string; detail: string };
  return { name, fault: `${what}. ${detail}` };
}

const final = new Set(["indexed", "failed"]);

/** Waits until the service has read and indexed all of them. */
async function settle(service: Service, base: string, added: AddedFile[], progress: Progress): Promise<void> {
  for (const [at, { document, name }] of added.entries()) {
    let latest = document;
    for (let pause = 150; latest !== undefined && !final.has(latest.state); pause = Math.min(2000, pause * 1.5)) {
      const share = latest.state === "queued" ? "" : ` ${Math.round((latest.progress ?? 0) * 100)} %`;
      progress.say(`done ${at} of ${added.length}  ${name}: ${latest.state}${share}`);
      await new Promise((resolve) => setTimeout(resolve, pause));
      const path = `/v1/knowledge/bases/${encodeURIComponent(base)}/documents/${latest.document_id}`;
      const reply = await service.call("GET", path);
      if (reply.status !== 200) break;
      latest = { ...(reply.body as AddedDocument), outcome: latest.outcome };
    }
    added[at] = { ...(added[at] as AddedFile), ...(latest === undefined ? {} : { document: latest }) };
  }
}

const outcomesOf = (rows: readonly { readonly outcome: string }[]): string =>
  [...Map.groupBy(rows, ({ outcome }) => outcome)].map(([outcome, { length }]) => `${length} ${outcome}`).join(", ");

/** What became of each, as a table; as JSON for programs. */
function tell(added: readonly AddedFile[], { terminal, json }: Given): number {
  const rows = added.map(({ name, document, fault }) => ({
    file: printable(name),
    document: document?.document_id,
    outcome: document?.outcome ?? "refused",
    state: document?.state ?? "failed",
    chunks: document?.chunks,
    error: fault ?? document?.error?.detail,
  }));
  const failed = rows.filter(({ state }) => state === "failed").length;
  if (json) terminal.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const column = (title: string, name: keyof (typeof rows)[number], long = false) => ({
      title,
      of: (row: object) => (row as (typeof rows)[number])[name],
      ...(long ? { long } : {}),
    });
    const columns = [
      column("FILE", "file", true),
      column("DOCUMENT", "document"),
      column("OUTCOME", "outcome"),
      column("STATE", "state"),
      column("CHUNKS", "chunks"),
      ...(rows.some(({ error }) => error !== undefined) ? [column("ERROR", "error", true)] : []),
    ];
    // Of very many, a person reads what failed; programs and files get every row.
    const brief = terminal.isTTY && rows.length > 30;
    const shown = brief ? rows.filter(({ state }) => state === "failed") : rows;
    if (shown.length > 0) terminal.stdout.write(`${tableLines(shown, columns, terminal).join("\n")}\n`);
    if (brief) terminal.stdout.write(`${outcomesOf(rows)}. --json shows each.\n`);
    if (failed > 0) terminal.stderr.write(`${counted(failed, "document")} failed.\n`);
  }
  return failed > 0 ? exits.failed : exits.done;
}
