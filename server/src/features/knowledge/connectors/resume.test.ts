import { beforeAll, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { systemClock } from "../../../kernel/clock.ts";
import type { RunInside } from "../../../kernel/machines.ts";
import { createSourcePort } from "../../../outbound/source-port.ts";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { attach, counts } from "./connectors.fixture.ts";
import { startGit } from "./git.fixture.ts";
import { createSyncJob } from "./jobs/sync.ts";
import { startApi } from "./json-api.fixture.ts";

const app = useApp();
const worker = useWorkerProcess(app);
const sources: Record<string, object> = {};

beforeAll(async () => {
  const [git, api] = await Promise.all([startGit(), startApi()]);
  for (let at = 0; at < 25; at++) git.write(`${at}.txt`, `File ${at}.`);
  git.commit();
  api.items = Array.from({ length: 25 }, (_, at) => ({ id: `${at}`, updated: 1_700_000_000 + at }));
  sources.git = { url: git.url };
  const pages = { by: "cursor", cursor: "cursor", size: 7 };
  const since = { parameter: "since" };
  sources["json-api"] = { url: `${api.url}/articles`, items: "data", id: "id", updated: "updated", pages, since };
});

it.each(["git", "json-api"])("goes on where a worker was killed, and counts nothing twice: %s", async (kind) => {
  const { base } = await attach(app, { kind, source: sources[kind] as object });
  const where = `/v1/knowledge/bases/${base}`;
  const port = createSourcePort({ credentialKey: await app.credentialKey(), outboundAllow: [] });
  const parts = { db: createReader(worker.database.pool), clock: systemClock };
  const run = (sync: string, inside: RunInside = worker.inside): Promise<void> =>
    createSyncJob({ ...parts, inside }, port, { sizes: { items: 10, stored: 10 } })({ ...app.scope, sync });
  const read = async (sync: string) => (await app.call("GET", `${where}/syncs/${sync}`)).body;
  const start = async () => (await app.call("POST", `${where}/sync`, { body: {} })).body.syncs[0].sync_id as string;

  const sync = await start();
  let calls = 0;
  const killed = Promise.withResolvers<void>();
  const revived = Promise.withResolvers<void>();
  const dying: RunInside = async (operation, scope, input) => {
    if (++calls === 3) {
      killed.resolve();
      await revived.promise;
    }
    return worker.inside(operation, scope, input);
  };
  const lost = run(sync, dying);
  await killed.promise;
  expect(await read(sync)).toMatchObject({ state: "running", added: 20 });
  await app.pool.query("update knowledge_syncs set lease_until = now() where id = $1", [sync]);
  await run(sync);
  const whole = { state: "completed", added: 25, changed: 0, removed: 0, unchanged: 0, failed: 0 };
  expect(counts(await read(sync))).toEqual(whole);
  revived.resolve();
  await lost;
  expect(counts(await read(sync))).toEqual(whole);
  const { rows } = await app.pool.query(
    "select count(*)::int as n, count(distinct d.external_id)::int as names from documents d join knowledge_bases b on b.id = d.base where b.name = $1",
    [base],
  );
  expect(rows).toEqual([{ n: 25, names: 25 }]);
});
