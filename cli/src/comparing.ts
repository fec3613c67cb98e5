import { checkAsNew, type DefinitionFile, type Kind, readArguments, readDefinitionFiles } from "./definition-files.ts";
import { type DefinitionDiff, diffLines } from "./diff-text.ts";
import { connect, type Service } from "./http.ts";
import { type Problem, problemLines, problemOf } from "./problems.ts";
import { NotSignedIn, type Painter, painter, type Terminal, telling } from "./terminal.ts";

// Shows how drafts of agents and workflows would change if their files were applied.

/** What came of one file; `diff` is null where the agent does not exist yet. */
type Outcome = { readonly name: string; readonly diff: DefinitionDiff | null } | { readonly problem: Problem };

/** Compares files with drafts. Answers the exit status, as diff's: 0 no difference, 1 a difference, 2 a fault, 4 not signed in. */
export function compareFiles(kind: Kind, usage: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const work = async (): Promise<number> => {
    if (args.includes("--help") || args.includes("-h")) {
      terminal.stdout.write(usage);
      return 0;
    }
    const { files, keyFile, profile, json } = readArguments(args, usage);
    const read = await readDefinitionFiles(kind, files, terminal);
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
    file.name === null
      ? null
      : await service.call("POST", `${file.kind.path}/${file.name}/compare`, { yaml: file.text });
  if (reply !== null && reply.status !== 404) {
    const problem = problemOf(reply);
    return problem ? { problem } : { name: String(file.name), diff: reply.body as DefinitionDiff };
  }
  const problem = problemOf(await checkAsNew(service, file));
  return problem ? { problem } : { name: String(file.name), diff: null };
}

function show(
  { file, kind }: DefinitionFile,
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
  const { name, diff } = outcome;
  const lines = diff ? diffLines(name, diff, paint) : [`${paint.added("+")} ${name}: does not exist yet`];
  stdout.write(json ? `${JSON.stringify({ file, [kind.noun]: name, diff })}\n` : `${lines.join("\n")}\n`);
  return diff?.identical ? 0 : 1;
}
