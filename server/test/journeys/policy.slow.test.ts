import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { type Answered, type Client, clientOf } from "../client.ts";
import { type ValidatingProxy, validatingProxy } from "../prism.ts";
import { aos, dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

// A builder and a compliance officer, through the interface only: one sets an agent up, the other sees what a policy would have done before it does
// it, and proves afterwards what it did. One story in order. Prism stands between them and the service, but for the agent's file, which is no JSON.

const file = `agent: refunds
description: Pays money back.
model: { provider: builtin }
skills:
  - name: refund
    input:
      type: object
      required: [order, amount]
      properties:
        order: { type: string, pattern: "^or_" }
        amount: { type: number, minimum: 0 }
    output: { type: object, properties: { paid: { type: boolean } } }
`;
const calls = 3000;
const large = 12;
/** Every 250th refund is over the limit, and no other. */
const refunds = Array.from({ length: calls }, (_one, n) => ({
  order: `or_${n}`,
  amount: n % 250 === 7 ? 900 + n / 1000 : n % 500,
}));
const policy = {
  name: "No large refunds",
  scope: { actions: ["task.dispatch"], agents: ["refunds"] },
  when: "has(input.amount) && input.amount > 500",
  effect: "deny",
  reason_code: "refund_too_large",
  message: "Refunds above 500 are made by people.",
} as const;

// Not tried a second time: calls that were made count.
describe("the journey of a policy", { retry: 0 }, () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  let service: ServiceProcess;
  let proxy: ValidatingProxy;
  let direct: Client;
  let officer: Client;
  let builder: Client;
  let auditor: Client;
  let policyId: string;
  let denied: Answered[];

  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
    service = await startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role: "all" });
    proxy = await validatingProxy(service.url);
    const admin = (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim();
    officer = clientOf(proxy.url, admin);
    const keyOf = async (role: string): Promise<string> => {
      const { body } = await officer("POST", "/v1/admin/keys", {
        body: { name: role, role, for: { service_account: `${role}-of-the-journey` } },
      });
      return body.key;
    };
    const secret = await keyOf("builder");
    [direct, builder, auditor] = [
      clientOf(service.url, secret),
      clientOf(proxy.url, secret),
      clientOf(proxy.url, await keyOf("auditor")),
    ];
  }, 120_000);
  afterAll(async () => {
    await proxy?.close();
    await service?.stop();
    await database?.close();
    await folder?.remove();
  });

  /** Sends refunds, sixteen at a time; answers in their order. Those that matter, and each tenth, pass Prism; it takes longer than the service. */
  async function ask(some: readonly { order: string; amount: number }[]): Promise<Answered[]> {
    const answers: Answered[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < some.length; at = next++) {
        const input = some[at] as { order: string; amount: number };
        const call = input.amount > 500 || at % 10 === 0 ? builder : direct;
        const send = () =>
          call("POST", "/v1/agents/refunds/tasks", { body: { task: "refund", input, require_approval: true } });
        answers[at] = await send();
        // A process that stalls says so and has done nothing: it is asked again, as callers do.
        while (answers[at]?.body.code === "overloaded") {
          await delay(1_000);
          answers[at] = await send();
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    return answers;
  }

  it("begins with an agent that a builder brings as a file, freezes and deploys", async () => {
    const made = await direct("POST", "/v1/agents", { body: file, headers: { "content-type": "application/yaml" } });
    expect(made.status, made.text).toBe(201);
    const frozen = await builder("POST", "/v1/agents/refunds/versions", { body: { note: "The first." } });
    expect([frozen.status, frozen.body.version], frozen.text).toEqual([201, 1]);
    const deployed = await builder("POST", "/v1/agents/refunds/deployments", { body: { version: 1 } });
    expect(deployed.status, deployed.text).toBe(201);
  });

  it(`goes on with ${calls} calls, none of which anybody minds`, async () => {
    const answers = await ask(refunds);
    expect(answers.filter(({ status }) => status !== 202).map(({ text }) => text)).toEqual([]);
  }, 300_000);

  it(`tells the officer before anything is in force that ${large} of them would have been denied`, async () => {
    const { status, body, text } = await officer("POST", "/v1/governance/policies/simulate", { body: policy });
    expect(status, text).toBe(200);
    expect(body).toMatchObject({
      calls,
      not_replayable: 0,
      matched: large,
      failed: 0,
      would_be_denied: large,
      would_wait: 0,
      no_longer_denied: 0,
    });
    expect(body.examples).toHaveLength(large);
    expect(body.duration_ms).toBeLessThan(5000);
    const still = await ask(refunds.slice(7, 8));
    expect(still[0]?.status).toBe(202);
  }, 60_000);

  it("lets a builder not make policies", async () => {
    const { status, body } = await builder("POST", "/v1/governance/policies", { body: policy });
    expect([status, body.missing_scope]).toEqual([403, "governance:write"]);
  });

  it("puts the policy in force, with what the replay found kept beside it", async () => {
    const made = await officer("POST", "/v1/governance/policies", { body: { ...policy, state: "active" } });
    expect(made.status, made.text).toBe(201);
    policyId = made.body.policy_id;
    expect(made.body.report.would_be_denied).toBe(large + 1);
    const read = await officer("GET", made.headers.get("location") as string);
    expect(read.body).toMatchObject({ state: "active", in_force: { active: 1, shadow: null } });
  }, 60_000);

  it("denies exactly those calls from then on", async () => {
    const answers = await ask(refunds);
    const refused = answers.flatMap(({ status }, at) => (status === 202 ? [] : [at]));
    expect(refused).toEqual(refunds.flatMap(({ amount }, at) => (amount > 500 ? [at] : [])));
    expect(refused).toHaveLength(large);
    denied = refused.map((at) => answers[at] as Answered);
    for (const { status, body } of denied) {
      expect([status, body.code, body.policies[0].policy]).toEqual([403, "policy_blocked", policyId]);
      expect(body.detail).toContain(policy.message);
    }
  }, 300_000);

  it("lists each of them as a violation, with its record", async () => {
    const { body } = await officer("GET", `/v1/governance/violations?source=${policyId}&kind=blocked&limit=100`);
    const listed = (body.data as { audit_ref: string; agent: string; reason_code: string }[]).map(
      ({ audit_ref }) => audit_ref,
    );
    expect(listed.sort()).toEqual(denied.map((one) => one.body.audit_ref).sort());
    expect(body.data[0]).toMatchObject({
      agent: "refunds",
      reason_code: policy.reason_code,
      action: "task.dispatch",
      kind: "blocked",
    });
  });

  it("proves them by an export that an auditor verifies offline", async () => {
    const started = await auditor("POST", "/v1/audit/exports", {
      body: { format: "jsonl", filter: { decision: ["refused"], stage: ["compliance"] } },
    });
    expect(started.status, started.text).toBe(202);
    const where = started.headers.get("location") as string;
    let state = started;
    const completed = async (): Promise<boolean> => {
      state = await auditor("GET", where);
      return state.body.state === "completed";
    };
    await until("the export is completed", completed, 60_000, () => state.text);
    const { text } = await auditor("GET", where, { headers: { accept: "application/x-ndjson" } });
    const named = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(JSON.parse(line).record).id as string);
    expect(named.sort()).toEqual(denied.map((one) => one.body.audit_ref).sort());
    const files = { data: path.join(folder.dataDir, "refused.jsonl"), manifest: path.join(folder.dataDir, "manifest") };
    await Promise.all([writeFile(files.data, text), writeFile(files.manifest, state.body.manifest)]);
    const verify = () => aos("audit", "verify", files.data, "--manifest", files.manifest, "--key", state.body.log_key);
    expect(await verify()).toMatchObject({ code: 0 });
    await writeFile(files.data, text.replace("refused", "allowed"));
    expect(await verify()).toMatchObject({ code: 1 });
  }, 120_000);
});
