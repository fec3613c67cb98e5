import { beforeAll, expect, it } from "vitest";
import { insideOperations, publishedOperations } from "../../../scripts/checks/registry.ts";
import { scheduleSweep } from "../../src/features/schedules/sweep.ts";
import { actionsOfRule } from "../../src/kernel/approval-rules.ts";
import { describe as describeOperation } from "../../src/kernel/operation-seal.ts";
import { approveBy, type Cast, castIn, must, payingAgent } from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { scriptedModel } from "../../src/testing/models.ts";
import { eventually } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";
import { askingAgent, asksToPay, decide, reaches, settle, settleApproved, usePayments } from "./tasks.fixture.ts";
import { asked, hear, hookOf, payingWorkflow, send } from "./triggers.fixture.ts";

// Decision 0086: approval rules ask by every way in, because they are judged where policies are.

const app = useApp({ role: "api" });
const process = useWorkerProcess(app);
const payments = usePayments();
beforeAll(async () => {
  const model = scriptedModel((turn) =>
    turn === 1 ? { calls: [{ tool: "pay", input: { amount: 240 } }] } : { text: "{}" },
  );
  await process.worker({ model });
});

interface Arranged extends Cast {
  readonly agent: string;
}

const find = (query: string, ...values: string[]): Promise<string> =>
  eventually(async () => {
    const [row] = (await app.pool.query<{ id: string }>(query, values)).rows;
    if (!row) throw new Error("no task waits for people");
    return row.id;
  });

const ofBatch = async ({ alice, agent }: Arranged): Promise<string> => {
  const body = { items: [{ agent, task: "settle", amount: 1 }] };
  const { results } = (await app.call("POST", "/v1/tasks/batch", { key: alice.secret, body })).body;
  expect(results).toMatchObject([{ status: 202 }]);
  return results[0].body.task_id;
};

const ofRetry = async ({ alice, agent }: Arranged): Promise<string> => {
  const task = await settle(app, alice, agent);
  for (const word of ["cancel", "retry"]) await must(app, 202, alice, "POST", `/v1/tasks/${task}/${word}`, {});
  await reaches(app, task, "awaiting_approval");
  return task;
};

const ofSchedule = async ({ alice, agent }: Arranged): Promise<string> => {
  const body = { task: "settle", input: { amount: 240 }, schedule: "* * * * *" };
  const { schedule_id: id } = await must(app, 201, alice, "POST", `/v1/agents/${agent}/schedules`, body);
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  await app.pool.query("update agent_schedules set next_at = $2 where id = $1", [id, at]);
  await process.refresh();
  await process.sweeperWith([scheduleSweep]).sweep();
  return find("select id from tasks where $1 = any(labels)", `schedule:${id}`);
};

const ofTrigger = async ({ alice, agent }: Arranged): Promise<string> => {
  const hook = await hookOf(app, alice);
  const triggers = [{ hook: hook.name, map: { amount: "event.amount" } }];
  const workflow = await payingWorkflow(app, alice, { agent, triggers });
  await send(app, hook, { amount: 240 });
  await hear(app, process);
  return asked(app, workflow);
};

const ofMessage = async ({ alice, agent }: Arranged): Promise<string> => {
  const { conversation_id: id } = await must(app, 201, alice, "POST", "/v1/chat/conversations", { agent });
  await must(app, 202, alice, "POST", `/v1/chat/conversations/${id}/messages`, { text: "Pay it." });
  return find("select id from tasks where conversation = $1 and status = 'awaiting_approval'", id);
};

const ofChange = async (arranged: Arranged): Promise<string> => {
  const task = await settle(app, arranged.alice, arranged.agent);
  await decide(app, arranged.carol, task, "request-changes", { note: "Less." });
  await must(app, 200, arranged.alice, "PATCH", `/v1/tasks/${task}`, { input: { amount: 1 } });
  return task;
};

const ofCall = async (arranged: Arranged): Promise<string> => {
  const task = await settleApproved(app, arranged, arranged.agent);
  await asksToPay(app, arranged.alice, task, 240);
  return task;
};

it.each([
  ["a dispatch", ({ alice, agent }: Arranged) => settle(app, alice, agent), {}],
  ["a batch", ofBatch, {}],
  ["another attempt", ofRetry, {}],
  ["a schedule", ofSchedule, {}],
  ["a step of a workflow that a trigger started", ofTrigger, {}],
  ["a message", ofMessage, {}],
  ["another input after it was sent back", ofChange, {}],
  ["a call of a tool", ofCall, { tools: ["pay"] }],
] as const)("a rule asks the persons whom it names by way of %s, and nobody else", async (_way, task, more) => {
  const cast = await castIn(app, "production");
  const agent = "tools" in more ? await askingAgent(app, process, cast, payments.url) : await payingAgent(app, cast);
  await must(app, 200, cast.bob, "PUT", `/v1/approvals/settings/rules/${agent}`, {
    title: "Carol looks",
    when: { agents: [agent], ...more },
    require: { stages: [{ quorum: 1, members: [cast.carol.memberId] }] },
  });
  await process.refresh();
  const id = await task({ ...cast, agent });
  const { required_by: by } = await must(app, 200, cast.alice, "GET", `/v1/approvals/${id}`);
  expect(by).toMatchObject([{ kind: "rule", id: agent, name: "Carol looks", version: 1 }]);
  expect(await approveBy(app, cast.bob, id)).toBe("not_asked");
  expect(await approveBy(app, cast.carol, id)).toBe("approved");
});

it("no operation asks people by an action that rules do not judge", () => {
  const judged = [...actionsOfRule({}), ...actionsOfRule({ tools: ["*"] })];
  const others = [...publishedOperations().map(describeOperation), ...insideOperations()]
    .filter(({ emits }) => emits.some(({ type }) => type === "task.approval_required"))
    .filter(({ action }) => action === null || !judged.includes(action))
    .map(({ id }) => id);
  // These propose a dispatch or call in the place of another one, which is judged as such.
  expect(others.sort()).toEqual(["approvals.approve", "tasks.changeTask"]);
});
