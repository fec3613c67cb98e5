import { setTimeout as delay } from "node:timers/promises";
import type { AosClient, Output } from "@aos/sdk";
import { stringify } from "yaml";
import type { Dataset, Example, Json, Starter } from "./files.ts";

// Everything of a starter by way of the public interface: what it needs, the agent, its training, its measurement, its deployment.

export interface Course {
  readonly aos: AosClient;
  /** Told while it goes on. */
  readonly say: (line: string) => void;
  /** Put behind names, so that a starter meets nothing on a service that others use. */
  readonly suffix: string;
}

export type Run = Output<"evaluations.readRun">;

export interface Made {
  readonly agent: string;
  readonly version: number;
  /** The run over each dataset of the gate. */
  readonly runs: readonly { readonly dataset: Dataset; readonly run: Run }[];
  readonly gate: { readonly state: string; readonly reasons: readonly string[] };
}

const POLL_MS = 250;
/** The least share that training accepts: the starter's own dataset measures. */
const HELD_OUT = 0.05;

/** Makes the starter, trains and measures it, and deploys the candidate where its gate is open. */
export async function make(course: Course, starter: Starter): Promise<Made> {
  await addKnowledge(course, starter);
  const agent = await makeAgent(course, starter);
  await addPolicies(course, starter, agent);
  const version = await train(course, starter, agent);
  await addMeasures(course, starter, agent);
  const runs: { dataset: Dataset; run: Run }[] = [];
  for (const dataset of starter.datasets.filter(({ name }) => starter.gate.datasets.includes(name)))
    runs.push({ dataset, run: await measure(course, dataset, version) });
  const gate = await verdictOf(course, agent, version);
  course.say(`gate ${gate.state}${gate.reasons.length > 0 ? `: ${gate.reasons.join("; ")}` : ""}`);
  if (gate.state === "open") await course.aos.agents.deployVersion({ agent, version, note: "Trained and measured." });
  return { agent, version, runs, gate };
}

async function addKnowledge({ aos, say, suffix }: Course, { bases }: Starter): Promise<void> {
  for (const { name, description, language, documents } of bases) {
    const base = name + suffix;
    await aos.knowledge.createBase({ name: base, description, ...(language && { language }) } as never);
    const { failed, results } = await aos.knowledge.addDocuments({ base, documents } as never);
    if (failed > 0)
      throw new Error(`knowledge base ${name}: ${JSON.stringify(results.filter(({ errors }) => errors.length))}`);
    await untilIndexed(aos, base, documents.length);
    say(`knowledge base ${base}: ${documents.length} documents`);
  }
}

async function untilIndexed(aos: AosClient, base: string, count: number): Promise<void> {
  for (;;) {
    const states: string[] = [];
    for await (const { external_id, state } of aos.knowledge.listDocuments({ base })) {
      if (state === "failed") throw new Error(`document ${external_id} of ${base} could not be indexed`);
      states.push(state);
    }
    if (states.filter((state) => state === "indexed").length >= count) return;
    await delay(POLL_MS);
  }
}

async function makeAgent({ aos, say, suffix }: Course, { agent: file }: Starter): Promise<string> {
  const definition = structuredClone(file);
  definition.agent += suffix;
  if (definition.knowledge) definition.knowledge = definition.knowledge.map((base) => base + suffix);
  for (const tool of definition.tools ?? []) {
    if (tool.base !== undefined) tool.base += suffix;
    if (tool.bases) tool.bases = tool.bases.map((base) => base + suffix);
  }
  const { agent } = await aos.agents.createAgent({ yaml: stringify(definition) });
  await aos.agents.freezeVersion({ agent, note: "Before training." });
  say(`agent ${agent}, version 1`);
  return agent;
}

async function addPolicies({ aos, say }: Course, { policies }: Starter, agent: string): Promise<void> {
  for (const policy of policies) {
    const scope = { ...(policy.scope as Json), agents: [agent] };
    await aos.governance.createPolicy({ ...policy, scope } as never);
    say(`policy "${policy.name}"`);
  }
}

