import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { whenEnded } from "../../../../kernel/wait.ts";
import { AgentName, TrainingJob, TrainingJobId } from "../../schemas.ts";
import { exampleTraining } from "../example.ts";
import { seenTraining, trainingView } from "../rules.ts";
import { findTraining } from "../store.ts";

export const readTraining = defineRead({
  id: "agents.readTraining",
  path: "/v1/agents/{agent}/training/{job}",
  listed: true,
  waitable: true,
  summary: "Read a training job",
  description:
    "Its progress, what it learnt from, how the skill did on held-out examples before and after, with one-sided 95 % bounds of the difference, and the candidate version. " +
    "`Prefer: wait=n` holds the call until it ends.",
  params: Type.Object({ agent: AgentName, job: TrainingJobId }),
  output: TrainingJob,
  example: { params: { agent: "sales", job: exampleTraining.job_id }, output: exampleTraining },
  permission: "agents:read",
  async load(ctx, { agent, job }) {
    const row = await findTraining(ctx, job);
    return row?.agent === agent ? row : undefined;
  },
  compliance: governs("agent.read", seenTraining),
  audit: ({ params }) => `training:${params.job}`,
  handle: async (ctx, { loaded }) => trainingView(await whenEnded(ctx, loaded, () => findTraining(ctx, loaded.id))),
});
