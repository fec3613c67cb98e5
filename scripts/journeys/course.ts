import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { parse, stringify } from "yaml";
import type { Call } from "./client.ts";
import type { AgentDocument, Case, Journey } from "./definition.ts";
import type { Figures, JudgedTask } from "./figures.ts";
import { portions } from "./split.ts";
import { inParallel } from "./tasks.ts";

// What a journey does before its tasks: knowledge, agent, training, evaluation, deployment. And what people do after them: feedback.

export interface Course {
  readonly call: Call;
  readonly journey: Journey;
  /** Called as it progresses. */
  readonly say: (line: string) => void;
  /** Put behind names, so that journeys do not meet on a service that others use. */
  readonly suffix: string;
  readonly seed: number;
}

/** The share of examples that training holds out by itself: as few as it allows, because the journey keeps its own apart. */
const HELD_OUT = 0.05;
/** Bodies stay below the limit of 1 MiB. */
const MOST_BYTES = 900_000;
const POLL_MS = 250;
/** Labels are fitted some two seconds after they were given. */
const SETTLED_MS = 3000;

// What is read of the service's answers.

interface BulkAnswer {
  readonly failed: number;
  readonly results: readonly { readonly errors: readonly object[] }[];
}

interface TrainingJob {
  readonly job_id: string;
  readonly state: string;
  readonly phase: string;
  readonly progress: number;
  readonly version: number | null;
  readonly seconds: number | null;
  readonly examples: { readonly train: number; readonly held_out: number } | null;
  readonly metrics: {
    readonly before: number | null;
    readonly after: number | null;
    readonly low: number | null;
    readonly verdict: string;
  } | null;
  readonly failure: { readonly detail: string } | null;
}

interface EvaluationRun {
  readonly run_id: string;
  readonly state: string;
  readonly waits_for: string | null;
  readonly progress: { readonly done: number; readonly total: number };
  readonly verdict: string | null;
  readonly figures: readonly { readonly score: { readonly mean: number } }[];
  readonly failure: { readonly detail: string } | null;
}

interface Trust {
  readonly score: number;
  readonly skills: readonly {
    readonly labels: { readonly evaluation: number; readonly random: number; readonly volunteered: number };
  }[];
  readonly reliability: { readonly n: number; readonly ece: number | null };
}

export interface MadeAgent {
  readonly agent: string;
  readonly skill: string;
}

/** Makes the agent from its file and freezes its first version. */
export async function makeAgent({ call, journey, suffix, say }: Course, cases: readonly Case[]): Promise<MadeAgent> {
  const definition = parse(await readFile(journey.file, "utf8")) as AgentDocument;
  journey.complete?.(definition, cases);
  rename(definition, suffix);
  await call("POST", "/v1/agents", { body: stringify(definition), type: "application/yaml" });
  await call("POST", `/v1/agents/${definition.agent}/versions`, { body: { note: "Before training." } });
  say(`agent ${definition.agent}, version 1`);
  return { agent: definition.agent, skill: (definition.skills[0] as AgentDocument["skills"][number]).name };
}

function rename(definition: AgentDocument, suffix: string): void {
  definition.agent += suffix;
  if (definition.knowledge) definition.knowledge = definition.knowledge.map((base) => base + suffix);
  for (const tool of definition.tools ?? []) if (tool.base !== undefined) tool.base += suffix;
}

/** Brings the cases' records into the agent's knowledge base. Answers how many there are. */
export async function addRecords({ call, journey, suffix, say }: Course, cases: readonly Case[]): Promise<number> {
  const records = cases.flatMap(({ record }) => (record ? [record] : []));
  if (records.length === 0) return 0;
  const { knowledge = [] } = parse(await readFile(journey.file, "utf8")) as AgentDocument;
  const name = `${knowledge[0]}${suffix}`;
  const began = performance.now();
  await call("POST", "/v1/knowledge/bases", { body: { name, description: journey.about, language: "simple" } });
  for (const documents of portions(records, 1000, MOST_BYTES)) {
    const { body } = await call<BulkAnswer>("POST", `/v1/knowledge/bases/${name}/documents/bulk`, {
      body: { documents },
    });
    const fault = body.results.find(({ errors }) => errors.length > 0);
    if (fault)
      throw new Error(`${body.failed} records were not taken; the first fault: ${JSON.stringify(fault.errors)}`);
  }
  say(`${records.length.toLocaleString("en")} records in base ${name} (${seconds(began)})`);
  return records.length;
}

