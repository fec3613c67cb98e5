import { beforeAll, describe, expect, it, vi } from "vitest";
import { standingKinds } from "../../src/features/admin/public.ts";
import { alertSweep } from "../../src/features/analytics/alerts/sweep.ts";
import { reportSweep } from "../../src/features/analytics/reports/sweep.ts";
import { insertTask, newId } from "../../src/features/analytics/rollups/facts.fixture.ts";
import { rollUp } from "../../src/features/analytics/rollups/testing.ts";
import { createExportJob } from "../../src/features/audit/exports/jobs/export-job.ts";
import { auditPort, exportPort as exports, sinkPort } from "../../src/features/audit/ports.ts";
import { createSinkJob } from "../../src/features/audit/sinks/jobs/sink-job.ts";
import { exportPort } from "../../src/features/audit/testing.ts";
import { reviewSweep } from "../../src/features/evaluations/reviews/operations/draw-reviews.ts";
import { newDataset, runJobOf, sameTeam, skillsThat, teamItems } from "../../src/features/evaluations/testing.ts";
import { sequenced } from "../../src/features/workflows/triggers/triggers.fixture.ts";
import { actorOfCall } from "../../src/kernel/actor.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { WriteContext } from "../../src/kernel/context.ts";
import { noMeter } from "../../src/kernel/metrics.ts";
import type { Environment } from "../../src/kernel/principal.ts";
import { castIn, must, type Person, strictEnvironments } from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { startDelivery } from "../../src/testing/delivery.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";

const app = useApp();
const machines = useWorkerProcess(app);
const count = async (query: string, id: string): Promise<number> =>
  (await app.pool.query(`select count(*)::int as n from ${query}`, [id])).rows[0].n;
const sweep = async (one: Parameters<typeof machines.sweeperWith>[0][number]) => {
  await machines.sweeperWith([one]).sweep();
  expect(machines.faults).toEqual([]);
};

/** Facts of keys and members were changed behind the service. */
async function keysChanged(): Promise<void> {
  await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
  await app.app.facts.refresh();
}

/** What acts later: how it is set up, made to act, and what has gone out of it so far. */
interface Kind {
  readonly kind: string;
  readonly list: string;
  create(by: Person, environment: Environment): Promise<string>;
  act(id: string, environment: Environment): Promise<void>;
  out(id: string): Promise<number>;
}

const report: Kind = {
  kind: "report",
  list: "/v1/analytics/reports",
  create: async (by) =>
    (
      await must(app, 201, by, "POST", "/v1/analytics/reports", {
        name: "Daily",
        schedule: "0 7 * * *",
        period: "day",
      })
    ).report_id,
  async act(id) {
    await app.pool.query("update analytics_reports set next_at = now() where id = $1 and next_at is not null", [id]);
    await sweep(reportSweep);
  },
  out: (id) => count("analytics_issues where report = $1", id),
};

const alert: Kind = {
  kind: "alert",
  list: "/v1/analytics/alerts",
  create: async (by) =>
    (
      await must(app, 201, by, "POST", "/v1/analytics/alerts", {
        name: "Few",
        measure: "tasks",
        condition: { kind: "below", threshold: 1_000 },
      })
    ).alert_id,
  async act(id) {
    await app.pool.query("update analytics_alerts set due_at = now(), fired = false, state = 'ok' where id = $1", [id]);
    await rollUp(app.pool);
    await sweep(alertSweep);
  },
  out: (id) => count("events where type = 'analytics.alert.fired' and body like '%' || $1 || '%'", id),
};

const monitor: Kind = {
  kind: "monitor",
  list: "/v1/evaluations/monitors",
  async create(by) {
    await app.pool.query("delete from review_monitors");
    const body = { agent: "sales", share: 1, double_review_share: 0 };
    return (await must(app, 201, by, "POST", "/v1/evaluations/monitors", body)).monitor_id;
  },
  async act(_id, environment) {
    const task = await insertTask(app.pool, Date.now(), { environment, status: "completed" });
    await happen(environment, "task.completed", task);
    await sweep(reviewSweep);
  },
  out: (id) => count("task_reviews where monitor_id = $1", id),
};

const webhook: Kind = {
  kind: "webhook",
  list: "/v1/webhooks",
  create: async (by) =>
    (
      await must(app, 201, by, "POST", "/v1/webhooks", {
        url: "https://hooks.example.invalid/aos",
        events: ["task.completed"],
      })
    ).webhook_id,
  async act(_id, environment) {
    const event = await happen(environment, "task.completed", null);
    await vi.waitFor(
      async () =>
        expect(
          await count(
            `webhook_cursors c join event_positions p on p.organization = c.organization and p.environment = c.environment
             where p.event_id = $1 and c.sequence >= p.sequence`,
            event,
          ),
        ).toBe(1),
      20_000,
    );
  },
  out: (id) => count("deliveries where webhook_id = $1", id),
};

