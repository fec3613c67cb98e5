import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../server/src/testing/database.ts";
import { dataFolder, type ServiceProcess, startService } from "../../server/test/processes.ts";
import type { Target } from "../journeys/target.ts";
import { disagreements, faultsOf } from "./faults.ts";
import { readStarter, starterNames } from "./files.ts";
import { overlaps } from "./overlap.ts";
import { tryStarter } from "./try.ts";

// Every starter on a service as users start it: its files fit, its gate opens by its own run, and its tasks give what it says.

const names = await starterNames();

describe("overlap of evaluation items with the training", () => {
  const example = { message: "The parcel that you sent me on Monday has still not arrived" };

  it("finds an item that differs in case and punctuation only", () => {
    const item = { message: "the parcel, that you sent me on monday, has STILL not arrived!" };
    expect(overlaps([{ message: "Something else altogether" }, item], [example])).toEqual([
      { item: 1, example: 0, share: 1 },
    ]);
  });

  it("finds an item that is an example with words around it, and none that shares a few words", () => {
    const around = { message: "Hello, the parcel that you sent me on Monday has still not arrived, bye" };
    const other = { message: "The parcel that came on Monday was for my neighbour, please fetch it" };
    expect(overlaps([around, other], [example]).map(({ item }) => item)).toEqual([0]);
  });
});

describe("the files of starters", () => {
  it("has the ten of the catalogue", () => expect(names).toHaveLength(10));

  it.each(names)("%s fits the format", async (name) => expect(faultsOf(await readStarter(name))).toEqual([]));

  it("names an evaluation item that stands in the training, and a field that disagrees", async () => {
    const starter = await readStarter(names[0] as string);
    const [dataset] = starter.datasets;
    const learnt = starter.training.get(dataset?.skill as string)?.[0];
    const items = [...(dataset?.items ?? []), { input: learnt?.input ?? {}, expected: learnt?.output ?? {} }];
    const planted = { ...starter, datasets: [{ ...(dataset as NonNullable<typeof dataset>), items }] };
    expect(faultsOf(planted)).toContainEqual(expect.stringMatching(/^datasets\/.+ is training\/.+:1 \(1\.00\)$/));
    expect(disagreements({ team: "a", urgency: "high" }, { team: "b", urgency: "high" })).toEqual(['team: "b"']);
  });
});

describe("starters on a service", () => {
  let database: TestDatabase;
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let service: ServiceProcess;
  let target: Target;

  beforeAll(async () => {
    [database, data] = await Promise.all([testDatabase(), dataFolder()]);
    const { connectionString: databaseUrl } = database;
    service = await startService({ databaseUrl, dataDir: data.dataDir, role: "all", env: { AOS_SAMPLE: "off" } });
    const key = (await readFile(path.join(data.dataDir, "admin.key"), "utf8")).trim();
    target = { url: service.url, key, own: true, what: "the test's" };
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await database?.close();
    await data?.remove();
  });

  it.each(names)("%s opens its gate, and its tasks give what it says", { timeout: 240_000 }, async (name) => {
    const { scorecard, gate_reasons, tasks } = await tryStarter(name, target, () => undefined);
    expect(scorecard.gate?.state, gate_reasons.join("; ")).toBe("open");
    expect(tasks.map(({ status, disagrees }) => ({ status, disagrees }))).toEqual(
      Array(3).fill({ status: "completed", disagrees: [] }),
    );
    for (const { mean, low } of scorecard.results) expect(low).toBeLessThanOrEqual(mean);
    if (name === "cv-screening") expect(tasks.map(({ approved }) => approved)).toEqual([true, true, true]);
  });
});
