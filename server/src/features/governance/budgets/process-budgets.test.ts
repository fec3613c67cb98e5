import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Demand, Reservation } from "../../../kernel/budget.ts";
import type { Refusal } from "../../../kernel/errors.ts";
import { createIds } from "../../../kernel/ids.ts";
import { charge, type LedgerEntry } from "../../../kernel/ledger.ts";
import type { RunInside } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { useDatabase } from "../../../testing/database.ts";
import type { BudgetDirectory, BudgetLimit } from "./facts.ts";
import { lapseGrants } from "./grant-store.ts";
import { type Budgets, createBudgets } from "./process-budgets.ts";

const database = useDatabase({ max: 40 });
const organization = "default";
let scopes = 0;
const running: Budgets[] = [];
const newId = createIds({ now: () => Date.now() });
const query = async <R extends object>(text: string, values: readonly unknown[] = []) =>
  (await database.pool.query(text, values as unknown[])).rows as R[];
const faults: unknown[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((budgets) => budgets.stop()));
  expect(faults.splice(0)).toEqual([]);
});

type Stated = Pick<BudgetLimit, "unit" | "period"> & Partial<BudgetLimit>;

/** An agent of its own for each test, with these limits, and processes that know of them. */
async function arrange(stated: readonly Stated[], { processes = 4, now = () => Date.now() } = {}) {
  const agent = `agent-${++scopes}`;
  const scope: Scope = { organization, environment: "development" };
  const limitsOf = (all: readonly Stated[]): BudgetDirectory => ({
    limits: all.map((limit) => ({
      organization,
      environment: "development",
      scope: `agent:${agent}`,
      hard: null,
      warn: null,
      createdAt: 0,
      ...limit,
    })),
  });
  let directory = limitsOf(stated);
  for (const { unit, period, hard, warn, scope: of } of directory.limits)
    await database.pool.query(
      `insert into budgets (organization, environment, scope, unit, period, hard, warn, author, created_at)
       values ($1, 'development', $2, $3, $4, $5, $6, 'test', to_timestamp(0)) on conflict do nothing`,
      [organization, of, unit, period, hard, warn],
    );
  const notes: unknown[] = [];
  const inside: RunInside = async (_operation, _scope, input) => {
    notes.push((input as { kind: string }).kind);
    return undefined as never;
  };
  const start = async (machinePool: pg.Pool = database.pool): Promise<Budgets> => {
    const clock = { now };
    const facts = { get: () => directory as never };
    const parts = {
      database: { machinePool },
      facts,
      clock,
      newId: createIds(clock),
      report: (error: unknown) => faults.push(error),
    };
    const budgets = createBudgets(parts);
    await budgets.start(inside);
    running.push(budgets);
    return budgets;
  };
  const all = await Promise.all(Array.from({ length: processes }, () => start()));
  return {
    agent,
    scope,
    notes,
    start,
    processes: all,
    set: (limits: readonly Stated[]) => (directory = limitsOf(limits)),
    reserve: async (budgets: Budgets, demand: Demand, principal = "mbr_x") =>
      budgets.reserve(scope, { agent, keyId: null, principal, demand }),
    /** Charges a call that held so much what it used of it, as calls do. */
    spend: async (budgets: Budgets, held: Reservation | null | undefined, usd: number) => {
      const charged = { id: newId("aud"), at: held?.at ?? 0, operation: "test", object: null, task: null, step: null };
      const spending = { agent, keyId: null, principal: "mbr_x", demand: { usd } };
      await budgets.charge(scope, charge(charged, spending, { usd }) as LedgerEntry);
      held?.settle({ usd });
    },
    uses: async () =>
      (
        await database.pool.query<{ unit: string; used: number; granted: number }>(
          "select unit, used, granted from budget_use where scope = $1 order by unit, starts_at",
          [`agent:${agent}`],
        )
      ).rows,
  };
}

type Arranged = Awaited<ReturnType<typeof arrange>>;

