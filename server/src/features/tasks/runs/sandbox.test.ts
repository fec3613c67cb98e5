import { describe, expect, it } from "vitest";
import type { SkillRequest } from "../../../kernel/skill-runner.ts";
import { useApp } from "../../../testing/app.ts";
import { lookingUp, scriptedModel, shownResults } from "../../../testing/models.ts";
import { type Received, type Reply, startReceiver } from "../../../testing/receiver.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { changeFacts, underKillSwitch, underPolicy } from "./testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

const request = async (signal = new AbortController().signal): Promise<SkillRequest> => {
  const { rows } = await app.pool.query("select id from agent_versions where agent = 'sales' and number = 1");
  return { scope: app.scope, versionId: rows[0].id, skill: "qualify_lead", seed: 7, signal };
};
const input = { lead_id: "ld_1001" };
const openRecords = async () =>
  (
    await app.pool.query(
      "select body::json ->> 'operation' as operation from audit_records where body like '%tasks.try%' order by xid, n",
    )
  ).rows.map(({ operation }) => operation as string);

let services = 0;

/** Gives the skill one tool, which asks a service for a lead, and does `work` with what it was asked. */
async function withService(
  reply: (request: Received) => Reply,
  work: (received: readonly Received[]) => Promise<void>,
): Promise<void> {
  const service = await startReceiver(reply);
  const tool = {
    name: "crm",
    kind: "http",
    effect: "read",
    request: { method: "GET", url: `${service.url}/{lead_id}` },
    arguments: {
      type: "object",
      required: ["lead_id"],
      properties: { lead_id: { type: "string" } },
      additionalProperties: false,
    },
  };
  // Each time a version of another id: what a version says is kept in memory.
  const change = `update agent_versions set id = id || $2, definition = definition || jsonb_build_object(
    'tools', jsonb_build_array($1::jsonb), 'skills', jsonb_build_array((definition -> 'skills' -> 0) || '{"tools":["crm"]}')) where agent = 'sales'`;
  const { rows } = await app.pool.query("select id, definition from agent_versions where agent = 'sales'");
  await changeFacts(app, process, "agents", change, [JSON.stringify(tool), `-${++services}`]);
  try {
    await work(service.received);
  } finally {
    await changeFacts(
      app,
      process,
      "agents",
      "update agent_versions set id = $1, definition = $2 where agent = 'sales'",
      [rows[0].id, rows[0].definition],
    );
    await service.close();
  }
}