/** Trains each skill, from the candidate of the one before. Answers the last candidate. */
async function train(course: Course, { training }: Starter, agent: string): Promise<number> {
  let version = 1;
  for (const [skill, examples] of training) version = await trainSkill(course, { agent, skill, version, examples });
  return version;
}

interface Lesson {
  readonly agent: string;
  readonly skill: string;
  readonly version: number;
  readonly examples: readonly Example[];
}

async function trainSkill({ aos, say }: Course, { agent, skill, version, examples }: Lesson): Promise<number> {
  const body = { agent, skill, version, examples, held_out: HELD_OUT, seed: 1, note: "Learnt from the starter." };
  const { job_id } = await aos.agents.startTraining(body as never);
  for (;;) {
    const job = await aos.agents.readTraining({ agent, job: job_id }, { wait: 30 });
    if (job.state === "queued" || job.state === "running") continue;
    if (job.version === null) throw new Error(`training ${skill} ended ${job.state}: ${job.failure?.detail ?? ""}`);
    say(`${skill}: version ${job.version} learnt from ${examples.length} examples in ${job.seconds} s`);
    return job.version;
  }
}

async function addMeasures({ aos, suffix }: Course, starter: Starter, agent: string): Promise<void> {
  for (const { name, skill, description, items } of starter.datasets)
    await aos.evaluations.createDataset({ name: name + suffix, agent, skill, description, items } as never);
  for (const { name, ...body } of starter.scorers)
    await aos.evaluations.setScorer({ scorer: name + suffix, ...body } as never);
  const { etag } = await aos.evaluations.readGate({ agent }).withResponse();
  const { datasets, scorers, ...rules } = starter.gate;
  const named = scorers.map((one) => (typeof one === "string" ? { scorer: one } : one));
  const gate = {
    ...rules,
    datasets: datasets.map((name) => name + suffix),
    scorers: named.map((one) => ({ ...one, scorer: one.scorer + suffix })),
  };
  await aos.evaluations.setGate({ agent, ...gate }, { ifMatch: etag ?? "*" });
}

/** Runs the dataset against the version until the run and its verdict are there. */
async function measure({ aos, say, suffix }: Course, dataset: Dataset, version: number): Promise<Run> {
  const { run_id } = await aos.evaluations.startRun({ dataset: dataset.name + suffix, version, seed: 1 });
  for (;;) {
    const run = await aos.evaluations.readRun({ run: run_id, limit: 1 });
    if (run.state === "failed") throw new Error(`the run over ${dataset.name} failed: ${run.failure?.detail ?? ""}`);
    if (run.state === "completed" && run.waits_for === null) {
      for (const { scorer, score } of run.figures) say(`${dataset.name}, ${scorer}: ${figure(score)}`);
      return run;
    }
    await delay(POLL_MS);
  }
}

const figure = ({ mean, low, high, n }: Run["figures"][number]["score"]): string =>
  `${mean.toFixed(3)} (${low?.toFixed(3)} to ${high?.toFixed(3)}) on ${n} items`;

async function verdictOf({ aos }: Course, agent: string, version: number): Promise<Made["gate"]> {
  for (let tried = 1; ; tried++) {
    const gate = await aos.evaluations.readGate({ agent });
    const found = gate.versions.find((one) => one.version === version);
    if ((found && found.state !== "missing") || tried === 40)
      return { state: found?.state ?? "missing", reasons: found?.reasons ?? [] };
    await delay(POLL_MS);
  }
}

export interface Failure {
  readonly input: Json;
  readonly expected: Json;
  readonly output: Json | null;
}

/** The items that a scorer did not give the full score, to see what the starter cannot do. */
export async function failuresOf({ aos }: Course, run: string): Promise<Failure[]> {
  const found: Failure[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items } = await aos.evaluations.readRun({ run, limit: 100, ...(cursor && { cursor }) });
    for (const { input, expected, scores, repeats } of items.data)
      if (Object.values(scores).some((score) => score !== null && score < 1))
        found.push({ input: input as Json, expected: expected as Json, output: (repeats[0]?.output ?? null) as Json });
    if (items.next_cursor === null) return found;
    cursor = items.next_cursor;
  }
}