/** What became of calls: the reservations of those that were let pass, and why the others were not. */
async function outcomes(calls: readonly Promise<Reservation | null>[]) {
  const settled = await Promise.allSettled(calls);
  const passed = settled.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []));
  const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as Refusal] : []));
  return { passed, refused };
}

const untilReported = (arranged: Arranged, used: number) =>
  vi.waitFor(async () => expect((await arranged.uses())[0]).toMatchObject({ used, granted: 0 }), {
    timeout: 5_000,
    interval: 20,
  });

const untilUsed = (arranged: Arranged, used: number) =>
  vi.waitFor(async () => expect((await arranged.uses())[0]?.used).toBe(used), { timeout: 5_000, interval: 20 });

describe("four processes on one budget", () => {
  it("let exactly as many of fifty calls at once pass as the limit has room for, and refuse the others for good", async () => {
    const arranged = await arrange([{ unit: "tasks", period: "day", hard: 20 }]);
    const call = async (n: number): Promise<Reservation | null> => {
      const held = await arranged.reserve(arranged.processes[n % 4] as Budgets, { tasks: 1 });
      await delay(5 + (n % 7));
      held?.settle();
      return held;
    };
    const { passed, refused } = await outcomes(Array.from({ length: 50 }, (_, n) => call(n)));
    expect([passed.length, refused.length]).toEqual([20, 30]);
    for (const { type, details } of refused) {
      expect(type.code).toBe("budget_exhausted");
      expect(details.members?.budget).toMatchObject({
        scope: `agent:${arranged.agent}`,
        unit: "tasks",
        period: "day",
        limit: 20,
      });
      expect(Number(details.headers?.["Retry-After"])).toBeGreaterThan(0);
    }
    expect(arranged.notes.length).toBeLessThanOrEqual(4);
    expect(new Set(arranged.notes.map(String))).toEqual(new Set(["exhausted"]));
    await untilReported(arranged, 20);
  });

  it("let nothing pass of which nobody knows what it costs, where money is limited, and reserve of it what is known where it is not", async () => {
    const money = await arrange(
      [
        { unit: "tokens", period: "day", hard: 50 },
        { unit: "usd", period: "day", hard: 5_000_000 },
      ],
      { processes: 1 },
    );
    const call = { steps: 1, tokens: 40, usdUnknown: true } as const;
    const { refused } = await outcomes([money.reserve(money.processes[0] as Budgets, call)]);
    expect(refused[0]?.type.code).toBe("budget_exhausted");
    expect(refused[0]?.details.detail).toContain("the cost of this call is not known");
    const tokens = await arrange([{ unit: "tokens", period: "day", hard: 50 }], { processes: 1 });
    const { passed } = await outcomes([tokens.reserve(tokens.processes[0] as Budgets, call)]);
    expect(passed).toHaveLength(1);
    for (const held of passed) held.settle();
    await untilReported(tokens, 40);
    expect(await money.uses()).toEqual([]); // nothing is held of the one that it had room in
  });

  it("give what one of them holds in advance to another that needs the last of it", async () => {
    const arranged = await arrange([{ unit: "tasks", period: "day", hard: 2_000 }], { processes: 2 });
    const [one, two] = arranged.processes as [Budgets, Budgets];
    let made = 0;
    for (; made < 500; made++) (await arranged.reserve(one, { tasks: 1 }))?.settle(); // it takes in advance by now
    const { passed } = await outcomes(Array.from({ length: 1_600 }, () => arranged.reserve(two, { tasks: 1 })));
    for (const held of passed) held.settle();
    expect(made + passed.length).toBe(2_000);
    await untilReported(arranged, 2_000);
  });

  it("give back what was reserved of one budget where another one refuses", async () => {
    const arranged = await arrange([
      { unit: "steps", period: "day", hard: 100 },
      { unit: "usd", period: "day", hard: 0 },
    ]);
    await expect(arranged.reserve(arranged.processes[0] as Budgets, { steps: 1, usd: 1 })).rejects.toThrow(
      "budget_exhausted",
    );
    await Promise.all(running.splice(0).map((budgets) => budgets.stop()));
    expect((await arranged.uses())[0]).toEqual({ unit: "steps", used: 0, granted: 0 });
  });
});

