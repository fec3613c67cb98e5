import { afterEach, describe, expect, it } from "vitest";
import { changeFacts } from "../../src/features/tasks/runs/testing.ts";
import type { Worker } from "../../src/runtime/index.ts";
import { approveBy, type Cast, castIn, must, payingAgent, strictEnvironments } from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { scriptedModel } from "../../src/testing/models.ts";
import { eventsOf, leaseOn, taskRow } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";
import {
  askingAgent,
  asks,
  asksToPay,
  decide,
  freeAgent,
  pays,
  reaches,
  says,
  settle,
  settleApproved,
  usePayments,
} from "./tasks.fixture.ts";

const app = useApp({ role: "api" });
const process = useWorkerProcess(app);
const payments = usePayments();

let worker: Worker | undefined;
/** A worker with a model that says these things, until the test ends. */
const works = async (...turns: Parameters<typeof says>) => {
  worker = await process.worker({ model: says(...turns) });
};
afterEach(async () => {
  await worker?.stop(20_000);
  worker = undefined;
});

describe.each(strictEnvironments)("a task in %s", (environment) => {
  it("the input's giver does not approve a task, somebody else does", async () => {
    const cast = await castIn(app, environment);
    const task = await settle(app, cast.alice, await payingAgent(app, cast));
    expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.bob, task)).toBe("approved");
  });

  it("the giver of a batch's item does not approve it, somebody else does", async () => {
    const cast = await castIn(app, environment);
    const agent = await payingAgent(app, cast);
    const items = [{ agent, task: "settle", amount: 240 }];
    const { results } = await must(app, 207, cast.alice, "POST", "/v1/tasks/batch", { items });
    const { task_id } = results[0].body;
    expect(await approveBy(app, cast.alice, task_id)).toBe("four_eyes");
    expect(await approveBy(app, cast.bob, task_id)).toBe("approved");
  });

  it("the editor of a task does not approve it, somebody else does", async () => {
    const cast = await castIn(app, environment);
    const task = await settle(app, cast.alice, await payingAgent(app, cast));
    expect((await decide(app, cast.bob, task, "approve", { edits: { amount: 2 } })).status).toBe("pending");
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.carol, task)).toBe("approved");
  });

  it("who changes what was sent back does not approve it, who sent it back does", async () => {
    const cast = await castIn(app, environment);
    const task = await settle(app, cast.alice, await payingAgent(app, cast));
    await decide(app, cast.bob, task, "request-changes", { note: "Less." });
    await must(app, 200, cast.carol, "PATCH", `/v1/tasks/${task}`, { input: { amount: 2 } });
    expect(await approveBy(app, cast.carol, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.bob, task)).toBe("approved");
  });

  it("the author of a policy approves what it asks people about", async () => {
    const cast = await castIn(app, environment);
    const agent = await freeAgent(app, process, cast);
    await must(app, 201, cast.bob, "POST", "/v1/governance/policies", {
      name: "Two people",
      scope: { actions: ["task.dispatch"], agents: [agent] },
      when: "true",
      effect: "require_approval",
      params: { approvers: 1, requester_allowed: false },
      reason_code: "two_people",
      message: "Two people decide.",
      state: "active",
    });
    await app.app.facts.refresh();
    const task = await settle(app, cast.alice, agent);
    expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.bob, task)).toBe("approved");
  });

  it("who cancels, retries, pauses and resumes a task approves it", async () => {
    const cast = await castIn(app, environment);
    const agent = await payingAgent(app, cast);
    const task = await settle(app, cast.alice, agent);
    await must(app, 202, cast.bob, "POST", `/v1/tasks/${task}/cancel`, {});
    await must(app, 202, cast.bob, "POST", `/v1/tasks/${task}/retry`, { from: "start" });
    await must(app, 200, cast.bob, "POST", `/v1/agents/${agent}/pause`, { reason: "it rests", mode: "drain" });
    await must(app, 200, cast.bob, "POST", `/v1/agents/${agent}/resume`, {});
    await works();
    await reaches(app, task, "awaiting_approval");
    expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.bob, task)).toBe("approved");
  });
});

