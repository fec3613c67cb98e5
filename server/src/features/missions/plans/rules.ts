import { type Budget, ExpressionFault, evaluate, findingsOf, type KnownCalls, smallBudget } from "@aos/workflow";
import type { CallContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Risk } from "../../../kernel/risk.ts";
import { findKnownAgent, type LiveSkill } from "../../agents/public.ts";
import { riskOf, startingTrust } from "../../tasks/public.ts";
import { workflowOf } from "../missions/rules.ts";
import { type MissionRow, missionJson } from "../missions/store.ts";
import { type Interval, shareOf } from "../progress/measure.ts";
import { type Evidence, evidenceKey, noEvidence, readEvidence } from "../progress/measure-store.ts";
import { dollars, listSpend, totalSpend } from "../progress/spend-store.ts";
import type { PlanFinding, PlanStep, PlanStepBody } from "../schemas.ts";
import type { PlanContent } from "./store.ts";
import { type CostBasis, dependsOn, expectedCost, type PricedSkill, workflowOfPlan } from "./workflow.ts";

interface Ground {
  readonly mission: Pick<
    MissionRow,
    "id" | "goal" | "agents" | "autonomy" | "inputs" | "measure" | "budget_usd" | "budget_tasks"
  >;
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** Neither spent nor begun by earlier plans. */
  readonly left: { readonly usd: number; readonly tasks: number };
}

/** A plan of these steps with its expected cost and results, and its findings. */
export function planOfSteps(ctx: CallContext, ground: Ground, bodies: readonly PlanStepBody[]): PlanContent {
  const findings: PlanFinding[] = [];
  const tasks = tasksOf(bodies, missionJson(ground.mission, "inputs"), findings);
  const steps = bodies.map((body) => stepOf(ctx, ground, body, tasks.get(body.id) ?? 1));
  const total = totalOf(steps);
  findings.push(
    ...agentFindings(ground, bodies),
    ...workflowFindings(ctx, ground, steps),
    ...limitFindings(ground, total),
  );
  return { steps, total, findings, leaves_open: leftOpen(ctx, ground, steps) };
}

export const hasErrors = ({ findings }: Pick<PlanContent, "findings">): boolean =>
  findings.some(({ severity }) => severity === "error");

const errorAt = (pointer: string, code: string, detail: string): PlanFinding => ({
  severity: "error",
  pointer,
  code,
  detail,
});

/** The most tasks that each step makes. */
function tasksOf(
  bodies: readonly PlanStepBody[],
  input: Readonly<Record<string, unknown>>,
  findings: PlanFinding[],
): ReadonlyMap<string, number> {
  const tasks = new Map<string, number>();
  const budget = smallBudget();
  for (const [at, { id, inputs }] of bodies.entries()) {
    const { each, best, at_most } = inputs;
    const pointer = `/steps/${at}/inputs`;
    if (best && each !== undefined)
      findings.push(errorAt(pointer, "two_sources", "Take either each or best; this step has both."));
    if (best) {
      const source = bodies.find((one) => one.id === best.of);
      if (source && !source.inputs.each && !source.inputs.best)
        findings.push(
          errorAt(`${pointer}/best/of`, "no_list", `${best.of} makes one task; best takes a step with each or best.`),
        );
      tasks.set(id, Math.min(best.count, tasks.get(best.of) ?? best.count));
    } else
      tasks.set(id, each === undefined ? 1 : lengthOf(each, { input, atMost: at_most, pointer, budget }, findings));
  }
  return tasks;
}

interface Listing {
  readonly input: unknown;
  readonly atMost: number | undefined;
  readonly pointer: string;
  readonly budget: Budget;
}

function lengthOf(each: string, { input, atMost, pointer, budget }: Listing, findings: PlanFinding[]): number {
  if (/\bsteps\b/.test(each)) {
    if (atMost === undefined)
      findings.push(errorAt(`${pointer}/at_most`, "no_bound", "A list from earlier steps needs a bound: say at_most."));
    return atMost ?? 1;
  }
  try {
    const list = evaluate(each, { input, steps: {}, run: {}, now: new Date(0), budget });
    if (!Array.isArray(list)) findings.push(errorAt(`${pointer}/each`, "no_list", "It comes to no list."));
    else if (atMost !== undefined && list.length > atMost)
      findings.push(
        errorAt(`${pointer}/each`, "too_long", `The list has ${list.length} items, and at_most is ${atMost}.`),
      );
    return Array.isArray(list) ? list.length : 1;
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    findings.push(
      errorAt(`${pointer}/each`, "no_list", `It comes to nothing with the mission's inputs: ${error.message}`),
    );
    return 1;
  }
}

