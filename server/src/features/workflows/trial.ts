import { type Fixtures, planOf, type Step, type Trial, trialBudgets, type WorkflowDefinition } from "@aos/workflow";
import type { CallContext } from "../../kernel/context.ts";
import type { Finding, TestWorkflowBody, WorkflowTrial } from "./checks-schemas.ts";
import { tryHere } from "./expression-work.ts";
import { withLiveOutputs } from "./known.ts";
import { withExpressions } from "./threaded.ts";

const MOST_ENTRIES = 2_000;

/** Errors of steps and of the graph, with which a run cannot begin. What calls and expressions have shows in the trial itself. */
const fatal: ReadonlySet<string> = new Set([
  ...["id_taken", "reserved_id", "no_kind", "two_kinds", "not_here", "one_of", "other_branch", "circle"],
]);
const isFatal = ({ severity, code, pointer }: Finding): boolean =>
  severity === "error" && (fatal.has(code) || (code === "unknown_step" && /\/(needs|covers)\/\d+$/.test(pointer)));

/** Runs a definition in memory with what the body gives. */
export async function tried(
  ctx: Pick<CallContext, "facts" | "scope" | "now">,
  definition: WorkflowDefinition | null,
  findings: readonly Finding[],
  body: TestWorkflowBody,
): Promise<WorkflowTrial> {
  const found = [...findings];
  if (definition === null || findings.some(isFatal))
    return { status: "invalid", path: [], missing: [], findings: found };
  const { step } = body;
  const { outputs } = withLiveOutputs(ctx, planOf(definition));
  const plan = { ...planOf(step === undefined ? definition : alone(definition, step, body)), outputs };
  const trying = { plan, fixtures: fixturesOf(body), now: ctx.now };
  const trial = await withExpressions(ctx.scope, trying, tryHere, "tryThere", trialBudgets.call());
  return { ...shownOf(trial, step), findings: found };
}

const fixturesOf = ({ input = {}, outputs = {}, failures = {}, events = {}, ...body }: TestWorkflowBody): Fixtures => ({
  ...{ input, outputs, events },
  ...("event" in body && { event: body.event }),
  failures: Object.fromEntries(
    Object.entries(failures).map(([step, { detail = "As the test says.", ...failure }]) => [
      step,
      { ...failure, detail },
    ]),
  ),
});

/** One step behind the given answers of all others. */
function alone(definition: WorkflowDefinition, id: string, { outputs = {} }: TestWorkflowBody): WorkflowDefinition {
  const { steps } = planOf(definition);
  const others = steps.filter((one) => one.id !== id && Object.hasOwn(outputs, one.id)).map((one) => one.id);
  const { needs: _needs, ...step } = steps.find((one) => one.id === id)?.step ?? ({ id, set: {} } satisfies Step);
  const { output: _output, ...rest } = definition;
  return {
    ...rest,
    steps: [
      ...others.map((other): Step => ({ id: other, needs: [], agent: { name: "given", skill: "given" } })),
      { ...step, needs: others },
    ],
  };
}

function shownOf({ path, ...trial }: Trial, step: string | undefined): Omit<WorkflowTrial, "findings"> {
  if (step === undefined) return { ...trial, missing: [...trial.missing], path: path.slice(0, MOST_ENTRIES) };
  const own = path.filter((one) => one.step === step);
  const output = own.at(-1)?.output;
  return {
    ...trial,
    missing: trial.missing.filter((one) => one === step),
    path: own.slice(0, MOST_ENTRIES),
    ...(output !== undefined && { output }),
  };
}
