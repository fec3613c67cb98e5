import { expect, it } from "vitest";
import { useDatabase } from "../testing/database.ts";
import { createSignal } from "./signal.ts";

const database = useDatabase();
const newSignal = () =>
  createSignal({
    pool: database.pool,
    channel: "aos_test_signal",
    report: (error) => {
      throw error;
    },
  });

it("tells its own process at once and once, another one through the database, and nobody who has left", async () => {
  const [here, there] = [newSignal(), newSignal()];
  const heard = { here: 0, there: 0, gone: 0 };
  const listening = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  here.on(() => void heard.here++);
  there.on(() => {
    if (heard.there++ === 0)
      listening.resolve(); // it begins with a look
    else arrived.resolve();
  });
  there.on(() => void heard.gone++)();
  await listening.promise;
  const before = heard.here;
  here.raise();
  expect(heard.here - before).toBeGreaterThanOrEqual(1);
  await arrived.promise;
  expect(heard.gone).toBe(0);
  await Promise.all([here.stop(), there.stop()]);
});
