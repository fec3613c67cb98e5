import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../testing/database.ts";
import { goneOf, takeOf } from "./grant.ts";
import { createGrantStore, lapseGrants, type WindowKey } from "./grant-store.ts";

const database = useDatabase();
const db = {
  query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
    (await database.pool.query(text, values as unknown[])).rows as R[],
};
const store = createGrantStore(db);
let windows = 0;
const key = (): WindowKey => ({
  organization: "default",
  environment: "development",
  scope: `agent:a${++windows}`,
  unit: "tasks",
  period: "day",
  startsAt: 86_400_000,
});
const fill = (at: WindowKey, used: number, granted: number) =>
  db.query(
    "insert into budget_use (organization, environment, scope, unit, period, starts_at, used, granted) values ($1, $2, $3, $4, $5, $6, $7, $8)",
    [at.organization, at.environment, at.scope, at.unit, at.period, new Date(at.startsAt), used, granted],
  );
const ask = { hard: 100, missing: [1], ahead: 0, recall: false };

describe("the statement that takes a grant", () => {
  it("takes what the ledger says, in every situation", async () => {
    const cases = [null, 0, 19, 100, 5_000].flatMap((hard) =>
      [
        [0, 0],
        [10, 5],
        [99, 0],
        [100, 0],
        [120, 10],
      ].flatMap(([used = 0, granted = 0]) =>
        [[], [1], [1, 2, 3], [4, 11, 90]].flatMap((missing) =>
          [0, 7, 1_000].map((ahead) => ({ hard, used, granted, missing, ahead })),
        ),
      ),
    );
    for (const { hard, used, granted, missing, ahead } of cases) {
      const at = key();
      await fill(at, used, granted);
      const answer = await store.grant(at, "one", { hard, missing, ahead, recall: false });
      const taken = takeOf({ hard, used, granted }, missing, ahead);
      expect({ hard, used, granted, missing, ahead, answer }).toEqual({
        hard,
        used,
        granted,
        missing,
        ahead,
        answer: { used, granted: granted + taken, taken, held: taken, recalled: null },
      });
    }
  });

  it("opens the window for the first of many that ask at once, and gives out no more than there is", async () => {
    const at = key();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.grant(at, `p${n}`, { ...ask, hard: 12, missing: [1] })),
    );
    expect(answers.reduce((sum, { taken }) => sum + taken, 0)).toBe(12);
    const [row] = await db.query<{ n: number; amount: number }>(
      "select count(*)::int as n, sum(amount)::int as amount from budget_grants where scope = $1",
      [at.scope],
    );
    expect(row).toEqual({ n: 12, amount: 12 });
  });

  it("asks the others to give back where there is too little, and only then", async () => {
    const at = key();
    const listener = await database.pool.connect();
    const heard: (string | undefined)[] = [];
    listener.on("notification", ({ payload }) => heard.push(payload));
    await listener.query("listen aos_budgets");
    await store.grant(at, "one", { ...ask, hard: 2, missing: [2], recall: true });
    await store.grant(at, "two", { ...ask, hard: 2, missing: [1], recall: false });
    await store.grant(at, "two", { ...ask, hard: 2, missing: [1], recall: true });
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual([JSON.stringify(Object.values(at))]);
    const [row] = await db.query<{ recalled: boolean }>(
      "select recalled_at is not null as recalled from budget_use where scope = $1",
      [at.scope],
    );
    expect(row?.recalled).toBe(true);
    listener.release(true);
  });
});

