import { binOf } from "@aos/rollup";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { Refusal } from "../../../kernel/errors.ts";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { leastOfQuantile } from "./measures.ts";
import { type Fact, storeFacts } from "./rollup.fixture.ts";
import { type RollupRequest, rollup } from "./rollup.ts";

const app = useSharedApp();
const start = Date.UTC(2026, 2, 27, 22);
const hour = 3_600_000;
let organization = 0;

/** A context that reads an organization of its own, so that what one run stores no other sees. */
function reading(agents: readonly string[] | null = null, now = start + 400 * hour) {
  const scope = { organization: `org${organization}`, environment: "development" as const };
  return { scope, now, facts: app.app.facts, db: createReader(app.pool), principal: { agents } as never };
}

const text = (...values: (string | null)[]) => fc.constantFrom(...values);
const fact = fc
  .record({
    at: fc.nat(100 * 60).map((minutes) => start + minutes * 60_000),
    dimensions: fc.record({
      agent: text("sales", "support", "other"),
      status: text("completed", "failed", "open"),
      member: text("mem_1", null),
      "label:team": text("blue", "red", null),
    }),
    duration: fc.nat(9e6),
    judged: fc.boolean(),
    cost: fc.nat(1e9),
  })
  .map(({ at, dimensions, duration, judged, cost }): Fact & { duration: number } => ({
    at,
    dimensions,
    duration,
    sums: { n: 1, cost, judged: judged ? 1 : 0, accepted: judged && cost % 2 === 0 ? 10_000 : 0 },
    bins: { duration: [[binOf(duration), 1]] },
  }));
const dimension = fc.constantFrom("agent", "status", "member", "label:team");
const request = fc.record({
  dimensions: fc.uniqueArray(dimension, { maxLength: 2 }),
  status: fc.option(fc.subarray(["completed", "failed", "open"]), { nil: undefined }),
  where: fc.constantFrom(
    undefined,
    'agent == "sales" && label["team"] != "red"',
    'member == "" || agent in ["support"]',
  ),
  from: fc.nat(50 * 60),
  length: fc.integer({ min: 1, max: 100 * 60 }),
  grain: fc.constantFrom(undefined, "hour", "day", "week", "month"),
  timeZone: fc.constantFrom("UTC", "Europe/Vienna", "Asia/Kolkata", "America/St_Johns", "Australia/Lord_Howe"),
});

/** Names the window of a time as clocks of the zone show it. */
function windowName(at: number, grain: string | undefined, timeZone: string): string {
  if (grain === undefined) return "all";
  const local = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "long" }).format(at);
  if (grain === "hour") return `${local.slice(0, 13)} ${local.slice(19)}`;
  if (grain === "month") return local.slice(0, 7);
  const date = new Date(`${local.slice(0, 10)}T00:00:00Z`);
  if (grain === "week") date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

const conditions: Record<string, (one: Fact["dimensions"]) => boolean> = {
  'agent == "sales" && label["team"] != "red"': (one) => one.agent === "sales" && one["label:team"] !== "red",
  'member == "" || agent in ["support"]': (one) => one.member === null || one.agent === "support",
};