describe("a process that is gone", () => {
  it("leaves what it held behind as used, and the sum within the limit", async () => {
    const arranged = await arrange([{ unit: "tasks", period: "day", hard: 10 }], { processes: 2 });
    const [dies, lives] = arranged.processes as [Budgets, Budgets];
    await outcomes([1, 2, 3, 4].map(() => arranged.reserve(dies, { tasks: 1 }))); // it never says what became of them
    const { passed, refused } = await outcomes(Array.from({ length: 10 }, () => arranged.reserve(lives, { tasks: 1 })));
    for (const held of passed) held.settle();
    expect([passed.length, refused.length]).toEqual([6, 4]);
    await database.pool.query(
      `update budget_grants set expires_at = now() - interval '1 second' where scope = $1 and amount = 4`,
      [`agent:${arranged.agent}`],
    );
    expect(await lapseGrants({ query }, 500)).toBe(1);
    await untilReported(arranged, 10);
    await expect(arranged.reserve(lives, { tasks: 1 })).rejects.toThrow("budget_exhausted");
  });

  it("leaves of money as used what the ledger has, and the rest is free again", async () => {
    const arranged = await arrange([{ unit: "usd", period: "day", hard: 1_000_000 }], { processes: 1 });
    const gone = arranged.processes[0] as Budgets;
    await arranged.spend(gone, await arranged.reserve(gone, { usd: 0.3 }), 0.2);
    await arranged.reserve(gone, { usd: 0.7 });
    const lives = await arranged.start();
    await database.pool.query("update budget_grants set expires_at = now() - interval '1 s' where scope = $1", [
      `agent:${arranged.agent}`,
    ]);
    expect(await lapseGrants({ query }, 500)).toBe(1);
    expect(await arranged.uses()).toEqual([{ unit: "usd", used: 200_000, granted: 0 }]);
    await expect(arranged.reserve(lives, { usd: 0.81 })).rejects.toThrow("budget_exhausted");
    (await arranged.reserve(lives, { usd: 0.8 }))?.release();
  });

  it("counts nothing twice where it was only late: what it settles after that was counted already", async () => {
    const arranged = await arrange([{ unit: "tasks", period: "day", hard: 10 }], { processes: 1 });
    const late = arranged.processes[0] as Budgets;
    const { passed } = await outcomes([1, 2, 3, 4].map(() => arranged.reserve(late, { tasks: 1 })));
    await database.pool.query(
      "with gone as (delete from budget_grants where scope = $1 returning amount) update budget_use set used = used + 4, granted = granted - 4 where scope = $1",
      [`agent:${arranged.agent}`],
    );
    for (const held of passed) held.settle();
    await vi.waitFor(async () => {
      (await arranged.reserve(late, { tasks: 1 }))?.release();
      const [row] = await arranged.uses();
      expect((row?.used ?? 0) + (row?.granted ?? 0)).toBeGreaterThan(4);
    });
    const rest = await outcomes(Array.from({ length: 9 }, () => arranged.reserve(late, { tasks: 1 })));
    for (const held of rest.passed) held.settle();
    expect(rest.passed.length).toBe(6);
    await untilReported(arranged, 10);
  });
});