const pairs = (cases: readonly Case[]) => cases.map(({ input, output }) => ({ input, output }));
const items = (cases: readonly Case[]) => cases.map(({ input, output }) => ({ input, expected: output }));

/** Keeps cases as a dataset of the agent, in as many calls as it takes. */
async function makeDataset(
  { call }: Course,
  { agent, skill }: MadeAgent,
  name: string,
  cases: readonly Case[],
): Promise<string> {
  const [first = [], ...others] = portions(items(cases), 1000, MOST_BYTES);
  await call("POST", "/v1/evaluations/datasets", { body: { name, agent, skill, items: first } });
  for (const more of others) await call("POST", `/v1/evaluations/datasets/${name}/items`, { body: { items: more } });
  return name;
}

export interface Trained {
  /** The candidate's number. */
  readonly version: number;
  readonly figures: Figures["training"];
}

/** Trains the skill from the cases and waits for the candidate. What is too large for one body goes by way of a dataset. */
export async function train(course: Course, made: MadeAgent, cases: readonly Case[]): Promise<Trained> {
  const { call, say, seed } = course;
  const inline = Buffer.byteLength(JSON.stringify(pairs(cases))) < MOST_BYTES;
  const source = inline
    ? { examples: pairs(cases) }
    : { dataset: await makeDataset(course, made, `${made.agent}-examples`, cases) };
  const began = performance.now();
  const body = {
    skill: made.skill,
    ...source,
    feedback: false,
    held_out: HELD_OUT,
    seed,
    note: "Learnt from examples.",
  };
  const { body: job } = await call<TrainingJob>("POST", `/v1/agents/${made.agent}/training`, { body });
  const done = await watch(
    async () => (await call<TrainingJob>("GET", `/v1/agents/${made.agent}/training/${job.job_id}`)).body,
    ({ phase, progress }) => `${phase} ${Math.floor(10 * progress)}`,
    ({ phase, progress }) => say(`  training: ${phase}, ${Math.round(100 * progress)} %`),
  );
  const { version, metrics, examples, failure } = done;
  if (version === null || metrics === null)
    throw new Error(`the training ended ${done.state}: ${failure?.detail ?? "no candidate came out"}`);
  const { before, after, low, verdict } = metrics;
  say(
    `version ${version} learnt from ${examples?.train.toLocaleString("en")} examples in ${shown(done.seconds)} s; on ${examples?.held_out} held out ${shown(before)} before, ` +
      `${shown(after)} after: ${verdict} (${seconds(began)})`,
  );
  return {
    version,
    figures: { seconds: done.seconds, wallSeconds: (performance.now() - began) / 1000, before, after, low },
  };
}