/** Batches that sinks sent, by the sink: to receivers that take all. */
const batches = new Map<string, number>();

const sink: Kind = {
  kind: "sink",
  list: "/v1/audit/sinks",
  create: async (by) =>
    (
      await must(app, 201, by, "POST", "/v1/audit/sinks", {
        name: "Splunk",
        kind: "splunk_hec",
        target: { url: "https://splunk.example.invalid:8088" },
        credentials: { token: "a-token" },
      })
    ).sink_id,
  async act(id, environment) {
    await app.call("GET", "/v1/admin/whoami", { environment });
    await vi.waitFor(async () =>
      expect(
        await count(
          "audit_records r where environment = $1 and not exists (select from audit_leaves l where l.environment = r.environment and l.record_id = r.id)",
          environment,
        ),
      ).toBe(0),
    );
    await app.pool.query("update audit_sinks set next_at = now() where id = $1", [id]);
    const send = async () => {
      batches.set(id, (batches.get(id) ?? 0) + 1);
      return { status: 200, headers: {}, body: '{"code":0}' };
    };
    const access = { send, write: async () => undefined, close: async () => undefined };
    const { port } = app.app;
    const ports = { audit: port(auditPort), exports: port(exports), sinks: { ...port(sinkPort), open: () => access } };
    const query = async (text: string, values?: readonly unknown[]) =>
      (await app.pool.query(text, [...(values ?? [])])).rows as never;
    const parts = { db: { query }, inside: machines.inside, clock: systemClock, meter: noMeter };
    await createSinkJob(parts, ports)({ ...app.scope, environment, sink: id });
  },
  out: async (id) => batches.get(id) ?? 0,
};

/** Stores an event and waits until it has its sequence. Returns its id. */
async function happen(environment: Environment, type: string, task: string | null): Promise<string> {
  const id = newId("evt");
  await app.pool.query(
    "insert into events (organization, environment, id, n, type, task_id, body) values ('default', $1, $2, 1, $3, $4, $5)",
    [environment, id, type, task, JSON.stringify({ event: type, agent: "sales" })],
  );
  await sequenced(app);
  return id;
}

/** Has a person take something over. */
async function takeOver({ memberId: id, keyId }: Person, environment: Environment, kind: string, object: string) {
  const member = {
    kind: "member",
    id,
    role: "admin",
    keyId,
    scopes: null,
    agents: null,
    personal: true,
    issuers: [id],
  };
  const query = async (text: string, values?: unknown[]) => (await app.pool.query(text, values)).rows;
  const ctx = {
    scope: { ...app.scope, environment },
    principal: member,
    now: Date.now(),
    port: app.app.port,
    db: { query },
    touch: () => undefined,
    enqueue: () => undefined,
  } as unknown as WriteContext;
  const found = ctx.port(standingKinds).find((one) => one.kind === kind);
  expect((await found?.find(ctx, object))?.stoppedReason).toMatch(/^Stopped/);
  await found?.takeOver(ctx, object, actorOfCall(ctx));
  await keysChanged(); // in place of touch
}

const remove = (sql: string) => async (person: Person) => {
  await app.pool.query(sql, [sql.includes("members") ? person.memberId : person.keyId]);
  await keysChanged();
};
const stops: [string, ReturnType<typeof remove>][] = [
  ["its owner was removed", remove("update members set removed_at = now() where id = $1")],
  ["its key was revoked", remove("update keys set revoked_at = now() where id = $1")],
];
const goesOn: [string, ReturnType<typeof remove>][] = [
  [
    "its key was replaced",
    async ({ keyId }) => {
      const { keyId: next } = await app.signedInMember("admin");
      await app.pool.query(
        "update keys k set environment = (select environment from keys where id = $1) where id = $2",
        [keyId, next],
      );
      await app.pool.query(
        `update members m set roles = (select jsonb_build_object(k.environment, 'admin') from keys k where k.id = $1)
         from keys o where o.id = $1 and m.id = o.member_id`,
        [next],
      );
      await app.pool.query("update keys set revoked_at = now(), replaced_by = $2 where id = $1", [keyId, next]);
      await keysChanged();
    },
  ],
  ["its key expired", remove("update keys set expires_at = now() where id = $1")],
];

const places = [report, alert, monitor, webhook, sink].flatMap((kind) =>
  strictEnvironments.map((environment) => [kind.kind, environment, kind] as const),
);

