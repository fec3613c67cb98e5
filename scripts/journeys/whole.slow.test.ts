import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../server/src/testing/database.ts";
import { dataFolder, type ServiceProcess, startService } from "../../server/test/processes.ts";
import type { Figures } from "./figures.ts";
import { leads } from "./leads.ts";
import { runJourney } from "./run.ts";

// The whole journey over invented leads, on a service as users start it: it has to complete every task and prove what happened, whatever its data.

const cities = ["Porto", "Galway", "Kobe", "Nakuru"];
const row = (at: number): string => {
  const visits = (at * 7) % 20;
  const asked = at % 3 === 0;
  return `ld_${at},${visits},${cities[at % cities.length]},${asked ? '"wrote: ""call me"""' : "only looked"},${asked || visits > 15 ? 1 : 0}`;
};

let database: TestDatabase;
let data: Awaited<ReturnType<typeof dataFolder>>;
let service: ServiceProcess;
let folder: string;

beforeAll(async () => {
  [database, data, folder] = await Promise.all([
    testDatabase(),
    dataFolder(),
    mkdtemp(path.join(tmpdir(), "aos-journey-")),
  ]);
  service = await startService({
    databaseUrl: database.connectionString,
    dataDir: data.dataDir,
    role: "all",
    env: { AOS_SAMPLE: "off" },
  });
  vi.stubEnv("AOS_URL", service.url);
  vi.stubEnv("AOS_KEY", (await readFile(path.join(data.dataDir, "admin.key"), "utf8")).trim());
}, 120_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await service?.stop();
  await database?.close();
  await data?.remove();
  await rm(folder, { recursive: true, force: true });
});

it("takes leads from their records to judged tasks with proofs", { timeout: 120_000 }, async () => {
  const file = path.join(folder, "leads.csv");
  await writeFile(
    file,
    ["lead_id,Visits,City,Contact,Converted", ...Array.from({ length: 400 }, (_, at) => row(at))].join("\n"),
  );
  let out = "";
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  expect(await runJourney(leads, [file, "--tasks", "60", "--reviewed", "20", "--json"])).toBe(0);
  const { figures } = JSON.parse(out) as { figures: Figures };
  expect(figures).toMatchObject({
    records: 400,
    all: { dispatched: 60, completed: 60, others: {} },
    first: { completed: 20 },
    rest: { completed: 40 },
  });
  expect(figures.training.seconds).toBeGreaterThan(0);
  expect(figures.all.accuracy).toBeGreaterThan(0.85);
  expect(figures.all.auc).toBeGreaterThan(0.9);
  expect(figures.all.trust.n).toBe(60);
  expect(figures.proofs.verified).toBe(figures.proofs.records);
  expect(figures.proofs.records).toBeGreaterThan(12);
});