/** Sets a gate over a dataset of these cases, and runs the set against the version. Answers the gate's verdict. */
export async function evaluate(
  course: Course,
  made: MadeAgent,
  version: number,
  cases: readonly Case[],
): Promise<string> {
  const { call, journey, say, seed } = course;
  const began = performance.now();
  const dataset = await makeDataset(course, made, `${made.agent}-test`, cases);
  const scorer = `${made.agent}-right`;
  const right = (cases[0] as Case).output;
  await call("PUT", `/v1/evaluations/scorers/${scorer}`, {
    body: {
      kind: "exact",
      pointer: `/${journey.field}`,
      description: "Whether the answer is the right one.",
      samples: [
        { output: right, expected: right, score: 1 },
        { output: {}, expected: right, score: 0 },
      ],
    },
  });
  const gate = await call("GET", `/v1/evaluations/gates/${made.agent}`);
  await call("PUT", `/v1/evaluations/gates/${made.agent}`, {
    body: { datasets: [dataset], scorers: [{ scorer }], floor: journey.floor, repeats: 1 },
    headers: { "if-match": gate.headers.get("etag") ?? "*" },
  });
  const { body: run } = await call<EvaluationRun>("POST", "/v1/evaluations/runs", {
    body: { dataset, version, repeats: 1, seed },
  });
  // Its verdict comes later where the deployed version has to be run as well.
  const read = async () => {
    const { body } = await call<EvaluationRun>("GET", `/v1/evaluations/runs/${run.run_id}?limit=1`);
    return body.waits_for === null ? body : { ...body, state: "running" as const };
  };
  const done = await watch(
    read,
    ({ progress }) => String(progress.done),
    ({ progress }) => say(`  evaluation: ${progress.done} of ${progress.total}`),
  );
  if (done.state !== "completed") throw new Error(`the evaluation ended ${done.state}: ${done.failure?.detail ?? ""}`);
  const [figure] = done.figures;
  say(
    `gate ${done.verdict}: ${shown(figure?.score.mean)} on ${cases.length} items, floor ${journey.floor} (${seconds(began)})`,
  );
  return done.verdict ?? "undecided";
}

/**
 * Puts the version live, and waits until the trust scores of its tasks rest on what was measured of it: evidence counts some seconds after it was won. It is settled
 * when there is some of these many items at least, and none came for a while.
 */
export async function deploy(
  { call, say }: Course,
  { agent }: MadeAgent,
  version: number,
  evaluated: number,
): Promise<void> {
  await call("POST", `/v1/agents/${agent}/deployments`, { body: { version, note: "Trained." } });
  const counted = ({ skills }: Trust): number => Math.max(0, ...skills.map(({ labels }) => labels.evaluation));
  let seen = 0;
  let since = performance.now();
  const trust = await untilTrust(call, agent, (one) => {
    if (counted(one) !== seen) since = performance.now();
    seen = counted(one);
    return seen >= evaluated && performance.now() - since > SETTLED_MS;
  });
  say(`version ${version} is live; trust ${trust.score} after ${seen} evaluated items`);
}

/** People judge outcomes: what is right is accepted, what is wrong corrected. Waits until the trust score stands on it. */
export async function review(course: Course, { agent }: MadeAgent, tasks: readonly JudgedTask[]): Promise<void> {
  const { call, journey, say } = course;
  const began = performance.now();
  const judged = tasks.filter(({ task }) => task.status === "completed");
  await inParallel(judged, 8, ({ task, correct, expected }) =>
    call("POST", `/v1/tasks/${task.task_id}/feedback`, {
      body: correct
        ? { accepted: true }
        : { accepted: false, correction: { ...task.output, [journey.field]: expected } },
    }),
  );
  const { score, reliability } = await untilTrust(call, agent, ({ skills }) =>
    skills.some(({ labels }) => labels.volunteered >= judged.length),
  );
  say(
    `${judged.length} outcomes judged; trust ${score}, cross-fitted ECE ${shown(reliability.ece)} on ${reliability.n} labels (${seconds(began)})`,
  );
}

/** The agent's trust as soon as it is as it should be, or as it is after half a minute. */
async function untilTrust(call: Call, agent: string, settled: (trust: Trust) => boolean): Promise<Trust> {
  const until = performance.now() + 30_000;
  for (;;) {
    const { body } = await call<Trust>("GET", `/v1/agents/${agent}/trust`);
    if (settled(body) || performance.now() > until) return body;
    await delay(POLL_MS);
  }
}

/** Looks at a job until it has ended, and tells each change of what `state` says of it. */
async function watch<T extends { readonly state: string }>(
  read: () => Promise<T>,
  state: (job: T) => string,
  tell: (job: T) => void,
): Promise<T> {
  let told = "";
  for (;;) {
    const job = await read();
    if (job.state !== "queued" && job.state !== "running") return job;
    if (state(job) !== told) tell(job);
    told = state(job);
    await delay(POLL_MS);
  }
}

const seconds = (began: number): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;
const shown = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : value.toFixed(3);
