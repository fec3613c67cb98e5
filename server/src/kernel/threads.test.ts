import { expect, it } from "vitest";
import { Threads, TookTooLong, TooManyWaiting } from "./threads.ts";

const module = new URL("./threads.fixture.ts", import.meta.url);

it("answers what functions return, more of them at once than it has threads", async () => {
  const threads = new Threads(2);
  const doubled = [1, 2, 3, 4, 5].map((n) => threads.run(module, "doubled", { n }));
  expect(await Promise.all(doubled)).toEqual([2, 4, 6, 8, 10].map((n) => ({ n })));
});

it("ends work that takes too long, and goes on with what waits for its thread", async () => {
  const threads = new Threads(1);
  const late = threads.run(module, "endless", null, 1);
  const next = threads.run(module, "doubled", { n: 4 });
  await expect(late).rejects.toThrow(TookTooLong);
  expect(await next).toEqual({ n: 8 });
});

it("rejects what fails there, or ends its thread, and goes on", async () => {
  const threads = new Threads(1);
  await expect(threads.run(module, "failing", null)).rejects.toThrow("nothing works");
  await expect(threads.run(module, "ending", null)).rejects.toThrow("a thread ended with 7");
  await expect(threads.run(module, "missing", null)).rejects.toThrow("in a thread");
  expect(await threads.run(module, "doubled", { n: 1 })).toEqual({ n: 2 });
});

it("gives lanes turns, so that much work of one does not hold up the others", async () => {
  const threads = new Threads(1);
  const order: string[] = [];
  const work = (lane: string) =>
    threads.run(module, "doubled", { n: 1 }, 10_000, { name: lane }).then(() => order.push(lane));
  await Promise.all([work("a"), work("a"), work("a"), work("b")]);
  expect(order).toEqual(["a", "a", "b", "a"]);
});

it("refuses more work of a lane than may wait, and takes it once there is less", async () => {
  const threads = new Threads(1);
  const lane = { name: "a", most: 2 };
  const work = () => threads.run(module, "doubled", { n: 2 }, 10_000, lane);
  const [first, second, third] = [work(), work(), work()];
  await expect(third).rejects.toThrow(TooManyWaiting);
  expect(await Promise.all([first, second])).toEqual([{ n: 4 }, { n: 4 }]);
  expect(await work()).toEqual({ n: 4 });
});

it("rejects what is left when it is closed, and takes nothing more", async () => {
  const threads = new Threads(1);
  const left = [threads.run(module, "endless", null), threads.run(module, "doubled", { n: 1 })];
  const settled = Promise.allSettled(left);
  await threads.close();
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(threads.run(module, "doubled", { n: 1 })).rejects.toThrow("closed");
});
