import type { AosCommand, Given } from "../command.ts";
import { checkAsNew, type DefinitionFile, definitionFiles, fileOptions, kindOf } from "../definition-files.ts";
import { type DefinitionDiff, diffLines } from "../diff-text.ts";
import { type Service, serviceFor } from "../http.ts";
import { type Problem, problemLines, problemOf } from "../problems.ts";
import { exits, NotSignedIn, type Painter, painter, type Terminal } from "../terminal.ts";

/** What came of one file; `diff` is null where the agent does not exist yet. */
type Outcome = { readonly name: string; readonly diff: DefinitionDiff | null } | { readonly problem: Problem };

/** `aos agents diff` and `aos workflows diff`. */
export default (command: AosCommand): AosCommand => {
  const { noun } = kindOf(command);
  return fileOptions(command)
    .description(
      `Shows how the draft of ${noun === "agent" ? "an agent" : "a workflow"} would change if the file were applied. Nothing is changed.

Exit status, as diff's: 0 no difference, 1 a difference or a new ${noun}, 2 a fault; 4 not signed in.`,
    )
    .usageExit(2)
    .run((given) => diffFiles(command, given));
};

async function diffFiles(command: AosCommand, given: Given): Promise<number> {
  const { terminal, json } = given;
  const read = await definitionFiles(command, given);
  const service = await serviceFor(given);
  const paint = painter(terminal);
  let status: number = exits.done;
  for (const one of read) {
    const outcome = await compare(service, one);
    status = Math.max(status, show(one, outcome, json, paint, terminal));
  }
  return status;
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
