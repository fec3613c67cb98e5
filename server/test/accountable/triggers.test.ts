import { beforeAll, describe, expect, it } from "vitest";
import { approveBy, type Cast, castIn, must, payingAgent, strictEnvironments } from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";
import { accountNamedIn, passings, withdrawals } from "./named.fixture.ts";
import {
  asked,
  botKey,
  forgetWorkflow,
  hear,
  hookOf,
  payingWorkflow,
  publishAgain,
  runsOf,
  send,
  triggerOf,
} from "./triggers.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);
beforeAll(async () => {
  await process.worker();
});

const amountOf = (hook: { name: string }) => ({ hook: hook.name, map: { amount: "event.amount" } });

describe("a trigger", () => {
  it.each(strictEnvironments)(
    "whoever issued the key by which it was published does not approve what it starts, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const agent = await payingAgent(app, cast);
      const hook = await hookOf(app, cast.alice);
      const workflow = await payingWorkflow(app, await botKey(app, cast.alice), { agent, triggers: [amountOf(hook)] });
      await send(app, hook, { amount: 240 });
      await hear(app, process);
      const task = await asked(app, workflow);
      expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
      expect(await approveBy(app, cast.bob, task)).toBe("approved");
    },
  );

  it.each(strictEnvironments)(
    "whoever names the account that it acts as does not approve what it starts, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const agent = await payingAgent(app, cast);
      const { account } = await botKey(app, cast.carol, "operator");
      const hook = await hookOf(app, cast.carol);
      const triggers = [{ ...amountOf(hook), as: account }];
      const workflow = await payingWorkflow(app, cast.alice, { agent, triggers });
      await forgetWorkflow(app, workflow);
      await send(app, hook, { amount: 240 });
      await hear(app, process);
      const task = await asked(app, workflow);
      expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
      expect(await approveBy(app, cast.bob, task)).toBe("approved");
    },
  );

  it.each(strictEnvironments)(
    "whoever set its map does not approve what it starts under the next owner, until a second person has looked at it, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const { alice, bob, carol } = cast;
      const agent = await payingAgent(app, cast);
      const hook = await hookOf(app, carol);
      const workflow = await payingWorkflow(app, alice, { agent, triggers: [amountOf(hook)] });
      const object = `trigger:${(await triggerOf(app, cast, workflow)).trigger_id}`;
      await must(app, 200, bob, "POST", "/v1/governance/take-overs", { object });
      await forgetWorkflow(app, workflow);
      await send(app, hook, { amount: 240 });
      await hear(app, process);
      const first = await asked(app, workflow);
      expect(await approveBy(app, alice, first)).toBe("four_eyes");
      await publishAgain(app, carol, workflow);
      await forgetWorkflow(app, workflow);
      await send(app, hook, { amount: 250 });
      await hear(app, process);
      const next = await asked(app, workflow, first);
      expect(await approveBy(app, carol, next)).toBe("four_eyes");
      expect(await approveBy(app, alice, next)).toBe("approved");
    },
  );
});

it.each(strictEnvironments)(
  "whoever changes a trigger's map is no second person for it by publishing it, in %s",
  async (environment) => {
    const cast = await castIn(app, environment);
    const { alice, bob, carol } = cast;
    const agent = await payingAgent(app, cast);
    const hook = await hookOf(app, carol);
    const trigger = { ...amountOf(hook), id: "in" };
    const workflow = await payingWorkflow(app, carol, { agent, triggers: [trigger] });
    await publishAgain(app, alice, workflow, { triggers: [{ ...trigger, map: { amount: "9000.0" } }] });
    const object = `trigger:${(await triggerOf(app, cast, workflow)).trigger_id}`;
    await must(app, 200, bob, "POST", "/v1/governance/take-overs", { object });
    await forgetWorkflow(app, workflow);
    await send(app, hook, { amount: 1 });
    await hear(app, process);
    const task = await asked(app, workflow);
    expect(await approveBy(app, alice, task)).toBe("four_eyes");
    const dave = await app.signedInMember("admin", environment);
    expect(await approveBy(app, dave, task)).toBe("approved");
  },
);

describe("a hook", () => {
  it.each(strictEnvironments)(
    "whoever got a secret that still counts does not approve what its payload leads to, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const { alice, bob, carol } = cast;
      const agent = await payingAgent(app, cast);
      const hook = await hookOf(app, alice);
      const workflow = await payingWorkflow(app, carol, { agent, triggers: [amountOf(hook)] });
      await forgetWorkflow(app, workflow);
      const rotate = (by: typeof bob, overlap_seconds: number) =>
        must(app, 200, by, "POST", `/v1/hooks/${hook.name}/rotate-secret`, { overlap_seconds });
      const { secret } = await rotate(bob, 60);
      await send(app, { name: hook.name, secret }, { amount: 240 });
      await hear(app, process);
      const task = await asked(app, workflow);
      for (const one of [alice, bob]) expect(await approveBy(app, one, task)).toBe("four_eyes");
      const last = await rotate(bob, 0);
      await send(app, { name: hook.name, secret: last.secret }, { amount: 250 });
      await hear(app, process);
      const next = await asked(app, workflow, task);
      expect(await approveBy(app, bob, next)).toBe("four_eyes");
      expect(await approveBy(app, alice, next)).toBe("approved");
    },
  );
});