describe("one process", () => {
  it("answers without a promise once it holds a grant, and null where no budget covers the call", async () => {
    const arranged = await arrange([{ unit: "tasks", period: "day", hard: 1_000_000 }], { processes: 1 });
    const [budgets] = arranged.processes as [Budgets];
    const spending = { agent: arranged.agent, keyId: null, principal: "mbr_x", demand: { tasks: 1 } };
    expect(budgets.reserve(arranged.scope, spending)).toBeInstanceOf(Promise);
    expect(budgets.reserve(arranged.scope, { ...spending, agent: "another" })).toBeNull();
    expect(budgets.reserve({ ...arranged.scope, environment: "staging" }, spending)).toBeNull();
    expect(budgets.reserve(arranged.scope, { ...spending, demand: { steps: 1 } })).toBeNull();
    const { passed } = await outcomes(Array.from({ length: 400 }, () => arranged.reserve(budgets, { tasks: 1 })));
    for (const held of passed) held.settle();
    (await arranged.reserve(budgets, { tasks: 1 }))?.settle();
    const held = budgets.reserve(arranged.scope, spending);
    expect(held).not.toBeInstanceOf(Promise);
    (held as Reservation).release();
  });

  it("starts again when the window rolls, and counts a call in the window in which it was reserved", async () => {
    let now = Date.parse("2026-11-21T10:59:59.900Z");
    const arranged = await arrange([{ unit: "tasks", period: "hour", hard: 2 }], { processes: 1, now: () => now });
    const [budgets] = arranged.processes as [Budgets];
    const real = Date.now();
    // The database's time is what counts: the process learnt how far ahead of its own clock that is.
    now += Math.ceil(real / 3_600_000) * 3_600_000 - 100 - real;
    const before = await outcomes([1, 2].map(() => arranged.reserve(budgets, { tasks: 1 })));
    expect(before.passed).toHaveLength(2);
    now += 200;
    const after = await outcomes([1, 2, 3].map(() => arranged.reserve(budgets, { tasks: 1 })));
    expect([after.passed.length, after.refused.length]).toEqual([2, 1]);
    for (const held of before.passed) held.settle();
    after.passed[0]?.settle();
    await vi.waitFor(async () => expect(await arranged.uses()).toMatchObject([{ used: 2 }, { used: 1 }]), {
      timeout: 5_000,
    });
  });

  it("counts what a call says that it really used, and what was reserved of units of which it says nothing", async () => {
    const limits = [
      { unit: "steps", period: "total", hard: 100 },
      { unit: "tokens", period: "total", hard: 10_000 },
    ] as const;
    const arranged = await arrange(limits, { processes: 1 });
    const [budgets] = arranged.processes as [Budgets];
    (await arranged.reserve(budgets, { steps: 1, tokens: 4_000 }))?.settle({ tokens: 1_234 });
    await vi.waitFor(
      async () =>
        expect(await arranged.uses()).toMatchObject([
          { unit: "steps", used: 1 },
          { unit: "tokens", used: 1_234 },
        ]),
      { timeout: 5_000 },
    );
  });

  it("says of a limit with room that calls under way hold it, tells nobody that it is used up, and lets the call pass when one of them ended", async () => {
    const arranged = await arrange([{ unit: "usd", period: "total", hard: 500_000 }], { processes: 2 });
    const [one, two] = arranged.processes as [Budgets, Budgets];
    const turn = { steps: 1, usd: 0.21 };
    const { passed } = await outcomes([arranged.reserve(one, turn), arranged.reserve(two, turn)]);
    const { refused } = await outcomes([arranged.reserve(one, turn)]);
    expect(refused[0]?.details).toMatchObject({
      retryable: true,
      headers: { "Retry-After": "2" },
      members: { budget: { limit: 0.5, used: 0, reserved: 0.42 } },
    });
    expect(refused[0]?.details.detail).toContain(
      "$0.00 of it are used, calls under way have reserved $0.42, and this call needs $0.21.",
    );
    expect(arranged.notes).toEqual([]);
    await arranged.spend(one, passed[0], 0.01);
    await arranged.spend(two, await arranged.reserve(two, turn), 0.01);
    await arranged.spend(two, passed[1], 0.01);
    await untilReported(arranged, 30_000);
  });

  it("refuses at once what needs more than the whole limit, for good, and tells that it is used up only where it is", async () => {
    const arranged = await arrange([{ unit: "tokens", period: "day", hard: 1_000 }], { processes: 1 });
    const [budgets] = arranged.processes as [Budgets];
    (await arranged.reserve(budgets, { tokens: 10 }))?.settle();
    const { refused } = await outcomes([arranged.reserve(budgets, { tokens: 1_001 })]);
    expect(refused[0]?.details).toMatchObject({
      retryable: false,
      members: { budget: { limit: 1_000, used: 10, resets_at: null } },
    });
    expect(refused[0]?.details.detail).toContain("this call alone needs 1001 tokens");
    expect(refused[0]?.details.headers).toBeUndefined();
    expect(arranged.notes).toEqual([]);
    (await arranged.reserve(budgets, { tokens: 990 }))?.settle();
    await outcomes([arranged.reserve(budgets, { tokens: 1_001 })]);
    expect(arranged.notes).toEqual(["exhausted"]);
  });

  it("ends a reservation once, whatever is said after that", async () => {
    const arranged = await arrange([{ unit: "tasks", period: "day", hard: 5 }], { processes: 1 });
    const held = await arranged.reserve(arranged.processes[0] as Budgets, { tasks: 1 });
    held?.settle();
    held?.settle();
    held?.release();
    await untilUsed(arranged, 1);
    await running.pop()?.stop();
    expect(await arranged.uses()).toEqual([{ unit: "tasks", used: 1, granted: 0 }]);
  });

  it("refuses at once by a limit that was lowered, and lets pass by one that was raised", async () => {
    const arranged = await arrange([{ unit: "tasks", period: "day", hard: 1_000 }], { processes: 1 });
    const [budgets] = arranged.processes as [Budgets];
    for (let n = 0; n < 50; n++) (await arranged.reserve(budgets, { tasks: 1 }))?.settle();
    arranged.set([{ unit: "tasks", period: "day", hard: 50 }]);
    await expect(arranged.reserve(budgets, { tasks: 1 })).rejects.toThrow("budget_exhausted");
    arranged.set([{ unit: "tasks", period: "day", hard: 51 }]);
    (await arranged.reserve(budgets, { tasks: 1 }))?.settle();
    await expect(arranged.reserve(budgets, { tasks: 1 })).rejects.toThrow("budget_exhausted");
    arranged.set([]);
    expect(await arranged.reserve(budgets, { tasks: 1 })).toBeNull();
  });

  it("tells policies what money was used of the agent's and the environment's budgets, by day and month", async () => {
    const limits = [
      { unit: "usd", period: "day", hard: 5_000_000 },
      { unit: "usd", period: "month", hard: null, warn: 9_000_000 },
      { unit: "usd", period: "day", hard: 50_000_000, scope: "environment" },
      { unit: "tasks", period: "month", hard: 9 },
    ] as const;
    const arranged = await arrange(limits, { processes: 2 });
    const [one, two] = arranged.processes as [Budgets, Budgets];
    await arranged.spend(one, await arranged.reserve(one, { usd: 1.25 }), 1.25);
    expect(one.spend(arranged.scope, arranged.agent)).toEqual({
      agent_day_usd: 1.25,
      agent_month_usd: 1.25,
      environment_day_usd: 1.25,
    });
    await vi.waitFor(() => expect(two.spend(arranged.scope, arranged.agent)?.agent_month_usd).toBe(1.25), {
      timeout: 5_000,
    });
    expect(one.spend(arranged.scope, "another")).toEqual({ environment_day_usd: 1.25 });
    expect(one.spend({ ...arranged.scope, environment: "staging" }, arranged.agent)).toBeUndefined();
  });

  it("warns once when what was used reaches the warning level", async () => {
    const arranged = await arrange([{ unit: "tasks", period: "day", warn: 3 }], { processes: 1 });
    const [budgets] = arranged.processes as [Budgets];
    for (let n = 0; n < 3; n++) (await arranged.reserve(budgets, { tasks: 1 }))?.settle();
    await vi.waitFor(() => expect(arranged.notes).toEqual(["warning"]), { timeout: 5_000 });
    (await arranged.reserve(budgets, { tasks: 1 }))?.settle();
    await untilUsed(arranged, 4);
    expect(arranged.notes).toEqual(["warning"]);
  });
});