/** A skill of its agent's live version. */
function pricedSkill(ctx: CallContext, agent: string, name: string): PricedSkill | undefined {
  const live = findKnownAgent(ctx, agent)?.live;
  const skill = live?.skills.get(name);
  return live && skill ? { skill, model: live.definition.model } : undefined;
}

/** Whether the mission's autonomy requires approval of a skill's tasks. */
export const asksByAutonomy = (autonomy: MissionRow["autonomy"], skill: LiveSkill | undefined): boolean =>
  autonomy === "propose" ||
  (autonomy === "approve_writes" &&
    skill?.tools.some((tool) => !("effect" in tool) || tool.effect !== "read") === true);

function stepOf(ctx: CallContext, { mission, evidence }: Ground, body: PlanStepBody, tasks: number): PlanStep {
  const priced = pricedSkill(ctx, body.agent, body.skill);
  const skill = priced?.skill;
  const known = evidence.get(evidenceKey(body.agent, body.skill)) ?? noEvidence;
  const version = findKnownAgent(ctx, body.agent)?.live;
  const risk: Pick<Risk, "level" | "score"> =
    skill && version ? riskOf(skill, startingTrust(ctx, version.id, body.skill).low) : { level: "low", score: 0 };
  return {
    ...body,
    title: body.title ?? skill?.definition.description ?? body.skill.replaceAll("_", " "),
    depends_on: [...dependsOn(body)],
    require_approval: body.require_approval === true || asksByAutonomy(mission.autonomy, skill),
    attempts: body.attempts ?? 1,
    tasks,
    cost_usd: expectedCost(known, tasks, priced).usd,
    risk: { level: risk.level, score: risk.score },
    success: known.tasks === 0 ? { value: 0.5, low: 0, high: 1 } : shareOf(known.succeeded, known.tasks),
    evidence: { tasks: known.tasks, succeeded: known.succeeded },
  };
}

function totalOf(steps: readonly PlanStep[]): PlanContent["total"] {
  const sum = (of: (step: PlanStep) => Interval, weight: (step: PlanStep) => number = () => 1): Interval => {
    const add = (member: keyof Interval) =>
      dollars(steps.reduce((all, step) => all + weight(step) * of(step)[member], 0));
    return { value: add("value"), low: add("low"), high: add("high") };
  };
  const worst = steps.reduce<PlanStep["risk"]>((risk, step) => (step.risk.score > risk.score ? step.risk : risk), {
    level: "low",
    score: 0,
  });
  return {
    tasks: steps.reduce((all, { tasks }) => all + tasks, 0),
    cost_usd: sum(({ cost_usd }) => cost_usd),
    succeeding: sum(
      ({ success }) => success,
      ({ tasks }) => tasks,
    ),
    risk: worst,
  };
}

function agentFindings({ mission }: Ground, bodies: readonly PlanStepBody[]): PlanFinding[] {
  return bodies.flatMap(({ agent }, at) =>
    mission.agents.includes(agent)
      ? []
      : [
          errorAt(
            `/steps/${at}/agent`,
            "agent_not_allowed",
            `The mission allows ${mission.agents.join(", ")}; ${agent} may not work on it.`,
          ),
        ],
  );
}

function limitFindings({ mission, left }: Ground, { tasks, cost_usd }: PlanContent["total"]): PlanFinding[] {
  const findings: PlanFinding[] = [];
  const usd = (value: number) => String(Number(value.toFixed(4)));
  if (tasks > left.tasks)
    findings.push(
      errorAt(
        "/total/tasks",
        "over_budget",
        `It makes up to ${tasks} tasks, and the budget of ${mission.budget_tasks} leaves ${left.tasks}.`,
      ),
    );
  if (cost_usd.value > left.usd + 1e-9)
    findings.push(
      errorAt(
        "/total/cost_usd",
        "over_budget",
        `It is expected to cost ${usd(cost_usd.value)} US dollars, and the budget of ${usd(mission.budget_usd)} leaves ${usd(left.usd)}.`,
      ),
    );
  else if (cost_usd.high > left.usd + 1e-9)
    findings.push({
      ...errorAt(
        "/total/cost_usd",
        "near_budget",
        `It may cost up to ${usd(cost_usd.high)} US dollars, and ${usd(left.usd)} are left; the mission stops before it costs more.`,
      ),
      severity: "warning",
    });
  return findings;
}

