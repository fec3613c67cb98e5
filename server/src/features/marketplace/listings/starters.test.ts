import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Output } from "@aos/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { createStartersSweep, startersSweep } from "./operations/add-starter.ts";
import { listStarters, startersFolder } from "./starters.ts";

const app = useApp();
const process = useWorkerProcess(app);

/** Looks as often as there are starters, and once more. */
async function look(sweep = startersSweep): Promise<void> {
  const sweeper = process.sweeperWith([sweep]);
  for (let at = 0; at <= (await listStarters(startersFolder)).length; at++) await sweeper.sweep();
}
const read = async <T>(from: string): Promise<T> => (await app.call("GET", from)).body as T;
const listed = () => read<{ data: Output<"marketplace.readListing">[] }>("/v1/marketplace/listings?origin=starter");
const detail = (id: string) => read<Output<"marketplace.readListing">>(`/v1/marketplace/listings/${id}`);

describe("starters", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "aos-starters-"));
    await cp(path.join(startersFolder, "invoice-triage"), path.join(folder, "invoice-triage"), { recursive: true });
    await look();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("are in the catalogue of a new installation: signed by it, approved strictly, with scorecards and no findings", async () => {
    const { data } = await listed();
    expect(data.map(({ name }) => name).sort()).toEqual((await listStarters(startersFolder)).map(({ name }) => name));
    for (const { state, publisher, visibility, scan, scorecard } of data) {
      expect({ state, own: publisher.own, visibility }).toEqual({ state: "approved", own: true, visibility: "public" });
      expect(scan).toMatchObject({ error: 0, warning: 0 });
      expect(scorecard?.gate?.state).toBe("open");
    }
    const [one] = (await detail(data[0]?.listing_id as string)).versions;
    expect(one).toMatchObject({ state: "approved", review_strict: true, submitted_by: "system:sweeper" });
    expect(process.faults).toEqual([]);
  });

  it("are added once, whichever process looks again", async () => {
    const before = (await listed()).data;
    await look(createStartersSweep(startersFolder));
    expect((await listed()).data).toEqual(before);
  });

  it("become new versions where their folder has a higher one, unless people withdrew the starter", async () => {
    const bundle = path.join(folder, "invoice-triage/bundle.json");
    const upgrade = async (version: string) => {
      const text = await readFile(bundle, "utf8");
      await writeFile(bundle, text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
      await look(createStartersSweep(folder));
      const { data } = await listed();
      return data.find(({ name }) => name === "invoice-triage");
    };
    const raised = await upgrade("1.1.0");
    expect(raised).toMatchObject({ version: "1.1.0", state: "approved" });
    const { listing_id } = raised as { listing_id: string };
    await app.call("DELETE", `/v1/marketplace/listings/${listing_id}`);
    expect(await upgrade("1.2.0")).toBeUndefined();
    expect((await detail(listing_id)).versions.map(({ version }) => version)).toEqual(["1.1.0", "1.0.0"]);
  });
});
