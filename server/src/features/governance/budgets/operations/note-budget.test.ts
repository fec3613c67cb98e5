import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { type NoteBudget, noteBudget } from "./note-budget.ts";

const app = useSharedApp();

const put = (limits: unknown) => app.call("PUT", "/v1/governance/budgets/agent:sales", { body: { limits } });
const note = (input: NoteBudget) => app.app.inside(noteBudget, "budgets", app.scope, input);
const told = async (type: string) =>
  (await app.pool.query<{ body: string }>("select body from events where type = $1 order by id", [type])).rows.map(
    ({ body }) => JSON.parse(body),
  );

/** A limit of money, of which so much is used, and how a process names its window. */
async function arrange(used: number): Promise<Omit<NoteBudget, "kind" | "level">> {
  const { body } = await put([{ unit: "usd", period: "day", hard: 0.5, warn: 0.4 }]);
  await app.pool.query("update budget_use set used = $1, warned_at = null, exhausted_at = null where unit = 'usd'", [
    used,
  ]);
  const { from, to } = body.limits[0].window;
  return { scope: "agent:sales", unit: "usd", period: "day", window: { from: Date.parse(from), to: Date.parse(to) } };
}

it("tells once per window that a budget has reached its warning level, and once that it is used up", async () => {
  const window = await arrange(480_000);
  const answers = await Promise.all([1, 2, 3].map(() => note({ ...window, kind: "warning", level: 400_000 })));
  expect(answers.filter(({ noted }) => noted)).toHaveLength(1);
  expect(await note({ ...window, kind: "exhausted", level: 500_000 })).toEqual({ noted: true });
  expect(await note({ ...window, kind: "exhausted", level: 500_000 })).toEqual({ noted: false });
  const common = { scope: "agent:sales", unit: "usd", period: "day", used: 0.48 };
  const at = {
    window_from: new Date(window.window.from).toISOString(),
    window_to: new Date(window.window.to as number).toISOString(),
  };
  expect(await told("budget.warning")).toEqual([{ event: "budget.warning", ...common, limit: 0.4, ...at }]);
  expect(await told("budget.exhausted")).toEqual([{ event: "budget.exhausted", ...common, limit: 0.5, ...at }]);
});

it("tells nothing of a level that the limit does not have, and is not found where there is no such window", async () => {
  const window = await arrange(0);
  await put([{ unit: "usd", period: "day", hard: 0.5 }]);
  const before = (await told("budget.warning")).length;
  expect(await note({ ...window, kind: "warning", level: 400_000 })).toEqual({ noted: false });
  expect((await told("budget.warning")).length).toBe(before);
  await expect(note({ ...window, scope: "agent:nobody", kind: "warning", level: 400_000 })).rejects.toThrow(
    "not_found",
  );
});

it("tells nothing of a level that was raised above what is used, and tells of the new one when that is reached", async () => {
  const window = await arrange(480_000);
  await put([{ unit: "usd", period: "day", hard: 5, warn: 4 }]);
  const told = async () =>
    (await app.pool.query("select from events where type in ('budget.warning', 'budget.exhausted')")).rowCount;
  const before = await told();
  expect(await note({ ...window, kind: "warning", level: 400_000 })).toEqual({ noted: false });
  expect(await note({ ...window, kind: "exhausted", level: 500_000 })).toEqual({ noted: false });
  expect(await told()).toBe(before);
  await app.pool.query("update budget_use set used = 4900000 where unit = 'usd'");
  expect(await note({ ...window, kind: "warning", level: 4_000_000 })).toEqual({ noted: true });
  expect(await note({ ...window, kind: "exhausted", level: 5_000_000 })).toEqual({ noted: true });
});

it("tells that a limit is used up that was lowered since", async () => {
  const window = await arrange(480_000);
  await put([{ unit: "usd", period: "day", hard: 0.49 }]);
  expect(await note({ ...window, kind: "exhausted", level: 500_000 })).toEqual({ noted: true });
});

it("tells that a budget of nothing is used up, in a window that no call has opened", async () => {
  const { window } = await arrange(0);
  await put([{ unit: "steps", period: "day", hard: 0 }]);
  await app.pool.query("delete from budget_use where unit = 'steps'");
  const input = { scope: "agent:sales", unit: "steps", period: "day", window, kind: "exhausted", level: 0 } as const;
  expect([await note(input), await note(input)]).toEqual([{ noted: true }, { noted: false }]);
  expect((await told("budget.exhausted")).at(-1)).toMatchObject({ unit: "steps", limit: 0, used: 0 });
});