describe("rollups", () => {
  it("are what going through all facts one by one comes to, in any window, zone and grouping", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fact, { maxLength: 400, size: "max" }),
        fc.array(request, { minLength: 6, maxLength: 6 }),
        fc.integer({ min: 2, max: 9 }),
        async (facts, requests, merged) => {
          organization++;
          const ctx = reading();
          const storing = { pool: app.pool, scope: ctx.scope, family: "tasks" as const, labels: ["team"] };
          const isMerged = (_: string, bucket: number) => Math.floor(bucket / 15) % merged !== 0;
          await storeFacts(storing, facts, { parts: 2, isMerged });
          for (const { status, from, length, ...rest } of requests) {
            const [begin, end] = [start + from * 60_000, start + (from + length) * 60_000];
            const asked: RollupRequest = {
              ...(rest as Partial<RollupRequest>),
              from: begin,
              to: end,
              measures: ["tasks", "success_rate", "cost_usd", "accepted_rate", "duration_p90"],
              ...(status && { filters: { status } }),
            };
            // What an earlier request left in memory is made use of.
            await rollup(ctx, { ...asked, from: start, to: start + 50 * hour });
            const { rows } = await rollup(ctx, asked);
            const { dimensions, grain, timeZone, where } = rest;
            const expected = Map.groupBy(
              facts.filter(
                ({ at, dimensions: own }) =>
                  at >= begin &&
                  at < end &&
                  (status?.includes(own.status as string) ?? true) &&
                  (where === undefined || conditions[where]?.(own)),
              ),
              ({ at, dimensions: own }) =>
                JSON.stringify([windowName(at, grain, timeZone), dimensions.map((name) => own[name])]),
            );
            const found = rows.filter(({ values }) => values.tasks.value !== 0);
            const nameOf = (row: (typeof rows)[number]) =>
              JSON.stringify([windowName(row.from, grain, timeZone), dimensions.map((name) => row.key[name])]);
            expect(found.map(nameOf).sort()).toEqual([...expected.keys()].sort());
            for (const row of found) {
              const those = expected.get(nameOf(row)) as (Fact & { duration: number })[];
              const count = (status: string) => those.filter(({ dimensions: own }) => own.status === status).length;
              const sum = (name: string) => those.reduce((all, { sums }) => all + (sums[name] as number), 0);
              const ended = those.length - count("open");
              const rank = Math.floor(0.9 * (those.length - 1));
              const exact = (those.map(({ duration }) => duration).sort((a, b) => a - b)[rank] as number) / 1_000;
              expect(row.values).toMatchObject({
                tasks: { value: those.length },
                success_rate: { n: ended, value: ended === 0 ? null : expect.closeTo(count("completed") / ended, 10) },
                cost_usd: { value: expect.closeTo(sum("cost") / 1e9, 6) },
                accepted_rate: { n: sum("judged") },
              });
              const { value, n } = row.values.duration_p90;
              expect(n).toBe(those.length);
              if (n < leastOfQuantile(0.9)) expect(value).toBeNull();
              else expect(Math.abs((value as number) - exact)).toBeLessThanOrEqual(0.0101 * exact);
            }
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("a request", () => {
  const ask = async (more: Partial<RollupRequest>, agents: readonly string[] | null = null) =>
    rollup(reading(agents), { measures: ["tasks"], from: start, to: start + 24 * hour, ...more });
  const refusalOf = (more: Partial<RollupRequest>) =>
    ask(more).then(
      () => null,
      (error) => (error instanceof Refusal ? error.details.detail : error),
    );

  it("says which name it does not know, with the nearest", async () => {
    expect(await refusalOf({ where: 'agnt == "x"' })).toContain(
      "no dimension agnt of what is measured; did you mean agent?",
    );
    expect(await refusalOf({ where: 'label["taem"] == "x"' })).toContain('did you mean label["team"]?');
    expect(await refusalOf({ where: 'agent.matches("(a+)+")' })).toContain("matches() is not known here");
    expect(await refusalOf({ where: "agent == 5" })).toContain("where: ");
    expect(await refusalOf({ where: "agent" })).toContain("comes to a string");
    expect(await refusalOf({ measures: ["tasks", "tool_uses"], dimensions: ["status"] })).toBe(
      "dimensions: steps (tool_uses) have no dimension status; they have agent, version, skill, kind, name, label:team.",
    );
    expect(await refusalOf({ timeZone: "Europe/Wien" })).toContain("must be a time zone");
    expect(await refusalOf({ grain: "minute", to: start + 300 * hour })).toContain("more than 3000 windows");
    expect(await refusalOf({ from: start + 1 })).toContain("whole minute");
  });

  it("joins families, shows a narrowed key its agents only, and says what is not over", async () => {
    organization++;
    const { scope } = reading();
    const of = (agent: string, status: string): Fact => ({ at: start, dimensions: { agent, status }, sums: { n: 1 } });
    const storing = { pool: app.pool, scope, labels: [] };
    await storeFacts({ ...storing, family: "tasks" }, [
      of("sales", "open"),
      of("sales", "failed"),
      of("support", "failed"),
    ]);
    const asked = { measures: ["tasks", "approvals", "agreement"] as const, dimensions: ["agent"] as const };
    const { rows, complete } = await ask({ ...asked, sort: "-tasks" });
    expect(complete).toBe(false);
    expect(rows).toMatchObject([
      {
        key: { agent: "sales" },
        complete: false,
        values: { tasks: { value: 2 }, approvals: { value: 0 }, agreement: { value: null } },
      },
      { key: { agent: "support" }, complete: true, values: { tasks: { value: 1 } } },
    ]);
    expect(await ask({ filters: { status: ["failed"] } })).toMatchObject({ complete: false });
    expect((await ask({ ...asked, limit: 1 }, ["support"])).rows.map(({ key }) => key.agent)).toEqual(["support"]);
    expect(await ask({ measures: ["deliveries"] }, ["support"])).toMatchObject({
      rows: [{ values: { deliveries: { value: 0 } } }],
    });
    expect(await ask({ ...asked, limit: 1 })).toMatchObject({ more: true, rows: [{ key: { agent: "sales" } }] });
  });

  it("counts what waits to be counted as not yet in it", async () => {
    const { scope } = reading();
    const at = new Date(start + 3 * hour);
    await app.pool.query(
      "insert into analytics_pending (organization, environment, kind, id, at) values ($1, $2, 'task', 'tsk_1', $3)",
      [scope.organization, scope.environment, at],
    );
    const { asOf, rows } = await ask({ grain: "hour", to: start + 5 * hour });
    expect(asOf).toBe(at.getTime());
    expect(rows.map(({ complete }) => complete)).toEqual([false, true, true, false, false]);
  });
});
