import { type AgentFile, checkAsNew, readAgentFiles, readArguments } from "../agent-files.ts";
import { connect, type Reply, type Service } from "../http.ts";
import { type Problem, problemLines, problemOf } from "../problems.ts";
import { CommandError, exits, NotSignedIn, painter, processTerminal, type Terminal, telling } from "../terminal.ts";

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

/** A refusal of the service, about one file. */
class Refused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

interface Wishes {
  readonly note: string | undefined;
  readonly deploy: boolean;
}

/** What was done with one file. */
interface Done {
  readonly agent: string;
  readonly draft: "created" | "changed" | "unchanged";
  readonly revision: number;
  /** The version that says what the file says; null where none was asked for. */
  readonly version: { readonly number: number; readonly frozen: boolean; readonly deployed: boolean | null } | null;
}

type Drafted = Omit<Done, "version">;

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
    const read = await readAgentFiles(files, terminal);
    const service = await connect(terminal, { keyFile, profile });
    const unnamed = read.filter(({ agent }) => agent === null);
    const checked = unnamed.length > 0 ? unnamed : read.length > 1 ? read : [];
    const sound = await each(checked, terminal, (file) => draft(service, file, true));
    if (!sound) return exits.failed;
    const applied = await each(read, terminal, async (file) => {
      const done = await apply(service, file, wishes);
      terminal.stdout.write(
        json ? `${JSON.stringify({ file: file.file, ...done })}\n` : `${linesOf(done, terminal).join("\n")}\n`,
      );
    });
    return applied ? exits.done : exits.failed;
  });
}

/** Does something with every file; what the service refuses is told, and does not keep it from the others. Answers whether nothing was refused. */
async function each(
  files: readonly AgentFile[],
  { stderr }: Terminal,
  act: (file: AgentFile) => Promise<unknown>,
): Promise<boolean> {
  let well = true;
  for (const file of files) {
    try {
      await act(file);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.status === 401) throw new NotSignedIn(error.message);
      well = false;
      stderr.write(`${problemLines(file.file, error.problem).join("\n")}\n`);
    }
  }
  return well;
}

async function apply(service: Service, file: AgentFile, { note, deploy }: Wishes): Promise<Done> {
  const { etag, ...drafted } = await draft(service, file, false);
  if (note === undefined) return { ...drafted, version: null };
  const { number, frozen } = await freeze(service, drafted, etag, { note, file });
  const deployed = deploy ? await deployVersion(service, drafted.agent, number, note) : null;
  return { ...drafted, version: { number, frozen, deployed } };
}

/** Creates the agent or replaces its draft; with `dry` it only hears what the service would say. */
async function draft(service: Service, file: AgentFile, dry: boolean): Promise<Drafted & { readonly etag: string }> {
  const { agent, text: yaml } = file;
  const query = dry ? "?dry_run=true" : "";
  const present = agent === null ? await checkAsNew(service, file) : await service.call("GET", `/v1/agents/${agent}`);
  if (agent === null) throw refusedOr(present, "The file does not name an agent.");
  if (present.status === 404) {
    const made = await service.call("POST", `/v1/agents${query}`, { yaml });
    const { revision } = accepted(made) as { revision: number };
    return { agent, draft: "created", revision, etag: made.etag ?? "" };
  }
  const before = accepted(present) as { revision: number };
  const changed = await service.call("PATCH", `/v1/agents/${agent}${query}`, { yaml, ifMatch: present.etag ?? "" });
  const { revision } = accepted(unmoved(changed, file, "nothing was applied")) as { revision: number };
  return { agent, draft: revision === before.revision ? "unchanged" : "changed", revision, etag: changed.etag ?? "" };
}

/** Freezes the draft that was applied and no later one, or finds that the newest version says the same already. */
async function freeze(
  service: Service,
  { agent, revision }: Drafted,
  etag: string,
  { note, file }: { readonly note: string; readonly file: AgentFile },
): Promise<{ number: number; frozen: boolean }> {
  const answered = await service.call("POST", `/v1/agents/${agent}/versions`, { json: { note }, ifMatch: etag });
  const reply = unmoved(answered, file, `the file was applied as revision ${revision}, but no version was frozen`);
  const frozen = problemOf(reply)?.code !== "nothing_changed";
  const { version } = (frozen ? accepted(reply) : reply.body) as { version: number };
  return { number: version, frozen };
}

/** Deploys a version; false where it is live already. */
async function deployVersion(service: Service, agent: string, version: number, note: string): Promise<boolean> {
  const reply = await service.call("POST", `/v1/agents/${agent}/deployments`, { json: { version, note } });
  if (problemOf(reply)?.code === "already_live") return false;
  accepted(reply);
  return true;
}

/** An answer that is not about a draft which somebody else changed meanwhile. Throws a refusal that says what was done and where to look. */
function unmoved(reply: Reply, { file, agent }: AgentFile, done: string): Reply {
  const problem = problemOf(reply);
  if (problem?.code !== "stale_revision") return reply;
  const detail = `Someone else changed ${agent} meanwhile: ${done}. Compare with aos agents diff -f ${file}, then apply the file again to overwrite.`;
  throw new Refused({ ...problem, detail });
}

function accepted(reply: Reply): unknown {
  const problem = problemOf(reply);
  if (problem) throw new Refused(problem);
  return reply.body;
}

function refusedOr(reply: Reply, otherwise: string): Refused {
  return new Refused(problemOf(reply) ?? { code: "unnamed", detail: otherwise });
}

function linesOf({ agent, draft: outcome, revision, version }: Done, terminal: Terminal): string[] {
  const paint = painter(terminal);
  const colour = { created: paint.added, changed: paint.changed, unchanged: paint.faint }[outcome];
  const lines = [`${agent}: ${colour(outcome)} (revision ${revision})`];
  if (version) lines.push(`${agent}: version ${version.number} ${version.frozen ? "frozen" : "already matches"}`);
  if (version && version.deployed !== null)
    lines.push(`${agent}: version ${version.number} ${version.deployed ? "deployed" : "is already live"}`);
  return lines;
}