describe.each(strictEnvironments)("a call within a run in %s", (environment) => {
  it("the editor of an earlier call does not approve a later one, somebody else does", async () => {
    const cast = await castIn(app, environment);
    const agent = await askingAgent(app, process, cast, payments.url);
    await works(pays(1), pays(3));
    const task = await settleApproved(app, cast, agent);
    await asksToPay(app, cast.bob, task, 1);
    await decide(app, cast.bob, task, "approve", { edits: { amount: 2 } });
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.carol, task)).toBe("approved");
    await asksToPay(app, cast.bob, task, 3);
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.carol, task)).toBe("approved");
    await reaches(app, task, "completed");
  });

  it("the writer of a note that sends a call back does not approve what comes of it, somebody else does", async () => {
    const cast = await castIn(app, environment);
    const agent = await askingAgent(app, process, cast, payments.url);
    await works(pays(1), pays(240));
    const task = await settleApproved(app, cast, agent);
    await asksToPay(app, cast.bob, task, 1);
    await decide(app, cast.bob, task, "request-changes", { note: "Pay 240." });
    await asksToPay(app, cast.bob, task, 240);
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.carol, task)).toBe("approved");
    await reaches(app, task, "completed");
  });

  it("who answers a question does not approve what comes of it, somebody else does", async () => {
    const cast = await castIn(app, environment);
    const agent = await askingAgent(app, process, cast, payments.url);
    await works(asks, pays(240));
    const task = await settleApproved(app, cast, agent);
    await reaches(app, task, "input_required");
    await must(app, 202, cast.bob, "POST", `/v1/tasks/${task}/input`, { answer: "240" });
    await asksToPay(app, cast.bob, task, 240);
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.carol, task)).toBe("approved");
    await reaches(app, task, "completed");
  });

  it("the writer of a comment does not approve what the agent asks for after it, somebody else does", async () => {
    const cast = await castIn(app, environment);
    const agent = await askingAgent(app, process, cast, payments.url);
    const task = await settleApproved(app, cast, agent);
    const comments = `/v1/tasks/${task}/comments`;
    const model = scriptedModel(async (turn) => {
      if (turn === 2) return pays(240);
      // Written while the run is under way.
      await must(app, 201, cast.bob, "POST", comments, { text: "It is 240." });
      return { calls: [{ tool: "look_up", input: {} }] };
    });
    worker = await process.worker({ model });
    await asksToPay(app, cast.bob, task, 240);
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.carol, task)).toBe("approved");
    const { data } = await must(app, 200, cast.bob, "GET", comments);
    expect(data[0].read_at).not.toBeNull();
  });
});

