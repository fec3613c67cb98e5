import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type AosClient, createClient } from "@aos/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dataFolder, type ServiceProcess, startService } from "../../../test/processes.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import type { Install, NextStep } from "./install-schemas.ts";

// An admin who follows the next steps literally, with nothing but the client, comes to a deployed agent with an open gate.

let database: TestDatabase;
let data: Awaited<ReturnType<typeof dataFolder>>;
let service: ServiceProcess;
let aos: AosClient;

beforeAll(async () => {
  [database, data] = await Promise.all([testDatabase(), dataFolder()]);
  const { connectionString: databaseUrl } = database;
  service = await startService({ databaseUrl, dataDir: data.dataDir, role: "all", env: { AOS_SAMPLE: "off" } });
  const key = (await readFile(path.join(data.dataDir, "admin.key"), "utf8")).trim();
  aos = createClient({ baseUrl: service.url, key });
}, 180_000);
afterAll(async () => {
  await service?.stop();
  await database?.close();
  await data?.remove();
});

/** The starter's entry in the catalogue, which the service fills after its start. */
async function listed(name: string) {
  for (let tries = 0; tries < 240; tries++) {
    for await (const listing of aos.marketplace.listListings({ q: name.replaceAll("-", " ") }))
      if (listing.name === name) return listing;
    await delay(250);
  }
  throw new Error(`${name} is not in the catalogue`);
}

/** What stands in the way of a step's end, in words. */
async function follow(install: string, at: number, { operation, params, body, if_match }: NextStep): Promise<Install> {
  if (operation !== null) {
    const [group, verb] = operation.split(".") as [keyof AosClient, string];
    const call = (aos[group] as unknown as Record<string, (input: object, options: object) => Promise<unknown>>)[verb];
    await call?.({ ...params, ...body }, if_match === null ? {} : { ifMatch: if_match });
  }
  for (let tries = 0; tries < 480; tries++) {
    const now = (await aos.marketplace.readInstall({ install })) as Install;
    if (now.next_steps[at]?.done) return now;
    await delay(250);
  }
  throw new Error(`step ${at} of ${install} does not end`);
}

it.each(["support-routing", "expense-check"])(
  "brings %s to a deployed agent with an open gate",
  async (name) => {
    const listing = await listed(name);
    const { digest, permissions_digest, publisher } = await aos.marketplace.previewInstall({
      listing: listing.listing_id,
    });
    const made = await aos.marketplace.installListing({
      ...{ listing: listing.listing_id, digest },
      consent: { permissions: permissions_digest, publisher_key: publisher.key_id },
    });
    expect(made.failed).toBe(0);
    let install = made.install as Install;
    for (let at = 0; at < install.next_steps.length; at++) {
      const step = install.next_steps[at] as NextStep;
      if (!step.done) install = await follow(install.install_id, at, step);
    }
    expect(install.next_steps.every(({ done }) => done)).toBe(true);
    expect(install.drift).toBe("none");
    const agent = install.agent as string;
    const { deployment } = await aos.agents.readAgent({ agent });
    const { versions } = await aos.evaluations.readGate({ agent });
    expect(versions.find(({ version }) => version === deployment?.version)?.state).toBe("open");
  },
  300_000,
);