describe("a skill that runs outside of tasks", () => {
  it("looks up what it needs, answers, and says what it used; each call has its record, and no task comes of it", async () => {
    process.say(lookingUp({ notes: { groundedness: 0.75, probability: 0.8 } }));
    const ran = await process.skills.run({ ...(await request()), input });
    expect(ran).toMatchObject({
      kind: "completed",
      features: { probability: 0.8, probability_source: "trained", ungrounded: 0.25 },
      usage: { steps: 3, tokens: 30, costUsd: 0, ms: expect.any(Number) },
    });
    expect(ran.kind === "completed" && ran.output.reason).toContain("ld_1001");
    expect(await openRecords()).toEqual(["tasks.tryModel", "tasks.tryTool", "tasks.tryModel"]);
    const { rows } = await app.pool.query(
      "select (select count(*)::int from tasks) as tasks, (select count(*)::int from steps) as steps",
    );
    expect(rows[0]).toEqual({ tasks: 0, steps: 0 });
  });

  it("gives the model the seed that it is asked with", async () => {
    const seeds: unknown[] = [];
    process.say(scriptedModel(() => ({ text: "{}" }), { seen: ({ seed }) => seeds.push(seed) }));
    await process.skills.run({ ...(await request()), input });
    expect(seeds).toEqual([7]);
  });

  it("is refused what policies deny, and what stops stand against", async () => {
    process.say(lookingUp());
    await underPolicy(
      app,
      process,
      { scope: { actions: ["model.call"] }, effect: "deny", message: "Not this model." },
      async () => {
        expect(await process.skills.run({ ...(await request()), input })).toMatchObject({
          kind: "failed",
          failure: { code: "policy_blocked" },
        });
      },
    );
    await underKillSwitch(app, process, { kind: "tool", target: "get_lead" }, async () => {
      expect(await process.skills.run({ ...(await request()), input })).toMatchObject({
        kind: "failed",
        failure: { code: "held" },
      });
    });
  });

  it("fails where the model does, where it asks people, and where there is no such skill", async () => {
    process.say(scriptedModel(() => ({ text: "no object" })));
    expect(await process.skills.run({ ...(await request()), input })).toMatchObject({
      kind: "failed",
      failure: { code: "output_invalid" },
    });
    await expect(process.skills.run({ ...(await request()), skill: "sing", input })).rejects.toMatchObject({
      type: { code: "not_found" },
    });
  });

  it("breaks off when it is aborted", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    process.say(scriptedModel(() => new Promise(() => controller.abort(reason))));
    await expect(process.skills.run({ ...(await request(controller.signal)), input })).rejects.toBe(reason);
  });

  it("gathers what the reading tools find whose arguments each input supplies, in the order of the inputs", async () => {
    process.say(lookingUp());
    const inputs = [{ lead_id: "ld_1003" }, { lead_id: "ld_none" }, { lead_id: "ld_1002" }];
    const found = await process.skills.gather({ ...(await request()), inputs });
    expect(found).toMatchObject([{ get_lead: { id: "ld_1003" } }, {}, { get_lead: { id: "ld_1002" } }]);
    expect(found[1]).toEqual({});
  });

  it("gathers what other services answer, as a run would see it; what they do not have is left out", async () => {
    const answer = { status: 200, headers: { "content-type": "application/json" }, body: '{"size":12}' };
    await withService(
      ({ path }) => (path === "/ld_none" ? { status: 404 } : answer),
      async () => {
        process.say(lookingUp());
        const ran = await process.skills.run({ ...(await request()), input });
        const shown = ran.kind === "completed" && JSON.parse(String(ran.output.reason)).crm.data;
        const found = await process.skills.gather({ ...(await request()), inputs: [input, { lead_id: "ld_none" }] });
        expect(found).toEqual([{ crm: shown }, {}]);
        expect(shown).toMatchObject({ body: { size: 12 } });
      },
    );
  });

  it("gathers again for an input that a service's outage hinders, and ends with the outage where it goes on", async () => {
    let outages = 2;
    await withService(
      () => (outages-- > 0 ? { status: 503 } : { status: 200, body: "twelve" }),
      async (received) => {
        process.say(lookingUp());
        const gather = async () => process.skills.gather({ ...(await request()), inputs: [input], pauseMs: 1 });
        expect(await gather()).toMatchObject([{ crm: { body: "twelve" } }]);
        outages = 10;
        await expect(gather()).rejects.toMatchObject({ failure: { code: "http_server_error" } });
        expect(received).toHaveLength(3 + 3);
      },
    );
  });

  it("gathers nothing where policies or stops stand against it, and says so", async () => {
    process.say(lookingUp());
    const inputs = ["ld_1001", "ld_1002", "ld_1003"].map((lead_id) => ({ lead_id }));
    const gather = async () => process.skills.gather({ ...(await request()), inputs, pauseMs: 1 });
    await underPolicy(
      app,
      process,
      { scope: { actions: ["tool.call"] }, effect: "deny", message: "Not this tool." },
      async () => {
        await expect(gather()).rejects.toMatchObject({ failure: { code: "policy_blocked" } });
      },
    );
    await underKillSwitch(app, process, { kind: "tool", target: "get_lead" }, async () => {
      await expect(gather()).rejects.toMatchObject({ failure: { code: "held" } });
    });
  });

  it("is broken off within two seconds by a stop that comes in the middle of a turn or call", async () => {
    const asked = Promise.withResolvers<void>();
    const stopped = (work: Promise<unknown>) =>
      underKillSwitch(app, process, { kind: "agent", target: "sales" }, async () => {
        const began = Date.now();
        expect(await work.catch((error: unknown) => error)).toMatchObject({ failure: { code: "held" } });
        expect(Date.now() - began).toBeLessThan(2_000);
      });
    process.say(scriptedModel(() => new Promise(() => asked.resolve())));
    const run = process.skills.run({ ...(await request()), input });
    await asked.promise;
    await stopped(run);
    process.say(lookingUp());
    const called = Promise.withResolvers<void>();
    const silent = (): Reply => {
      called.resolve();
      return null;
    };
    await withService(silent, async () => {
      const gathering = process.skills.gather({ ...(await request()), inputs: [input], pauseMs: 1 });
      await called.promise;
      await stopped(gathering);
    });
  });

  it("keeps personal data from the model, and puts it back into what comes of it", async () => {
    const fields = JSON.stringify({ mail: "ann.lee@example.com" });
    await app.pool.query(
      "update documents set fields = $1 where external_id = 'ld_1001' and environment = 'development'",
      [fields],
    );
    const seen: string[] = [];
    process.say(lookingUp({ seen: ({ prompt }) => seen.push(JSON.stringify(prompt)) }));
    await underPolicy(
      app,
      process,
      { scope: { actions: ["tool.call"] }, effect: "redact", params: { kinds: ["email"] } },
      async () => {
        const ran = await process.skills.run({ ...(await request()), input });
        expect(seen.join()).not.toContain("ann.lee");
        expect(ran.kind === "completed" && ran.output.reason).toContain("ann.lee@example.com");
      },
    );
  });

  it("writes nothing: the model is told that it was not carried out", async () => {
    await changeFacts(
      app,
      process,
      "agents",
      `update agent_versions set id = id || 'w', definition = definition || jsonb_build_object('model', '{"provider":"openai","name":"sample-model"}'::jsonb,
         'tools', '[{"name":"send_mail","kind":"http","effect":"write","request":{"method":"POST","url":"http://127.0.0.1:9/never"}}]'::jsonb,
         'skills', jsonb_build_array((definition -> 'skills' -> 0) || '{"tools":["send_mail"],"output":{"type":"object"}}')) where agent = 'sales'`,
      [],
    );
    process.say(
      scriptedModel((_turn, given) => {
        const { send_mail: sent } = shownResults(given);
        return sent === undefined ? { calls: [{ tool: "send_mail", input: {} }] } : { text: JSON.stringify({ sent }) };
      }),
    );
    const ran = await process.skills.run({ ...(await request()), input });
    expect(ran).toMatchObject({ kind: "completed", output: { sent: { data: { carried_out: false } } } });
  });
});
