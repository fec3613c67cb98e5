import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { carry, differences, type Installation, startInstallation } from "./carry.ts";
import { disagreements, faultsOf } from "./faults.ts";
import { readStarter, starterNames, startersFolder } from "./files.ts";
import { overlaps } from "./overlap.ts";
import { tryStarter } from "./try.ts";

// Every starter on services as users start them: its files fit, its next steps lead to a deployment, its tasks give what it says, and its scorecard is reproduced
// there and from its file on a second installation.

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

describe("starters on two services", () => {
  let first: Installation;
  let second: Installation;
  beforeAll(async () => {
    first = await startInstallation({});
    second = await startInstallation({ AOS_STARTERS: "off" });
  }, 120_000);
  afterAll(async () => {
    await Promise.all([first?.end(), second?.end()]);
  });

  it.each(names)(
    "%s gives its scorecard and what its tasks expect, and the same from its file elsewhere",
    {
      timeout: 300_000,
    },
    async (name) => {
      const { scorecard, gate_reasons, tasks } = await tryStarter(name, first.target, () => undefined);
      expect(scorecard.gate?.state, gate_reasons.join("; ")).toBe("open");
      expect(tasks.map(({ status, disagrees }) => ({ status, disagrees }))).toEqual(
        Array(3).fill({ status: "completed", disagrees: [] }),
      );
      if (name === "cv-screening") expect(tasks.map(({ approved }) => approved)).toEqual([true, true, true]);
      const written = JSON.parse(await readFile(path.join(startersFolder, name, "scorecard.json"), "utf8"));
      expect(differences(written, scorecard)).toEqual([]);
      const carried = await carry(name, first, second);
      expect(differences(carried.inBundle, carried.reproduced)).toEqual([]);
      expect(differences(written, carried.reproduced)).toEqual([]);
    },
  );
});
