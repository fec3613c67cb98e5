import { expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { retentionSweep } from "./retention.ts";

const app = useSharedApp();
const process = useWorkerProcess(app);

it("looks after the other environments where one cannot be, and says so at the end", async () => {
  const seen: string[] = [];
  const sweep = retentionSweep({
    name: "test.retention",
    days: ({ exports_days }) => exports_days,
    remove: async (_db, { environment }) => {
      seen.push(environment);
      if (environment === "development") throw new Error("the statement took too long");
    },
  });
  const parts = {
    db: createReader(process.database.pool),
    inside: process.inside,
    facts: app.app.facts,
    port: app.app.port,
  };
  await expect(sweep.run({ ...parts, now: Date.now() })).rejects.toThrow(
    "test.retention: 1 environments could not be looked after",
  );
  expect(seen).toEqual(["development", "staging", "production"]);
});