describe("the statement that reports", () => {
  const grant = async (amount: number, holder = "one") => {
    const at = key();
    await store.grant(at, holder, { ...ask, hard: null, missing: [amount] });
    return at;
  };
  const report = async (at: WindowKey, spent: number, back: number, { holder = "one", bare = false } = {}) =>
    (await store.report([{ key: at, holder, report: { spent, back }, bare }]))[0];

  it("moves what was spent to used, gives back the rest, and keeps what is left", async () => {
    for (const [spent, back] of [
      [0, 0],
      [3, 0],
      [3, 4],
      [10, 0],
      [4, 6],
      [14, 0],
    ] as const) {
      const held = 10 - goneOf(10, spent, back);
      expect(await report(await grant(10), spent, back)).toEqual({ used: spent, granted: held, held });
    }
  });

  it("prolongs the grant, and removes it where nothing is left", async () => {
    const at = await grant(5);
    await db.query("update budget_grants set expires_at = now() + interval '1 second' where scope = $1", [at.scope]);
    await report(at, 2, 0);
    const left = () =>
      db.query<{ amount: number; fresh: boolean }>(
        "select amount, expires_at > now() + interval '20 seconds' as fresh from budget_grants where scope = $1",
        [at.scope],
      );
    expect(await left()).toEqual([{ amount: 3, fresh: true }]);
    await report(at, 0, 3);
    expect(await left()).toEqual([]);
  });

  it("changes nothing and says so where the grant has lapsed; only what was used beyond a grant is counted without one", async () => {
    const at = await grant(5);
    expect(await report(at, 3, 0, { holder: "other" })).toBeUndefined();
    expect(await report(at, 3, 0, { holder: "other", bare: true })).toEqual({ used: 3, granted: 5, held: 0 });
    expect(await report(key(), 1, 0)).toBeUndefined();
  });

  it("takes many windows at once, from many processes, without deadlock", async () => {
    const all = await Promise.all(Array.from({ length: 30 }, () => grant(8, "p0")));
    for (let n = 1; n < 6; n++)
      for (const at of all) await store.grant(at, `p${n}`, { ...ask, hard: null, missing: [8] });
    const reports = Array.from({ length: 6 }, (_, n) =>
      store.report(
        all
          .toSorted(() => (n % 2 ? 1 : -1))
          .map((at) => ({ key: at, holder: `p${n}`, report: { spent: 5, back: 3 }, bare: false })),
      ),
    );
    const answers = (await Promise.all(reports)).flat();
    expect(answers.every((answer) => answer?.held === 0)).toBe(true);
    expect(await store.used(all)).toEqual(all.map(() => 30));
  });
});

it("renames a holder, so that what it sent before finds nothing", async () => {
  const at = key();
  await store.grant(at, "one", { ...ask, missing: [4] });
  expect(await store.rename(at, "one", "two")).toBe(4);
  expect(await store.rename(at, "one", "three")).toBe(0);
  expect(
    (await store.report([{ key: at, holder: "one", report: { spent: 4, back: 0 }, bare: false }]))[0],
  ).toBeUndefined();
  expect(await store.used([at])).toEqual([0]);
});

it("counts lapsed grants as used, a bounded number in one look, and leaves those that were renewed", async () => {
  const at = key();
  for (const [holder, amount] of [
    ["dead", 4],
    ["gone", 2],
    ["alive", 3],
  ] as const)
    await store.grant(at, holder, { ...ask, missing: [amount] });
  const other = key();
  await store.grant(other, "dead", { ...ask, missing: [9] });
  await db.query(
    "update budget_grants set expires_at = now() - interval '1 minute' where scope = $1 and holder <> 'alive'",
    [at.scope],
  );
  await db.query("update budget_grants set expires_at = now() - interval '1 second' where scope = $1", [other.scope]);
  expect(await lapseGrants(db, 2)).toBe(2); // of one window, the longest lapsed
  const sums = async (scope: string) =>
    (
      await db.query<{ used: number; granted: number }>("select used, granted from budget_use where scope = $1", [
        scope,
      ])
    )[0];
  expect(await sums(at.scope)).toEqual({ used: 6, granted: 3 });
  expect(await sums(other.scope)).toEqual({ used: 0, granted: 9 });
  expect(await lapseGrants(db, 500)).toBe(1);
  expect(await sums(other.scope)).toEqual({ used: 9, granted: 0 });
  expect(await lapseGrants(db, 500)).toBe(0);
});

it("tells the database's time", async () => {
  expect(Math.abs((await store.now()) - Date.now())).toBeLessThan(5_000);
});
