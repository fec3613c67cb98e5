import { expect, it } from "vitest";
import type { CallContext } from "../kernel/context.ts";
import { createIds, timeOfId } from "../kernel/ids.ts";
import { caller, createTestMachine, madeOperations } from "./testing.ts";

it("the record of a call, and each id that it gives, say the time at which the call began, however the clock goes on", async () => {
  let ms = Date.UTC(2026, 0, 2, 9, 30);
  const clock = { now: () => ms++ };
  const test = createTestMachine();
  Object.assign(test.machine, { clock, newId: createIds(clock) });
  let made: (number | undefined)[] = [];
  const { own } = madeOperations({
    work: (given) => {
      const ctx = given as unknown as Pick<CallContext, "now" | "newId">;
      made = [ctx.now, timeOfId(ctx.newId("tsk")), timeOfId(ctx.newId("apr"))];
    },
  });
  await caller(test, [own]).call(own);
  const [draft] = test.drafts;
  expect(made).toEqual([made[0], made[0], made[0]]);
  expect(timeOfId((draft as { id: string }).id)).toBe(made[0]);
});
