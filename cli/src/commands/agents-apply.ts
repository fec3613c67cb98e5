import { accepted, draftLine, each, type SavedDraft, saveDraft, unmoved } from "../applying.ts";
import { agents, type DefinitionFile, readArguments, readDefinitionFiles } from "../definition-files.ts";
import { type Finding, findingLines, warningsIn } from "../findings-text.ts";
import { connect, type Service } from "../http.ts";
import { problemOf } from "../problems.ts";
import { CommandError, exits, processTerminal, type Terminal, telling } from "../terminal.ts";

const usage = `Usage: aos agents apply -f <file> [-f <file>…] [--note <text> [--deploy]] [--profile <name>] [--key-file <file>] [--json]

Makes agents what their files say: creates the agent, or replaces its draft. Applied twice, the second time changes nothing.
Several files are all checked before the first is applied.

  -f, --file    the agent's file (YAML); - for standard input
  --note        freezes that draft as a version after it, with this change note; one that somebody changed meanwhile is not frozen
  --deploy      deploys that version in the environment of the key
  --key-file    a file that holds the key; else AOS_KEY, else the one of aos login
  --profile     whose key is taken
  --json        one JSON object a line for each file

The service is the one at AOS_URL, else the profile's, else at http://127.0.0.1:4000.
Exit status: 0 all applied, 1 a fault, 4 not signed in.
`;

interface Wishes {
  readonly note: string | undefined;
  readonly deploy: boolean;
}

/** What was done with one file. */
interface Done {
  readonly saved: SavedDraft;
  /** The version that says what the file says; null where none was asked for. */
  readonly version: { readonly number: number; readonly frozen: boolean; readonly deployed: boolean | null } | null;
  /** Of the deployment. */
  readonly warnings: readonly Finding[];
}

/** `aos agents apply`. Answers the exit status: 0 all applied, 1 a fault, 4 not signed in. */
export function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  return telling(terminal, async () => {
    if (args.includes("--help") || args.includes("-h")) {
      terminal.stdout.write(usage);
      return 0;
    }
    const { files, keyFile, profile, json, values } = readArguments(args, usage, {
      note: { type: "string" },
      deploy: { type: "boolean" },
    });
    const wishes = { note: values.note as string | undefined, deploy: values.deploy === true };
    if (wishes.deploy && wishes.note === undefined)
      throw new CommandError("--deploy needs a version: add a change note with --note.");
    const read = await readDefinitionFiles(agents, files, terminal);
    const service = await connect(terminal, { keyFile, profile });
    const unnamed = read.filter(({ name }) => name === null);
    const checked = unnamed.length > 0 ? unnamed : read.length > 1 ? read : [];
    const sound = await each(checked, terminal, (file) => saveDraft(service, file, true));
    if (!sound) return exits.failed;
    const applied = await each(read, terminal, async (file) => {
      const done = await apply(service, file, wishes);
      terminal.stdout.write(
        json ? `${JSON.stringify(toldOf(file, done))}\n` : `${linesOf(done, terminal).join("\n")}\n`,
      );
      if (!json && done.warnings.length > 0)
        terminal.stderr.write(`${findingLines(file.file, done.warnings).join("\n")}\n`);
    });
    return applied ? exits.done : exits.failed;
  });
}

const toldOf = ({ file }: DefinitionFile, { saved: { name, draft, revision }, version, warnings }: Done): object => ({
  ...{ file, agent: name, draft, revision, version },
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

/** Freezes the draft that was applied and no later one, or finds that the newest version says the same already. */
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
