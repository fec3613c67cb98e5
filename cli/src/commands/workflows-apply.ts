import type { AosCommand, Given } from "../command.ts";
import { type DefinitionFile, definitionFiles, fileOptions, workflows } from "../definition-files.ts";
import { accepted, draftLine, each, type SavedDraft, saveDraft, unmoved } from "../drafts.ts";
import { type Finding, findingLines, findingsIn, hasErrors } from "../findings-text.ts";
import { type Service, serviceFor } from "../http.ts";
import { problemOf } from "../problems.ts";
import { exits, type Terminal } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  fileOptions(command)
    .description(
      `Creates workflows from files, or replaces their drafts, and shows their errors by line and column. Applying a
file again changes nothing. Files are applied in the order given: put a workflow that another one starts first.

Exit status: 0 all applied and without error, 1 an error, 4 not signed in.`,
    )
    .option("--publish", "then freezes the draft as a version and makes it live in the environment of the key")
    .option("--note <text>", "its change note; default: the file's version_note")
    .run((given) => run(command, given));

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

async function run(command: AosCommand, given: Given): Promise<number> {
  const { options, terminal, json } = given;
  const { note } = options;
  const publishing = options.publish || note !== undefined;
  const read = await definitionFiles(command, given);
  const service = await serviceFor(given);
  let sound = true;
  const applied = await each(read, terminal, async (file) => {
    const done = await apply(service, file, publishing ? { note } : null);
    sound &&= !hasErrors(done.findings);
    terminal.stdout.write(json ? `${JSON.stringify(toldOf(file, done))}\n` : linesOf(done, terminal));
    if (!json && done.findings.length > 0)
      terminal.stderr.write(`${findingLines(file.file, done.findings).join("\n")}\n`);
  });
  return applied && sound ? exits.done : exits.failed;
}

interface Wish {
  readonly note: string | undefined;
}

const toldOf = ({ file }: DefinitionFile, { saved: { name, draft, revision }, findings, version }: Done): object => ({
  file,
  workflow: name,
  draft,
  revision,
  findings,
  version,
});

async function apply(service: Service, file: DefinitionFile, wish: Wish | null): Promise<Done> {
  const saved = await saveDraft(service, file, false);
  const findings = findingsIn(saved.body);
  if (wish === null || hasErrors(findings)) return { saved, findings, version: null };
  return { saved, findings, ...(await publish(service, saved, file, wish)) };
}

/** Publishes exactly the draft that was applied, unless the live version is the same. The findings of a release include the draft's. */
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
