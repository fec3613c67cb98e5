import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type AosClient, createClient } from "@aos/sdk";
import type { Scorecard } from "../../server/src/features/marketplace/schema-words.ts";
import { testDatabase } from "../../server/src/testing/database.ts";
import { dataFolder, startService, testSecretKey } from "../../server/test/processes.ts";
import type { Target } from "../journeys/target.ts";
import { readStarter } from "./files.ts";
import { installAndSetUp } from "./make.ts";
import { scorecardOf } from "./report.ts";

// A starter carried from one installation to another: its file downloaded, submitted, approved by a second person, installed, trained and measured there.

export interface Installation {
  readonly target: Target;
  /** Acts for the first admin. */
  readonly aos: AosClient;
  /** Acts for a second admin. */
  readonly reviewer: AosClient;
  end(): Promise<void>;
}

const aosCommand = fileURLToPath(new URL("../../bin/aos", import.meta.url));

/** Starts a service with a database of its own, and invites a second admin. */
export async function startInstallation(env: Readonly<Record<string, string>>): Promise<Installation> {
  const [database, data] = await Promise.all([testDatabase(), dataFolder()]);
  const { connectionString: databaseUrl } = database;
  const { dataDir } = data;
  const service = await startService({ databaseUrl, dataDir, role: "all", env: { AOS_SAMPLE: "off", ...env } });
  const key = (await readFile(path.join(dataDir, "admin.key"), "utf8")).trim();
  const aos = createClient({ baseUrl: service.url, key });
  const { member_id } = await aos.admin.setMember({ member: "reviewer@example.com", role: "admin", name: "Reviewer" });
  const args = ["keys", "create", "--environment", "development", "--role", "admin", "--member", member_id];
  const host = { AOS_DATA_DIR: dataDir, DATABASE_URL: databaseUrl, AOS_SECRET_KEY: testSecretKey };
  const made = await promisify(execFile)("sh", [aosCommand, ...args], { env: { ...process.env, ...host } });
  return {
    target: { url: service.url, key, own: true, what: "the test's" },
    aos,
    reviewer: createClient({ baseUrl: service.url, key: made.stdout.trim() }),
    async end() {
      await service.stop();
      await database.close();
      await data.remove();
    },
  };
}

/** The scorecard in a starter's file, and the one that another installation gets from the file. */
export async function carry(
  name: string,
  from: Installation,
  to: Installation,
): Promise<{ readonly inBundle: Scorecard; readonly reproduced: Scorecard }> {
  const { listing_id } = await to.aos.marketplace.createListing({ file: await fileOf(name, from) });
  const submitted = await to.aos.marketplace.readListing({ listing: listing_id });
  await to.reviewer.marketplace.reviewListing({
    listing: listing_id,
    decision: "approve",
    digest: submitted.digest,
    reason: "Read and tried.",
  });
  const starter = await readStarter(name);
  const course = { aos: to.aos, target: to.target, say: () => undefined, suffix: "" };
  const made = await installAndSetUp(course, starter, listing_id);
  const circumstances = { made_at: new Date().toISOString(), service_version: "0.0.0", suffix: "" };
  return {
    inBundle: submitted.scorecard as Scorecard,
    reproduced: scorecardOf(starter, made, circumstances),
  };
}

async function fileOf(name: string, { aos, target }: Installation): Promise<string> {
  for await (const { listing_id, version, ...listing } of aos.marketplace.listListings({ origin: "starter" })) {
    if (listing.name !== name) continue;
    const url = `${target.url}/v1/marketplace/listings/${listing_id}/versions/${version}`;
    const headers = { authorization: `Bearer ${target.key}`, accept: "application/vnd.aos.bundle+json" };
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`the file of ${name} was not given out: ${await response.text()}`);
    return response.text();
  }
  throw new Error(`the catalogue has no ${name}`);
}

/** How far two figures may be apart. */
const nearly = 1e-9;
/** When and by which service it was measured differs between runs; everything else is the same. */
const circumstantial = new Set(["made_at", "service_version"]);

/** Where two scorecards differ: figures by more than 1e-9, anything else at all. */
export function differences(a: unknown, b: unknown, at = ""): string[] {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) <= nearly ? [] : [`${at}: ${a}, ${b}`];
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null)
    return a === b ? [] : [`${at}: ${JSON.stringify(a)}, ${JSON.stringify(b)}`];
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((name) => !circumstantial.has(name))
    .flatMap((name) => differences(left[name], right[name], `${at}/${name}`));
}