/** Findings of the workflow that carries the plan out: its graph, its expressions, and the inputs of agents. */
function workflowFindings(ctx: CallContext, { mission }: Ground, steps: readonly PlanStep[]): PlanFinding[] {
  const definition = workflowOfPlan({ name: workflowOf(mission.id), goal: mission.goal, steps });
  const known: KnownCalls = {
    skill(agent, name) {
      const live = findKnownAgent(ctx, agent)?.live;
      if (!live) return `${agent} is not deployed in ${ctx.scope.environment}; deploy a version of it first.`;
      const skill = live.skills.get(name);
      if (!skill) return `${agent} has no skill ${name}; it has ${[...live.skills.keys()].join(", ")}.`;
      const { input, output } = skill.definition;
      return { input, ...(output && { output }) };
    },
    tool: () => "A plan calls no tools by itself.",
    workflow: () => "A plan calls no workflows.",
  };
  const places = definition.steps.map(({ id }) =>
    steps.findIndex((step) => id === step.id || id === `${step.id}_inputs`),
  );
  return findingsOf(definition, known).map(({ severity, pointer, code, detail }) => {
    const at = places[Number(/^\/steps\/(\d+)/.exec(pointer)?.[1])];
    return { severity, pointer: at === undefined || at < 0 ? "" : `/steps/${at}`, code, detail };
  });
}

/** Inputs that expressions of the steps name: `input.name` or `input["name"]`. */
function inputsNamed(steps: readonly PlanStep[]): ReadonlySet<string> {
  const texts: string[] = [];
  JSON.stringify(
    steps.map(({ inputs }) => inputs),
    (_name, value: unknown) => {
      if (typeof value === "string") texts.push(value);
      return value;
    },
  );
  const named = texts.flatMap((text) => [...text.matchAll(/\binput(?:\.(\w+)|\[(["'])(.*?)\2\])/g)]);
  return new Set(named.map(([, plain, , quoted]) => plain ?? quoted ?? ""));
}

const takenForCost: Readonly<Record<CostBasis, string>> = {
  past_tasks: "",
  tool_prices: " One call of each of its tools is taken for its cost, since the built-in model costs nothing.",
  limit: " Its limit is taken for its cost.",
  nothing: " It has no limit either, so that its cost is not foreseen.",
};

/** What the plan leaves open. */
function leftOpen(ctx: CallContext, { mission, evidence: known }: Ground, steps: readonly PlanStep[]): string[] {
  const open: string[] = [];
  const { measure } = mission;
  if (!steps.some(({ skill }) => skill === measure.skill))
    open.push(`No step makes results of ${measure.skill}, which the measure counts.`);
  if (/\bfeedback\b/.test(`${measure.where ?? ""} ${measure.value ?? ""}`))
    open.push("What people will say of the results: the measure counts feedback.");
  for (const { id, agent, evidence, skill, tasks } of steps) {
    const past = known.get(evidenceKey(agent, skill)) ?? noEvidence;
    const taken = takenForCost[expectedCost(past, tasks, pricedSkill(ctx, agent, skill)).basis];
    if (evidence.tasks === 0)
      open.push(`What ${id} costs and how often it succeeds: there are no past tasks of ${skill} here.${taken}`);
    else if (past.ran === 0) open.push(`What ${id} costs: no past task of ${skill} ran here.${taken}`);
  }
  const used = inputsNamed(steps);
  for (const name of Object.keys(missionJson(mission, "inputs")))
    if (!used.has(name)) open.push(`The input ${name} is not used.`);
  const { aggregate, target, direction = "at_least" } = measure;
  const most = steps.filter(({ skill }) => skill === measure.skill).reduce((sum, { tasks }) => sum + tasks, 0);
  if (aggregate === "count" && direction === "at_least" && most > 0 && most < target)
    open.push(`The target of ${target}: at most ${most} results can count.`);
  return open;
}

export async function groundOf(
  ctx: QueryContext & Pick<CallContext, "now">,
  mission: MissionRow,
  steps: readonly PlanStepBody[],
): Promise<Ground> {
  const evidence = await readEvidence(ctx, skillsIn(steps));
  const { spent, begun } = totalSpend(await listSpend(ctx, [mission.id]));
  const left = { usd: dollars(mission.budget_usd - spent), tasks: mission.budget_tasks - begun };
  return { mission, evidence, left };
}

/** The distinct skills of steps. */
export function skillsIn(steps: readonly Pick<PlanStepBody, "agent" | "skill">[]): { agent: string; skill: string }[] {
  const named = new Map(steps.map(({ agent, skill }) => [`${agent} ${skill}`, { agent, skill }]));
  return [...named.values()];
}
