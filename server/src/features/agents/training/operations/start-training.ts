import { compileUserSchema } from "@aos/json-schema";
import { nearestName } from "@aos/text";
import { Type } from "typebox";
import type { WriteContext } from "../../../../kernel/context.ts";
import { counted } from "../../../../kernel/count.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { insufficientScope, invalidBody } from "../../../../kernel/problems.ts";
import type { SkillDefinition } from "../../definitions/schemas.ts";
import { type AgentRow, findAgent, lockAgent } from "../../definitions/store.ts";
import { agentArchived, noVersion, tooFewExamples, trainingInProgress } from "../../errors.ts";
import { type TrainingSet, trainingSources } from "../../ports.ts";
import { AgentName, StartTrainingBody, TRAINING_LIMITS, TrainingJob } from "../../schemas.ts";
import { findAskedVersion, type WholeVersion } from "../../versions/store.ts";
import { exampleTraining } from "../example.ts";
import { listEarlierTrainings } from "../history.ts";
import { leftOut, trainingJob, trainingView } from "../rules.ts";
import { findOpenTraining, insertTraining } from "../store.ts";

export const startTraining = defineOperation({
  id: "agents.startTraining",
  method: "POST",
  path: "/v1/agents/{agent}/training",
  status: 202,
  listed: true,
  summary: "Start a training job",
  description:
    "Trains a skill on examples, datasets and feedback on tasks, and on what earlier trainings of the version used. The built-in model is trained; for a provider's model, demonstrations are chosen. " +
    "Demonstrations are part of the candidate word for word, and people of every environment read it: tasks are used only with `feedback: true`. The job holds out some examples to measure the skill before and after. The result is a candidate: a frozen version that acts nowhere until somebody deploys it.",
  params: Type.Object({ agent: AgentName }),
  body: StartTrainingBody,
  bounds: { values: 100_000 },
  output: TrainingJob,
  location: ({ agent, job_id }) => `/v1/agents/${agent}/training/${job_id}`,
  example: {
    params: { agent: "sales" },
    body: {
      skill: "qualify_lead",
      examples: [{ input: { lead_id: "ld_1001" }, output: { qualified: true } }],
      note: "From the first month.",
    },
    output: {
      ...exampleTraining,
      state: "queued",
      phase: "waiting",
      progress: 0,
      version: null,
      version_id: null,
      examples: null,
      metrics: null,
      seconds: null,
      finished_at: null,
    },
  },
  permission: "agents:write",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt(
    "makes a version, which acts only when deployed; whatever it runs to measure passes policy as its own calls",
  ),
  decides: "training",
  compliance: governs("agent.train", (_ctx, { loaded, body }: { loaded: AgentRow; body: StartTrainingBody }) => ({
    agent: { name: loaded.name, labels: loaded.labels },
    skill: { name: body.skill },
  })),
  audit: ({ params, output }) => (output ? `training:${output.job_id}` : `agent:${params.agent}`),
  errors: [agentArchived, noVersion, tooFewExamples, trainingInProgress],
  async handle(ctx, { loaded: { name: agent }, body }) {
    if ((await lockAgent(ctx, agent)).archived_at !== null)
      throw refuse(agentArchived, `${agent} is archived and cannot be trained.`);
    const base = await findAskedVersion(ctx, agent, body.version);
    const skill = skillOf(base, body);
    const open = await findOpenTraining(ctx, agent, skill.name);
    if (open !== undefined)
      throw refuse(trainingInProgress, `${open} trains ${skill.name} at present.`, { members: { job_id: open } });
    const method = base.definition.model.provider === "builtin" ? "model" : "demonstrations";
    const request = await requestOf(ctx, { agent, method, number: base.number }, skill, body);
    const examples = JSON.stringify(body.examples ?? []);
    const row = await insertTraining(ctx, {
      agent,
      skill: skill.name,
      base,
      method,
      request,
      examples,
      note: body.note ?? "",
    });
    ctx.enqueue(trainingJob(ctx.scope, row.id));
    return trainingView(row);
  },
});

const invalid = (faults: readonly Fault[]): Error =>
  refuse(invalidBody, `${faults[0]?.pointer} ${faults[0]?.detail}`, { errors: faults });

/** Refuses a skill that the version lacks or that declares no output, and examples that do not fit it. */
function skillOf({ definition, number }: WholeVersion, body: StartTrainingBody): SkillDefinition {
  const skill = definition.skills.find(({ name }) => name === body.skill);
  const names = definition.skills.map(({ name }) => name);
  const at = (pointer: string, code: string, detail: string) => invalid([{ pointer, code, detail }]);
  if (!skill) {
    const close = nearestName(body.skill, names);
    throw at(
      "/skill",
      "unknown_skill",
      `version ${number} has no skill ${body.skill}; ${close ? `did you mean ${close}?` : `it has ${names.join(", ")}`}`,
    );
  }
  if (!skill.output)
    throw at(
      "/skill",
      "no_output",
      `${skill.name} has no \`output\` schema, so that nothing says what is to be learnt; freeze a version that has one`,
    );
  if (body.budget !== undefined && definition.model.provider === "builtin") {
    throw at(
      "/budget",
      "not_applicable",
      "is for a provider's model; the built-in one of this version is trained and measured without spending anything",
    );
  }
  const faults = exampleFaults(skill, body.examples ?? []);
  if (faults.length > 0) throw invalid(faults);
  return skill;
}

