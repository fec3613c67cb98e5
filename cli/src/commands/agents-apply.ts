import type { AosCommand, Given } from "../command.ts";
import { type DefinitionFile, definitionFiles, fileOptions } from "../definition-files.ts";
import { accepted, draftLine, each, type SavedDraft, saveDraft, unmoved } from "../drafts.ts";
import { type Finding, findingLines, warningsIn } from "../findings-text.ts";
import { type Service, serviceFor } from "../http.ts";
import { problemOf } from "../problems.ts";
import { CommandError, exits, type Terminal } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  fileOptions(command)
    .description(
      `Creates agents from files, or replaces their drafts. Applying a file again changes nothing. With several files,
all are checked before the first is applied.

Exit status: 0 all applied, 1 an error, 4 not signed in.`,
    )
    .option(
      "--note <text>",
      "freezes the draft as a version with this change note, unless somebody changed it meanwhile",
    )
    .option("--deploy", "deploys that version in the environment of the key")
    .run((given) => run(command, given));

interface Wishes {
  readonly note: string | undefined;
  readonly deploy: boolean;
}

interface Done {
  readonly saved: SavedDraft;
  /** The version that says what the file says; null where none was asked for. */
  readonly version: { readonly number: number; readonly frozen: boolean; readonly deployed: boolean | null } | null;
  readonly warnings: readonly Finding[];
}

async function run(command: AosCommand, given: Given): Promise<number> {
  const { options, terminal, json } = given;
  const wishes: Wishes = { note: options.note, deploy: options.deploy === true };
  if (wishes.deploy && wishes.note === undefined)
    throw new CommandError("--deploy needs a version: add a change note with --note.");
  const read = await definitionFiles(command, given);
  const service = await serviceFor(given);
  const unnamed = read.filter(({ name }) => name === null);
  const checked = unnamed.length > 0 ? unnamed : read.length > 1 ? read : [];
  const sound = await each(checked, terminal, (file) => saveDraft(service, file, true));
  if (!sound) return exits.failed;
  const applied = await each(read, terminal, async (file) => {
    const done = await apply(service, file, wishes);
    terminal.stdout.write(json ? `${JSON.stringify(toldOf(file, done))}\n` : `${linesOf(done, terminal).join("\n")}\n`);
    if (!json && done.warnings.length > 0)
      terminal.stderr.write(`${findingLines(file.file, done.warnings).join("\n")}\n`);
  });
  return applied ? exits.done : exits.failed;
}

const toldOf = ({ file }: DefinitionFile, { saved: { name, draft, revision }, version, warnings }: Done): object => ({
  file,
  agent: name,
  draft,
  revision,
  version,
  warnings: warnings.map(({ code, detail }) => ({ code, detail })),
});

async function apply(service: Service, file: DefinitionFile, { note, deploy }: Wishes): Promise<Done> {
  const saved = await saveDraft(service, file, false);
  if (note === undefined) return { saved, version: null, warnings: [] };
  const { number, frozen } = await freeze(service, saved, { note, file });
  if (!deploy) return { saved, version: { number, frozen, deployed: null }, warnings: [] };
  const { deployed, warnings } = await deployVersion(service, saved.name, number, note);
  return { saved, version: { number, frozen, deployed }, warnings };
}

/** Freezes exactly the draft that was applied, unless the newest version is the same. */
async function freeze(
  service: Service,
  { name, revision, etag }: SavedDraft,
  { note, file }: { readonly note: string; readonly file: DefinitionFile },
): Promise<{ number: number; frozen: boolean }> {
  const answered = await service.call("POST", `/v1/agents/${name}/versions`, { json: { note }, ifMatch: etag });
  const reply = unmoved(answered, file, `the file was applied as revision ${revision}, but no version was frozen`);
  const frozen = problemOf(reply)?.code !== "nothing_changed";
  const { version } = (frozen ? accepted(reply) : reply.body) as { version: number };
  return { number: version, frozen };
}

/** Deploys a version; `deployed` is false where it is live already. */
async function deployVersion(
  service: Service,
  agent: string,
  version: number,
  note: string,
): Promise<{ deployed: boolean; warnings: readonly Finding[] }> {
  const reply = await service.call("POST", `/v1/agents/${agent}/deployments`, { json: { version, note } });
  if (problemOf(reply)?.code === "already_live") return { deployed: false, warnings: [] };
  return { deployed: true, warnings: warningsIn(accepted(reply)) };
}

function linesOf({ saved, version }: Done, terminal: Terminal): string[] {
  const lines = [draftLine(saved, terminal)];
  const { name } = saved;
  if (version) lines.push(`${name}: version ${version.number} ${version.frozen ? "frozen" : "already matches"}`);
  if (version && version.deployed !== null)
    lines.push(`${name}: version ${version.number} ${version.deployed ? "deployed" : "is already live"}`);
  return lines;
}
