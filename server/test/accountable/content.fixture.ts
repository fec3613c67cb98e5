import { expect } from "vitest";
import { createReader } from "../../src/db/reader.ts";
import { createTrainingJob } from "../../src/features/agents/training/jobs/training-job.ts";
import { examplesOf, rote, runner } from "../../src/features/agents/training/training.fixture.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { type Cast, forgetDeciders, must, openGate, type Person, payingAgent } from "../../src/testing/actors.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { signIn } from "../../src/testing/sessions.ts";
import { sealsOf } from "../../src/testing/tasks.ts";
import type { WorkerProcess } from "../../src/testing/worker.ts";

// Agents whose content people decide, for the tests of rule B of decision 0064.

export const impact = { reversible: true, external: true, money: 50 };
const input = { type: "object", properties: { text: { type: "string" } } };
const output = { type: "object", required: ["kind"], properties: { kind: { enum: ["even", "odd"] } } };

/** A person, signed in, confirms content as it stands. */
export async function confirmBy(app: TestApp, { secret }: Person, object: string): Promise<void> {
  const session = await signIn(app, { key: secret });
  const { digest } = (await session.call("GET", `/v1/governance/contents/${object}`)).body;
  const { status, text } = await session.change("POST", "/v1/governance/confirmations", { object, digest });
  expect(status, text).toBe(201);
  await app.app.facts.refresh();
}

export function contentCalls(app: TestApp, worker: WorkerProcess) {
  const ask = async (agent: string, by: Person): Promise<string> =>
    (await must(app, 202, by, "POST", `/v1/agents/${agent}/tasks`, { task: "settle", amount: 240 })).task_id;

  const patch = (agent: string, by: Person, body: object) =>
    must(app, 200, by, "PATCH", `/v1/agents/${agent}`, body, { "if-match": "*" });

  /** Freezes the draft, opens its gate and deploys it; the deployment's answer. */
  async function release(agent: string, { environment }: Cast, by: { frozen: Person; deployed: Person }, body = {}) {
    const { version } = await must(app, 201, by.frozen, "POST", `/v1/agents/${agent}/versions`, {});
    await openGate(app, agent, environment);
    return must(app, 201, by.deployed, "POST", `/v1/agents/${agent}/deployments`, { version, ...body });
  }

  /** An agent that learns, with a version that nobody decided. */
  async function pupil(cast: Cast): Promise<string> {
    const agent = await payingAgent(app, cast);
    await patch(agent, cast.bob, { skills: [{ name: "settle", input, output, tools: ["pay"], impact }] });
    await release(agent, cast, { frozen: cast.bob, deployed: cast.bob });
    await forgetDeciders(app, agent);
    return agent;
  }

  async function makeDataset(agent: string, by: Person): Promise<string> {
    const items = examplesOf(60).map(({ output: expected, ...item }) => ({ ...item, expected }));
    const body = { name: `${agent}-numbers`, agent, skill: "settle", items };
    return (await must(app, 201, by, "POST", "/v1/evaluations/datasets", body)).dataset_id;
  }

  /** Has a person train an agent; carries the training out. Returns the job as its end leaves it. */
  async function train(agent: string, { environment }: Cast, by: Person, dataset: string) {
    const started = await must(app, 202, by, "POST", `/v1/agents/${agent}/training`, {
      skill: "settle",
      dataset,
      version: 2,
    });
    return async () => {
      const parts = {
        db: createReader(worker.database.pool),
        seals: await sealsOf(app),
        inside: worker.inside,
        port: app.app.port,
      };
      const job = createTrainingJob({ clock: systemClock, ...parts, ...rote(), ...runner() }, { pauseMs: 1 });
      await job({ ...app.scope, environment, training: started.job_id });
      return must(app, 200, by, "GET", `/v1/agents/${agent}/training/${started.job_id}`);
    };
  }

  return { ask, patch, release, pupil, makeDataset, train };
}