const mostFaults = 20;

function exampleFaults(
  { input, output }: SkillDefinition,
  examples: NonNullable<StartTrainingBody["examples"]>,
): Fault[] {
  const judges = { input: compileUserSchema(input), output: compileUserSchema(output ?? {}) };
  const faults: Fault[] = [];
  for (const [index, example] of examples.entries()) {
    for (const member of ["input", "output"] as const) {
      const judge = judges[member];
      if (!judge.ok) continue;
      faults.push(
        ...judge
          .validate(example[member])
          .map((fault) => ({ ...fault, pointer: `/examples/${index}/${member}${fault.pointer ?? ""}` })),
      );
    }
    if (faults.length >= mostFaults) break;
  }
  return faults.slice(0, mostFaults);
}

/**
 * What is stored of a request: sources pinned as they stand at this moment. Demonstrations stand word for word in a version, which people of every environment
 * read: tasks, which belong to one, are among them only where the caller says so.
 */
async function requestOf(ctx: WriteContext, base: Base, skill: SkillDefinition, body: StartTrainingBody) {
  const { agent, method, number } = base;
  const may = (scope: string): boolean => ctx.principal.scopes === null || ctx.principal.scopes.includes(scope);
  const {
    feedback = method === "model" && may("tasks:read"),
    earlier = method === "model",
    held_out = 0.2,
    seed = 0,
    budget = {},
  } = body;
  if ((body.dataset !== undefined || body.datasets !== undefined) && !may("evaluations:read"))
    throw lacking("evaluations:read");
  if (feedback && !may("tasks:read")) throw lacking("tasks:read");
  const sets = await setsOf(ctx, agent, skill, body);
  const before = feedback ? ctx.auditRef : null;
  const most = TRAINING_LIMITS.least;
  const taught =
    before === null
      ? { examples: [], notIntact: 0 }
      : await ctx.port(trainingSources).listTaught(ctx, { agent, skill: skill.name, before, most });
  const past = earlier
    ? await listEarlierTrainings(ctx.db, ctx.scope, { agent, skill: skill.name, version: number })
    : [];
  const known =
    sum(sets.map(({ items }) => items)) + sum(past.map(({ given, datasets }) => given + datasets.length * most));
  const n = (body.examples?.length ?? 0) + known + (skill.examples?.length ?? 0) + taught.examples.length;
  const unasked =
    method === "demonstrations" && body.feedback === undefined
      ? " Feedback on tasks is no source here unless `feedback` is true."
      : "";
  if (n < TRAINING_LIMITS.least)
    throw refuse(
      tooFewExamples,
      `There ${n === 1 ? "is" : "are"} ${counted(n, "example")} for ${skill.name}; it takes at least ${TRAINING_LIMITS.least}.${unasked}${leftOut(taught.notIntact)}`,
    );
  return {
    datasets: sets.map(({ dataset_id: id, version }) => ({ id, version })),
    earlier,
    earlier_datasets: may("evaluations:read"),
    feedback_before: before,
    held_out,
    seed,
    budget: { prompt_tokens: budget.prompt_tokens ?? 2_000, runs: budget.runs ?? 60, cost_usd: budget.cost_usd ?? 1 },
  };
}

interface Base {
  readonly agent: string;
  readonly number: number;
  readonly method: TrainingJob["method"];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Refuses unknown datasets and those of another skill. */
async function setsOf(
  ctx: WriteContext,
  agent: string,
  { name }: SkillDefinition,
  { dataset, datasets = [] }: StartTrainingBody,
) {
  const named = [
    ...(dataset === undefined ? [] : [{ pointer: "/dataset", reference: dataset }]),
    ...datasets.map((reference, at) => ({ pointer: `/datasets/${at}`, reference })),
  ];
  const sets = new Map<string, TrainingSet>();
  for (const { pointer, reference } of named) {
    const set = await ctx.port(trainingSources).findDataset(ctx, reference);
    if (!set || set.agent !== agent || set.skill !== name) {
      const detail = set
        ? `is a dataset of ${set.agent}.${set.skill}; name one of ${agent}.${name}`
        : "names no dataset";
      throw invalid([{ pointer, code: "unknown_dataset", detail }]);
    }
    sets.set(set.dataset_id, set);
  }
  return [...sets.values()];
}

const lacking = (scope: string): Error =>
  refuse(insufficientScope, `Training from this source reads it: the key needs the scope ${scope} as well.`, {
    stage: "permissions",
    members: { missing_scope: scope },
  });
