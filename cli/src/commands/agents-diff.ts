import { agents, checkAsNew, type DefinitionFile, readArguments, readDefinitionFiles } from "../definition-files.ts";
import { type DefinitionDiff, diffLines } from "../diff-text.ts";
import { connect, type Service } from "../http.ts";
import { type Problem, problemLines, problemOf } from "../problems.ts";
import { NotSignedIn, type Painter, painter, processTerminal, type Terminal, telling } from "../terminal.ts";

const usage = `Usage: aos agents diff -f <file> [-f <file>…] [--profile <name>] [--key-file <file>] [--json]

Shows how an agent's draft would change if the file were applied. Nothing is changed.

  -f, --file    the agent's file (YAML); - for standard input
  --key-file    a file that holds the key; else AOS_KEY, else the one of aos login
  --profile     whose key is taken
  --json        one JSON object a line for each file

The service is the one at AOS_URL, else the profile's, else at http://127.0.0.1:4000. NO_COLOR turns colours off.
Exit status, as diff's: 0 no difference, 1 a difference or a new agent, 2 a fault; 4 not signed in.
`;

/** What came of one file; `diff` is null where the agent does not exist yet. */
type Outcome = { readonly agent: string; readonly diff: DefinitionDiff | null } | { readonly problem: Problem };

/** `aos agents diff`. Answers the exit status: 0 no difference, 1 a difference, 2 a fault, 4 not signed in. */
export function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const work = async (): Promise<number> => {
    if (args.includes("--help") || args.includes("-h")) {
      terminal.stdout.write(usage);
      return 0;
    }
    const { files, keyFile, profile, json } = readArguments(args, usage);
    const read = await readDefinitionFiles(agents, files, terminal);
    const service = await connect(terminal, { keyFile, profile });
    const paint = painter(terminal);
    let status = 0;
    for (const one of read) {
      const outcome = await compare(service, one);
      status = Math.max(status, show(one, outcome, json, paint, terminal));
    }
    return status;
  };
  return telling(terminal, work, 2);
}

async function compare(service: Service, file: DefinitionFile): Promise<Outcome> {
  const reply =
    file.name === null ? null : await service.call("POST", `/v1/agents/${file.name}/compare`, { yaml: file.text });
  if (reply !== null && reply.status !== 404) {
    const problem = problemOf(reply);
    return problem ? { problem } : { agent: String(file.name), diff: reply.body as DefinitionDiff };
  }
  const problem = problemOf(await checkAsNew(service, file));
  return problem ? { problem } : { agent: String(file.name), diff: null };
}

function show(
  { file }: DefinitionFile,
  outcome: Outcome,
  json: boolean,
  paint: Painter,
  { stdout, stderr }: Terminal,
): number {
  if ("problem" in outcome) {
    if (outcome.problem.status === 401) throw new NotSignedIn(outcome.problem.detail);
    stderr.write(`${problemLines(file, outcome.problem).join("\n")}\n`);
    return 2;
  }
  const { agent, diff } = outcome;
  const lines = diff ? diffLines(agent, diff, paint) : [`${paint.added("+")} ${agent}: does not exist yet`];
  stdout.write(json ? `${JSON.stringify({ file, agent, diff })}\n` : `${lines.join("\n")}\n`);
  return diff?.identical ? 0 : 1;
}