describe("a process whose connection to the database breaks", () => {
  const lapsing = (text: string): "grant" | "report" | "rename" | null => {
    if (text.includes("set holder")) return "rename";
    if (text.includes("insert into budget_grants")) return "grant";
    return text.includes("delete from budget_grants") ? "report" : null;
  };

  /** A pool of which some statements fail: before they are carried out, or only in telling so. */
  function breaking(fails: (kind: "grant" | "report" | "rename", n: number) => "before" | "after" | null): pg.Pool {
    let n = 0;
    const query = async (text: string, values: unknown[]) => {
      const kind = lapsing(text);
      const fate = kind && fails(kind, n++);
      if (fate === "before") throw new Error("the connection broke");
      const result = await database.pool.query(text, values);
      if (fate === "after") throw new Error("the connection broke");
      return result;
    };
    return { query, connect: () => database.pool.connect() } as unknown as pg.Pool;
  }

  /** Asks until the budget is used up; a process that could not ask says so, and is asked again. Answers how many calls passed. */
  async function askAll(arranged: Arranged, budgets: Budgets): Promise<number> {
    for (let passed = 0; ; ) {
      const held = await arranged.reserve(budgets, { tasks: 1 }).catch((error: Refusal) => error.type.code);
      if (held === "budget_exhausted") return passed;
      if (held === "overloaded" || held === null || typeof held === "string") continue;
      held.settle();
      passed++;
    }
  }

  it("loses nothing and counts nothing twice, whether a statement was carried out or not", async () => {
    const limit = 300;
    const arranged = await arrange([{ unit: "tasks", period: "day", hard: limit }], { processes: 0 });
    const fates = ["before", null, "after", null, null] as const;
    const sound = (kind: string, n: number) => (kind === "rename" ? null : (fates[n % fates.length] ?? null));
    const processes = await Promise.all(
      [0, 1, 2].map((shift) => arranged.start(breaking((kind, n) => sound(kind, n + shift)))),
    );
    const passed = await Promise.all(processes.flatMap((one) => [one, one, one]).map((one) => askAll(arranged, one)));
    expect(passed.reduce((sum, n) => sum + n, 0)).toBe(limit);
    await untilReported(arranged, limit);
    expect(faults.splice(0).length).toBeGreaterThan(0);
  });

  it("keeps within the limit where not even that can be cleared up, and what it may have used counts", async () => {
    const limit = 200;
    const arranged = await arrange([{ unit: "tasks", period: "day", hard: limit }], { processes: 1 });
    const broken = await arranged.start(
      breaking((_kind, n) => (["after", "before", null, "after", null, null] as const)[n % 6] ?? null),
    );
    const passed = await Promise.all(
      [broken, broken, arranged.processes[0] as Budgets].map((one) => askAll(arranged, one)),
    );
    const made = passed.reduce((sum, n) => sum + n, 0);
    expect(made).toBeLessThanOrEqual(limit);
    await Promise.all(running.splice(0).map((budgets) => budgets.stop()));
    const [row] = await arranged.uses();
    expect((row?.used ?? 0) + (row?.granted ?? 0)).toBeLessThanOrEqual(limit);
    await database.pool.query("update budget_grants set expires_at = now() - interval '1 second' where scope = $1", [
      `agent:${arranged.agent}`,
    ]);
    await lapseGrants(
      {
        query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
          (await database.pool.query(text, values as unknown[])).rows as R[],
      },
      500,
    );
    const [after] = await arranged.uses();
    expect(after?.granted).toBe(0);
    expect(after?.used).toBeGreaterThanOrEqual(made);
    expect(after?.used).toBeLessThanOrEqual(limit);
    faults.splice(0);
  });
});
