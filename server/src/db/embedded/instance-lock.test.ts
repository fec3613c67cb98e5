import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeInstanceLock } from "./instance-lock.ts";

describe("the lock of a data folder", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "aos-lock-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("is taken once the process that holds it has ended; the wait is logged once", async () => {
    const release = await takeInstanceLock(folder, { waitMs: 0, onWait: expect.fail });
    const told: string[] = [];
    const isTold = Promise.withResolvers<void>();
    const next = takeInstanceLock(folder, {
      waitMs: 60_000,
      onWait(text) {
        told.push(text);
        isTold.resolve();
      },
    });
    await isTold.promise;
    await release();
    await (await next)();
    expect(told).toEqual([
      `another service (process ${process.pid}) is using the data folder; waiting up to 60 seconds for it to end`,
    ]);
  });

  it("is refused after the wait, with the id of the process that holds it", async () => {
    const release = await takeInstanceLock(folder, { waitMs: 0, onWait: expect.fail });
    const refused = takeInstanceLock(folder, { waitMs: 0, onWait: expect.fail });
    await expect(refused).rejects.toThrow(`The service already runs (process ${process.pid})`);
    await release();
  });
});