describe.each(strictEnvironments)("a waiting task in %s", (environment) => {
  /** A worker wants to start the task. */
  const start = (task: string) => process.port.start({ ...leaseOn(app, task), scope: { ...app.scope, environment } });
  const withdraw: Readonly<Record<string, (cast: Cast) => Promise<unknown>>> = {
    "owner is removed": ({ alice }) =>
      changeFacts(app, process, "keys", "update members set removed_at = now() where id = $1", [alice.memberId]),
    "owner loses the role": ({ alice, bob }) =>
      must(app, 200, bob, "PUT", `/v1/admin/members/${alice.memberId}`, { role: null }),
    "key is revoked": ({ alice, bob }) => must(app, 200, bob, "DELETE", `/v1/admin/keys/${alice.keyId}`),
  };
  const ways: Readonly<Record<string, (cast: Cast) => Promise<string>>> = {
    "its time": async (cast) => {
      const agent = await freeAgent(app, process, cast);
      const task = await settle(app, cast.alice, agent, { not_before: new Date(Date.now() + 60_000).toISOString() });
      await app.pool.query("update tasks set not_before = now() where id = $1", [task]);
      return task;
    },
    "its start after an approval": async (cast) => {
      const task = await settle(app, cast.alice, await payingAgent(app, cast));
      expect(await approveBy(app, cast.bob, task)).toBe("approved");
      return task;
    },
    "another try": async (cast) => {
      const task = await settle(app, cast.alice, await freeAgent(app, process, cast));
      await must(app, 202, cast.bob, "POST", `/v1/tasks/${task}/cancel`, {});
      await must(app, 202, cast.bob, "POST", `/v1/tasks/${task}/retry`, { from: "start" });
      return task;
    },
  };
  const reasons = Object.keys(withdraw);

  describe.each(Object.keys(ways))("for %s", (way) => {
    it.each(reasons)("a waiting task does not start once its %s, and says so", async (reason) => {
      const cast = await castIn(app, environment);
      const task = await (ways[way] as (typeof ways)[string])(cast);
      await (withdraw[reason] as (typeof withdraw)[string])(cast);
      await process.refresh();
      expect(await start(task)).toMatchObject({ claimed: false, reason: "blocked" });
      const { status, failure } = await taskRow(app, task);
      expect([status, (failure as { code: string }).code]).toEqual(["blocked", "actor_not_permitted"]);
      expect((await eventsOf(app, task)).at(-1)).toBe("task.blocked");
    });
  });

  it.each([
    ["was replaced", "revoked_at = now(), replaced_by = $2"],
    ["expired", "expires_at = now() - interval '1 second', replaced_by = nullif($2, $2)"],
  ])("a waiting task starts although its key %s", async (_what, change) => {
    const cast = await castIn(app, environment);
    const task = await settle(app, cast.alice, await freeAgent(app, process, cast));
    const text = `update keys set ${change} where id = $1`;
    await changeFacts(app, process, "keys", text, [cast.alice.keyId, cast.bob.keyId]);
    expect(await start(task)).toMatchObject({ claimed: true });
  });

  it("the writer of a comment does not approve the task whose agent reads it, somebody else does", async () => {
    const cast = await castIn(app, environment);
    const task = await settle(app, cast.alice, await payingAgent(app, cast));
    const comments = `/v1/tasks/${task}/comments`;
    await must(app, 201, cast.bob, "POST", comments, { text: "It is 240." });
    await must(app, 201, cast.carol, "POST", comments, { text: "Between us.", for_agent: false });
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.carol, task)).toBe("approved");
  });

  it("a task does not start whose only approver has written a comment for its agent since: people are asked again", async () => {
    const cast = await castIn(app, environment);
    const task = await settle(app, cast.alice, await payingAgent(app, cast));
    expect(await approveBy(app, cast.bob, task)).toBe("approved");
    await must(app, 201, cast.bob, "POST", `/v1/tasks/${task}/comments`, { text: "It is 240." });
    expect(await start(task)).toEqual({ claimed: false, reason: "awaiting_approval" });
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.carol, task)).toBe("approved");
    expect(await start(task)).toMatchObject({ claimed: true });
  });

  it("a task is not tried again on the approval of who has written a comment for its agent since it ended", async () => {
    const cast = await castIn(app, environment);
    const task = await settle(app, cast.alice, await payingAgent(app, cast));
    expect(await approveBy(app, cast.bob, task)).toBe("approved");
    expect(await start(task)).toMatchObject({ claimed: true });
    await must(app, 202, cast.alice, "POST", `/v1/tasks/${task}/cancel`, {});
    await must(app, 201, cast.bob, "POST", `/v1/tasks/${task}/comments`, { text: "It is 240." });
    await must(app, 202, cast.alice, "POST", `/v1/tasks/${task}/retry`, { from: "start" });
    expect(await start(task)).toEqual({ claimed: false, reason: "awaiting_approval" });
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
  });

  it("a waiting task's next round forgets nobody who decided it", async () => {
    const cast = await castIn(app, environment);
    const agent = await payingAgent(app, cast);
    const task = await settle(app, cast.alice, agent);
    await decide(app, cast.bob, task, "approve", { edits: { amount: 2 } });
    expect(await approveBy(app, cast.carol, task)).toBe("approved");
    const scope = { actions: ["task.run"], agents: [agent] };
    await app.policy(
      { scope, when: "true", effect: "require_approval", params: { approvers: 2 } },
      "active",
      environment,
    );
    await process.refresh();
    expect(await start(task)).toEqual({ claimed: false, reason: "awaiting_approval" });
    expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.carol, task)).toBe("pending");
    const dave = await app.signedInMember("admin", environment);
    expect(await approveBy(app, dave, task)).toBe("approved");
  });
});
