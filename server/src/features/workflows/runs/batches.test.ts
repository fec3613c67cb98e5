import { expect, it } from "vitest";
import { createBatches } from "./batches.ts";
import { createLanes } from "./engine.ts";

const scope = { organization: "default", environment: "development" } as const;

it("finds together what is asked for while it is busy, each run once, in groups of a bounded size", async () => {
  const groups: string[][] = [];
  const batches = createBatches(2, async (_scope, runs) => {
    groups.push([...runs]);
    return new Map(runs.map((run) => [run, `${run}!`]));
  });
  const asked = ["a", "b", "a", "c"].map((run) => batches.of(scope, run));
  expect(await Promise.all(asked)).toEqual(["a!", "b!", "a!", "c!"]);
  expect(await batches.of(scope, "a")).toBe("a!");
  expect(groups).toEqual([["a", "b"], ["c"], ["a"]]);
});

it("runs only as much at the same time as there are lanes, also after a fault", async () => {
  const lanes = createLanes(2);
  const open: (() => void)[] = [];
  let most = 0;
  const work = async () => {
    const done = new Promise<void>((resolve) => open.push(resolve));
    most = Math.max(most, open.length);
    await done;
  };
  await expect(lanes.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  const all = [1, 2, 3].map(() => lanes.run(work));
  await Promise.resolve();
  expect(open).toHaveLength(2);
  open.shift()?.();
  await all[0];
  while (open.length > 0) {
    open.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  await Promise.all(all);
  expect(most).toBe(2);
});
