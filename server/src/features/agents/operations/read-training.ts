import { setTimeout as delay } from "node:timers/promises";
import { Type } from "typebox";
import type { ReadContext } from "../../../kernel/context.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { AgentName, TrainingJob, TrainingJobId } from "../schemas.ts";
import { exampleTraining } from "../training-example.ts";
import { trainingView } from "../training-model.ts";
import { findTraining, type TrainingRow } from "../training-store.ts";

/** How often a call that waits looks (milliseconds). */
const lookMs = 250;

export const readTraining = defineRead({
  id: "agents.readTraining",
  method: "GET",
  path: "/v1/agents/{agent}/training/{job}",
  status: 200,
  listed: true,
  waitable: true,
  summary: "Read a training job",
  description:
    "How far it is, what it learnt from, how the skill did on held-out examples before and after, with one-sided 95 % bounds of the difference, and the candidate version. " +
    "`Prefer: wait=n` holds the call until it ends.",
  params: Type.Object({ agent: AgentName, job: TrainingJobId }),
  query: Type.Object({}, { additionalProperties: false }),
  output: TrainingJob,
  example: { params: { agent: "sales", job: exampleTraining.job_id }, output: exampleTraining },
  permission: "agents:read",
  async load(ctx, { agent, job }) {
    const row = await findTraining(ctx, job);
    return row?.agent === agent ? row : undefined;
  },
  gate: exempt("reads, makes no agent act"),
  compliance: governs("agent.read", (_ctx, { loaded }: { loaded: TrainingRow }) => ({
    agent: { name: loaded.agent, labels: [] },
    skill: { name: loaded.skill },
  })),
  audit: ({ params }) => ({ object: `training:${params.job}` }),
  emits: [],
  errors: [],
  handle: async (ctx, { loaded }) => trainingView(await whenEnded(ctx, loaded)),
});

const isOpen = ({ state }: TrainingRow): boolean => state === "queued" || state === "running";

/** The job as it stands when it has ended, or after as many seconds as the caller waits, or when the caller has gone. */
async function whenEnded(ctx: ReadContext, row: TrainingRow): Promise<TrainingRow> {
  let found = row;
  for (let waited = 0; isOpen(found) && waited < ctx.waitSeconds * 1000 && !ctx.signal.aborted; waited += lookMs) {
    await delay(lookMs, undefined, { signal: ctx.signal }).catch(() => undefined);
    found = (await findTraining(ctx, row.id)) ?? found;
  }
  return found;
}
