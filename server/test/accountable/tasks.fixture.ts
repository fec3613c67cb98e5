import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect } from "vitest";
import { changeFacts } from "../../src/features/tasks/runs/testing.ts";
import { approveBy, type Cast, must, type Person, payingAgent } from "../../src/testing/actors.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/testing/models.ts";
import { eventually, taskRow } from "../../src/testing/tasks.ts";
import type { WorkerProcess } from "../../src/testing/worker.ts";

// What tests of tasks and their runs have in common: docs/decisions/0064.

/** Where the tools of this file's agents post to. */
export function usePayments(): { readonly url: string } {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"paid":true}');
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`;
    },
  };
}

/** An agent whose calls a provider's model proposes. */
export async function askingAgent(app: TestApp, worker: WorkerProcess, cast: Cast, url: string): Promise<string> {
  const agent = await payingAgent(app, cast);
  const text = `update agent_versions set definition = jsonb_set(definition, '{tools,0,request,url}', to_jsonb($2::text))
    || '{"model":{"provider":"openai","name":"sample-model"}}' where agent = $1`;
  await changeFacts(app, worker, "agents", text, [agent, url]);
  return agent;
}

/** An agent of whose tasks nobody is asked. */
export async function freeAgent(app: TestApp, worker: WorkerProcess, cast: Cast): Promise<string> {
  const agent = await payingAgent(app, cast);
  const text = `update agent_versions set definition = definition #- '{skills,0,impact}' #- '{tools,0,impact}'
    #- '{skills,0,tools}' where agent = $1`;
  await changeFacts(app, worker, "agents", text, [agent]);
  return agent;
}

/** A model that says these things one after another, then ends. */
export const says = (...turns: ScriptedTurn[]) => scriptedModel((turn) => turns[turn - 1] ?? { text: "{}" });
export const pays = (amount: number): ScriptedTurn => ({ calls: [{ tool: "pay", input: { amount } }] });
export const asks: ScriptedTurn = { calls: [{ tool: "ask", input: { question: "How much?" } }] };

export const settle = async (app: TestApp, by: Person, agent: string, more: object = {}): Promise<string> =>
  (await must(app, 202, by, "POST", `/v1/agents/${agent}/tasks`, { task: "settle", amount: 1, ...more })).task_id;

/** A task that somebody else has approved as a whole; its calls are still to be approved. */
export async function settleApproved(app: TestApp, { alice, carol }: Cast, agent: string): Promise<string> {
  const task = await settle(app, alice, agent);
  expect(await approveBy(app, carol, task)).toBe("approved");
  return task;
}

export const reaches = (app: TestApp, task: string, status: string) =>
  eventually(async () => expect((await taskRow(app, task)).status).toBe(status));

/** Waits until people are asked about a payment of this amount. */
export const asksToPay = (app: TestApp, by: Person, task: string, amount: number) =>
  eventually(async () => {
    const { body } = await app.call("GET", `/v1/approvals/${task}`, { key: by.secret });
    expect(body).toMatchObject({ status: "pending", action: { arguments: { amount } } });
  });

/** Decides what a task waits for. */
export async function decide(app: TestApp, by: Person, task: string, word: string, body: object = {}) {
  const { digest } = await must(app, 200, by, "GET", `/v1/approvals/${task}`);
  return must(app, 200, by, "POST", `/v1/approvals/${task}/${word}`, { digest, ...body });
}