describe.each(places)("a %s in %s", (_name, environment, { kind, list, create, act, out }) => {
  beforeAll(async () => {
    if (kind !== "webhook") return undefined;
    const delivery = await startDelivery(app);
    return () => delivery.stop();
  });
  /** As the list shows it. */
  const shown = async (id: string, by: Person) =>
    (await must(app, 200, by, "GET", list)).data.find((one: object) => Object.values(one)[0] === id);

  it.each(stops)("stops and says so when %s, until somebody takes it over", async (_why, withdraw) => {
    const { alice, bob } = await castIn(app, environment);
    const id = await create(alice, environment);
    await act(id, environment);
    expect(await out(id)).toBe(1);
    await withdraw(alice);
    await act(id, environment);
    await vi.waitFor(async () => expect((await shown(id, bob)).stopped_reason).toMatch(/^Stopped: .+ take it over\.$/));
    expect(await out(id)).toBe(1);
    const told = `events where type = 'automation.stopped' and body like '%' || $1 || '%'`;
    expect(await count(told, `${kind}:${id}`)).toBe(1);
    await takeOver(bob, environment, kind, id);
    expect((await shown(id, bob)).stopped_reason).toBeNull();
    await act(id, environment);
    await vi.waitFor(async () => expect(await out(id)).toBe(2));
  });

  it.each(goesOn)("goes on when %s", async (_why, change) => {
    const { alice, bob } = await castIn(app, environment);
    const id = await create(alice, environment);
    await change(alice);
    await act(id, environment);
    await vi.waitFor(async () => expect(await out(id)).toBe(1));
    expect((await shown(id, bob)).stopped_reason).toBeNull();
  });
});

it("a webhook stops when the overlap in which its revoked key still works has ended", async () => {
  const { alice, bob } = await castIn(app, "staging");
  const id = await webhook.create(alice, "staging");
  const delivery = await startDelivery(app);
  try {
    await webhook.act(id, "staging");
    await app.pool.query("update keys set revoked_at = now() + interval '0.5 s' where id = $1", [alice.keyId]);
    await keysChanged();
    const state = async () => (await must(app, 200, bob, "GET", `/v1/webhooks/${id}`)).disabled_reason;
    await vi.waitFor(async () => expect(await state()).toBe("stopped"), 10_000);
  } finally {
    await delivery.stop();
  }
});

describe.each(strictEnvironments)("in %s", (environment) => {
  it.each(stops)("an export under way fails when %s", async (_why, withdraw) => {
    const { alice, bob } = await castIn(app, environment);
    const { export_id } = await must(app, 202, alice, "POST", "/v1/audit/exports", { format: "jsonl" });
    await withdraw(alice);
    const db = {
      query: async (text: string, values?: unknown[]) => (await app.pool.query(text, values)).rows as never,
    };
    const job = createExportJob({ db, inside: machines.inside, clock: systemClock }, await exportPort(app));
    await job({ ...app.scope, environment, export: export_id });
    const { state, failure } = await must(app, 200, bob, "GET", `/v1/audit/exports/${export_id}`);
    expect([state, failure]).toEqual(["failed", expect.stringMatching(/^The export was stopped: .+ removed/)]);
  });

  it.each(stops)("an evaluation run under way fails when %s", async (_why, withdraw) => {
    const { alice, bob } = await castIn(app, environment);
    const dataset = await newDataset(app, teamItems(["enterprise"]));
    const body = { dataset, version: 1, scorers: [await sameTeam(app)] };
    const { run_id } = await must(app, 202, alice, "POST", "/v1/evaluations/runs", body);
    await withdraw(alice);
    const skills = skillsThat(() => ({ team: "enterprise" }));
    await runJobOf(machines, skills)(app, { run_id }, environment);
    const { state, failure } = await must(app, 200, bob, "GET", `/v1/evaluations/runs/${run_id}`);
    expect([state, failure.code, skills.asked.length]).toEqual(["failed", "requester_not_permitted", 0]);
  });

  it.each([
    ["webhook", webhook, { state: "enabled" }],
    ["alert", alert, { name: "Still few" }],
    ["sink", sink, { state: "active" }],
  ] as const)("whoever changes a %s that stopped is its owner", async (_name, { create, act, list, out }, change) => {
    const { alice, bob } = await castIn(app, environment);
    const id = await create(alice, environment);
    await app.pool.query("update members set removed_at = now() where id = $1", [alice.memberId]);
    await keysChanged();
    const delivery = await startDelivery(app);
    try {
      await act(id, environment);
      await vi.waitFor(async () =>
        expect((await must(app, 200, bob, "GET", `${list}/${id}`)).stopped_reason).not.toBeNull(),
      );
      expect((await must(app, 200, bob, "PATCH", `${list}/${id}`, change)).stopped_reason).toBeNull();
      await act(id, environment);
      await vi.waitFor(async () => expect(await out(id)).toBe(1));
      if (list === "/v1/webhooks") await must(app, 202, bob, "POST", `${list}/${id}/recover`, {});
      if (list === "/v1/webhooks") await vi.waitFor(async () => expect(await out(id)).toBe(2));
    } finally {
      await delivery.stop();
    }
  });
});
