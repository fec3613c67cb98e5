import { expect, it } from "vitest";
import { inTurn } from "./turns.ts";

it("gives each piece of work a turn of the event loop of its own, in order", async () => {
  const turn = inTurn();
  const seen: string[] = [];
  let loops = 0;
  const count = (): void => {
    loops++;
    if (seen.length < 3) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(["a", "b", "c"].map((name) => turn().then(() => seen.push(`${name} ${loops}`))));
  expect(seen.map((one) => one[0])).toEqual(["a", "b", "c"]);
  expect(new Set(seen.map((one) => one.slice(2))).size).toBe(3);
});
