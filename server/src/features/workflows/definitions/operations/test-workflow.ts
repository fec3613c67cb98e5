import { type Fixtures, planOf, type Step, type Trial, trialBudgets, type WorkflowDefinition } from "@aos/workflow";
import { Type } from "typebox";
import type { CallContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { invalidBody, notFound } from "../../../../kernel/problems.ts";
import { withExpressions } from "../../expression-threads.ts";
import { tryHere } from "../../expression-work.ts";
import { findVersion } from "../../versions/store.ts";
import { findingsOfDraft } from "../checks.ts";
import { exampleDefinition } from "../example.ts";
import { withLiveOutputs } from "../known.ts";
import { type Finding, TestWorkflowBody, WorkflowName, WorkflowTrial } from "../schemas.ts";
import { findWorkflow, type WorkflowRow } from "../store.ts";

export const testWorkflow = defineOperation({
  id: "workflows.testWorkflow",
  method: "POST",
  path: "/v1/workflows/{workflow}/test",
  summary: "Try a workflow without doing anything",
  description:
    "Runs the draft, a version, or what is sent, in memory: steps answer what the body gives for them, waits take no time, and nothing outside happens. Shows the path, " +
    "what each step would have called, and where it stops because something was not given. `step` tries one step alone.",
  params: Type.Object({ workflow: WorkflowName }),
  body: TestWorkflowBody,
  bounds: { values: 20_000 },
  output: WorkflowTrial,
  example: {
    params: { workflow: exampleDefinition.workflow },
    body: { input: { message: "Where is my order?" }, outputs: { judge: { amount: 20 }, pay: { id: "rf_1" } } },
    output: {
      status: "completed",
      path: [{ step: "judge", status: "completed", attempt: 1, at: 0, output: { amount: 20 } }],
      missing: [],
      findings: [],
    },
  },
  permission: "workflows:read",
  load: (ctx, { workflow }) => findWorkflow(ctx, workflow),
  gate: exempt("calls nothing; steps answer what the body gives"),
  decides: exempt("tries steps without effect and stores nothing"),
  compliance: governs("workflow.read"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  async handle(ctx, { body, loaded }: { body: TestWorkflowBody; loaded: WorkflowRow }) {
    const { definition: sent, source, version: number } = body;
    if ([sent, source, number].filter((one) => one !== undefined).length > 1)
      throw refuse(invalidBody, "Give one of definition, source and version, or none for the saved draft.", {
        errors: [{ pointer: "", code: "not_together", detail: "has more than one of definition, source and version" }],
      });
    const version = number === undefined ? undefined : await findVersion(ctx, loaded.name, number);
    if (number !== undefined && !version) throw refuse(notFound, `There is no version ${number} of ${loaded.name}.`);
    const named = sent && { workflow: loaded.name, ...sent };
    const draft =
      source ?? version?.definition ?? (named as typeof loaded.draft | undefined) ?? loaded.source ?? loaded.draft;
    const { definition, findings } = await findingsOfDraft(ctx, draft, loaded.name);
    const { step } = body;
    if (definition && step !== undefined && !planOf(definition).byId.has(step))
      throw refuse(invalidBody, `/step: There is no step ${step} in it.`, {
        errors: [{ pointer: "/step", code: "unknown_step", detail: `names ${step}, which is no step of it` }],
      });
    return tried(ctx, definition, findings, body);
  },
});

const MOST_ENTRIES = 2_000;

/** Errors of steps and of the graph that prevent a run. Errors of calls and expressions show in the trial itself. */
const fatal: ReadonlySet<string> = new Set([
  "id_taken",
  "reserved_id",
  "no_kind",
  "two_kinds",
  "not_here",
  "one_of",
  "other_branch",
  "circle",
]);
const isFatal = ({ severity, code, pointer }: Finding): boolean =>
  severity === "error" && (fatal.has(code) || (code === "unknown_step" && /\/(needs|covers)\/\d+$/.test(pointer)));

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
  input,
  outputs,
  events,
  ...("event" in body && { event: body.event }),
  failures: Object.fromEntries(
    Object.entries(failures).map(([step, { detail = "As the test says.", ...failure }]) => [
      step,
      { ...failure, detail },
    ]),
  ),
});

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
