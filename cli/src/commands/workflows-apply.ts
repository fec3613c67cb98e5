import { accepted, draftLine, each, type SavedDraft, saveDraft, unmoved } from "../applying.ts";
import { type DefinitionFile, readArguments, readDefinitionFiles, workflows } from "../definition-files.ts";
import { type Finding, findingLines, findingsIn, hasErrors } from "../findings-text.ts";
import { connect, type Service } from "../http.ts";
import { problemOf } from "../problems.ts";
import { exits, processTerminal, type Terminal, telling } from "../terminal.ts";

const usage = `Usage: aos workflows apply -f <file> [-f <file>…] [--publish [--note <text>]] [--profile <name>] [--key-file <file>] [--json]

Makes workflows what their files say: creates the workflow, or replaces its draft, and tells what is wrong with it, by line and column.
Applied twice, the second time changes nothing. Files are applied in the order given: one that starts another workflow comes after it.

  -f, --file    the workflow's file (YAML or JSON); - for standard input
  --publish     then freezes that draft as a version and makes it live in the environment of the key
  --note        its change note; default: the file's version_note
  --key-file    a file that holds the key; else AOS_KEY, else the one of aos login
  --profile     whose key is taken
  --json        one JSON object a line for each file

The service is the one at AOS_URL, else the profile's, else at http://127.0.0.1:4000.
Exit status: 0 all applied and without error, 1 a fault, 4 not signed in.
`;

/** What was done with one file. */
interface Done {
  readonly saved: SavedDraft;
  readonly findings: readonly Finding[];
  /** The version that is live with it; null where none was asked for, or it has errors. */
  readonly version: Published | null;
}

interface Published {
  readonly number: number;
  readonly published: boolean;
}

/** `aos workflows apply`. Answers the exit status: 0 all applied and without error, 1 a fault, 4 not signed in. */
export function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  return telling(terminal, async () => {
    if (args.includes("--help") || args.includes("-h")) {
      terminal.stdout.write(usage);
      return 0;
    }
    const { files, keyFile, profile, json, values } = readArguments(args, usage, {
      note: { type: "string" },
      publish: { type: "boolean" },
    });
    const note = values.note as string | undefined;
    const publishing = values.publish === true || note !== undefined;
    const read = await readDefinitionFiles(workflows, files, terminal);
    const service = await connect(terminal, { keyFile, profile });
    let sound = true;
    const applied = await each(read, terminal, async (file) => {
      const done = await apply(service, file, publishing ? { note } : null);
      sound &&= !hasErrors(done.findings);
      terminal.stdout.write(json ? `${JSON.stringify(toldOf(file, done))}\n` : linesOf(done, terminal));
      if (!json && done.findings.length > 0)
        terminal.stderr.write(`${findingLines(file.file, done.findings).join("\n")}\n`);
    });
    return applied && sound ? exits.done : exits.failed;
  });
}

/** What is published with: the change note, else the file's own. */
interface Wish {
  readonly note: string | undefined;
}

const toldOf = ({ file }: DefinitionFile, { saved: { name, draft, revision }, findings, version }: Done): object => ({
  ...{ file, workflow: name, draft, revision, findings, version },
});

async function apply(service: Service, file: DefinitionFile, wish: Wish | null): Promise<Done> {
  const saved = await saveDraft(service, file, false);
  const findings = findingsIn(saved.body);
  if (wish === null || hasErrors(findings)) return { saved, findings, version: null };
  return { saved, findings, ...(await publish(service, saved, file, wish)) };
}

/** Publishes the draft that was applied and no later one, or finds that what is live says the same already. The findings of a release include the draft's. */
async function publish(
  service: Service,
  { name, revision, etag, body }: SavedDraft,
  file: DefinitionFile,
  wish: Wish,
): Promise<{ version: Published; findings?: readonly Finding[] }> {
  const answered = await service.call("POST", `${workflows.path}/${name}/publish`, { json: wish, ifMatch: etag });
  const reply = unmoved(answered, file, `the file was applied as revision ${revision}, but nothing was published`);
  if (problemOf(reply)?.code === "workflow_already_live")
    return { version: { number: (body as { live_version: number }).live_version, published: false } };
  const release = accepted(reply) as { number: number };
  return { version: { number: release.number, published: true }, findings: findingsIn(release) };
}

function linesOf({ saved, findings, version }: Done, terminal: Terminal): string {
  const lines = [draftLine(saved, terminal)];
  if (version)
    lines.push(`${saved.name}: version ${version.number} ${version.published ? "published" : "is already live"}`);
  else if (hasErrors(findings)) lines.push(`${saved.name}: saved as a draft; it has errors and cannot be published`);
  return `${lines.join("\n")}\n`;
}
