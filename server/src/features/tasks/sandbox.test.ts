import { describe, expect, it } from "vitest";
import type { SkillRequest } from "../../kernel/skill-runner.ts";
import { useApp } from "../../testing/app.ts";
import { lookingUp, scriptedModel, shownResults } from "../../testing/models.ts";
import { useWorkerProcess } from "../../testing/worker.ts";
import { changeFacts, underPolicy, underStop } from "./testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

const request = async (signal = new AbortController().signal): Promise<SkillRequest> => {
  const { rows } = await app.pool.query("select id from agent_versions where agent = 'sales' and number = 1");
  return { scope: app.scope, versionId: rows[0].id, skill: "qualify_lead", seed: 7, signal };
};
const input = { lead_id: "ld_1001" };
const openRecords = async () =>
  (
    await app.pool.query("select body::json ->> 'operation' as operation from audit_records where body like '%tasks.try%' order by xid, n")
  ).rows.map(({ operation }) => operation as string);

describe("a skill that runs outside of tasks", () => {
  it("looks up what it needs, answers, and says what it used; each call has its record, and no task comes of it", async () => {
    process.say(lookingUp({ notes: { groundedness: 0.75, uncertainty: 0.2 } }));
    const ran = await process.skills.run({ ...(await request()), input });
    expect(ran).toMatchObject({
      ...{ kind: "completed", features: { uncertainty: 0.2, ungrounded: 0.25 } },
      usage: { steps: 3, tokens: 30, costUsd: 0, ms: expect.any(Number) },
    });
    expect(ran.kind === "completed" && ran.output.reason).toContain("ld_1001");
    expect(await openRecords()).toEqual(["tasks.tryModel", "tasks.tryTool", "tasks.tryModel"]);
    const { rows } = await app.pool.query("select (select count(*)::int from tasks) as tasks, (select count(*)::int from steps) as steps");
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
    await underPolicy(app, process, { scope: { actions: ["model.call"] }, effect: "deny", message: "Not this model." }, async () => {
      expect(await process.skills.run({ ...(await request()), input })).toMatchObject({
        kind: "failed",
        failure: { code: "policy_blocked" },
      });
    });
    await underStop(app, process, { kind: "tool", target: "get_lead" }, async () => {
      expect(await process.skills.run({ ...(await request()), input })).toMatchObject({ kind: "failed", failure: { code: "held" } });
    });
  });

  it("fails where the model does, where it asks people, and where there is no such skill", async () => {
    process.say(scriptedModel(() => ({ text: "no object" })));
    expect(await process.skills.run({ ...(await request()), input })).toMatchObject({
      kind: "failed",
      failure: { code: "output_invalid" },
    });
    await expect(process.skills.run({ ...(await request()), skill: "sing", input })).rejects.toMatchObject({ type: { code: "not_found" } });
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

  it("keeps personal data from the model, and puts it back into what comes of it", async () => {
    const fields = JSON.stringify({ mail: "ann.lee@example.com" });
    await app.pool.query("update documents set fields = $1 where external_id = 'ld_1001' and environment = 'development'", [fields]);
    const seen: string[] = [];
    process.say(lookingUp({ seen: ({ prompt }) => seen.push(JSON.stringify(prompt)) }));
    await underPolicy(app, process, { scope: { actions: ["tool.call"] }, effect: "redact", params: { kinds: ["email"] } }, async () => {
      const ran = await process.skills.run({ ...(await request()), input });
      expect(seen.join()).not.toContain("ann.lee");
      expect(ran.kind === "completed" && ran.output.reason).toContain("ann.lee@example.com");
    });
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