describe("an event", () => {
  it.each(strictEnvironments)(
    "of another's task: whoever gave that its input does not approve what the event starts, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const agent = await payingAgent(app, cast);
      const triggers = [{ event: "task.created", where: `event.agent == "${agent}"`, map: { of: "event.task_id" } }];
      const workflow = await payingWorkflow(app, cast.carol, { agent, triggers, amount: "input.of" });
      await forgetWorkflow(app, workflow);
      await must(app, 202, cast.alice, "POST", `/v1/agents/${agent}/tasks`, { task: "settle", amount: 240 });
      await hear(app, process);
      const task = await asked(app, workflow);
      expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
      expect(await approveBy(app, cast.bob, task)).toBe("approved");
    },
  );

  it.each(strictEnvironments)(
    "of an operation: whoever called it does not approve what the event starts, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const agent = await payingAgent(app, cast);
      const triggers = [{ event: "key.revoked", map: { amount: "event.key_id" } }];
      const workflow = await payingWorkflow(app, cast.carol, { agent, triggers });
      await forgetWorkflow(app, workflow);
      const { keyId } = await botKey(app, cast.bob);
      await must(app, 200, cast.alice, "DELETE", `/v1/admin/keys/${keyId}`, {});
      await hear(app, process);
      const task = await asked(app, workflow);
      expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
      expect(await approveBy(app, cast.bob, task)).toBe("approved");
    },
  );
});

describe("a trigger whose owner may not act", () => {
  const arrange = async (environment: Cast["environment"]) => {
    const cast = await castIn(app, environment);
    const agent = await payingAgent(app, cast);
    const hook = await hookOf(app, cast.carol);
    const bot = await botKey(app, cast.alice);
    const workflow = await payingWorkflow(app, bot, { agent, triggers: [amountOf(hook)] });
    const trigger = await triggerOf(app, cast, workflow);
    const fires = async () => {
      await send(app, hook, { amount: 240 });
      await hear(app, process);
      return runsOf(app, workflow);
    };
    return { cast, bot, workflow, object: `trigger:${trigger.trigger_id}`, owner: trigger.runs_as as string, fires };
  };
  type Arranged = Awaited<ReturnType<typeof arrange>>;

  it.each<[string, (given: Arranged) => Promise<unknown>]>([
    ["was removed", ({ owner }) => app.pool.query("update members set removed_at = now() where id = $1", [owner])],
    ["lost its role", ({ owner }) => app.pool.query("update members set roles = '{}' where id = $1", [owner])],
    ["had its key revoked", ({ cast, bot }) => must(app, 200, cast.alice, "DELETE", `/v1/admin/keys/${bot.keyId}`, {})],
  ])("stops and says so in its row, the list and an event: it %s", async (_why, withdraw) => {
    const given = await arrange("production");
    const { cast, workflow, object, owner, fires } = given;
    await withdraw(given);
    expect(await fires()).toBe(0);
    const stopped = await triggerOf(app, cast, workflow);
    expect(stopped).toMatchObject({ active: false, stopped_reason: expect.stringContaining("Stopped: ") });
    const { rows } = await app.pool.query(
      "select body::json as body from events where type = 'automation.stopped' and body::json ->> 'object' = $1",
      [object],
    );
    expect(rows).toEqual([{ body: { event: "automation.stopped", object, owner, reason: stopped.stopped_reason } }]);
    expect(await fires()).toBe(0);
    await publishAgain(app, cast.bob, workflow);
    expect(await triggerOf(app, cast, workflow)).toMatchObject({ stopped_reason: null, runs_as: cast.bob.memberId });
    expect(await fires()).toBe(1);
  });

  it("goes on by the key that took the place of its own", async () => {
    const { cast, bot, fires } = await arrange("production");
    const replacement = await must(app, 201, cast.alice, "POST", "/v1/admin/keys", {
      name: "next",
      role: "builder",
      for: { service_account: bot.account },
    });
    await app.pool.query("update keys set replaced_by = $2, revoked_at = now() where id = $1", [
      bot.keyId,
      replacement.key_id,
    ]);
    expect(await fires()).toBe(1);
  });

  it("of which nobody is recorded starts again once a person takes it over", async () => {
    const { cast, workflow, object, fires } = await arrange("staging");
    await app.pool.query(
      `update workflow_triggers set stopped_at = now(), stopped_reason = 'Nobody is recorded who set it up. Take it over to start it again.',
         actor = jsonb_set(jsonb_set(actor, '{persons}', '[]'), '{credential}', '{"system":"system:upgrade"}')
       where workflow = $1`,
      [workflow],
    );
    expect(await fires()).toBe(0);
    await must(app, 200, cast.bob, "POST", "/v1/governance/take-overs", { object });
    expect(await fires()).toBe(1);
    const task = await asked(app, workflow);
    expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
  });
});

describe.each(strictEnvironments)("a trigger with an account that somebody named, in %s", (environment) => {
  const arrange = async () => {
    const cast = await castIn(app, environment);
    const agent = await payingAgent(app, cast);
    const { account, memberId, namer } = await accountNamedIn(app, cast);
    const hook = await hookOf(app, cast.carol);
    const workflow = await payingWorkflow(app, namer, { agent, triggers: [{ ...amountOf(hook), as: account }] });
    const fires = async () => {
      await send(app, hook, { amount: 240 });
      await hear(app, process);
      return runsOf(app, workflow);
    };
    return { cast, workflow, fires, given: { account: memberId, namer, environment, by: cast.bob } };
  };

  it.each(withdrawals)("stops and says so: %s", async (_why, withdraw) => {
    const { cast, workflow, fires, given } = await arrange();
    await withdraw(app, given);
    expect(await fires()).toBe(0);
    expect(await triggerOf(app, { ...cast, alice: cast.bob }, workflow)).toMatchObject({
      active: false,
      stopped_reason: expect.stringContaining("Stopped: "),
    });
  });

  it.each(passings)("goes on: %s", async (_why, pass) => {
    const { fires, given } = await arrange();
    await pass(app, given);
    expect(await fires()).toBe(1);
  });
});
