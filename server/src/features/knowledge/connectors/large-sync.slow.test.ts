import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { attach, counts } from "./connectors.fixture.ts";

const allowed = mkdtempSync(path.join(tmpdir(), "aos-large-"));
const app = useApp({ role: "all", knowledgeFolders: [allowed] });
afterAll(() => rmSync(allowed, { recursive: true, force: true }));

const files = 10_000;
const write = (at: number, more = ""): void => {
  const folder = path.join(allowed, "handbook", String(at % 100));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${at}.md`), `# Page ${at}\n\nHow to mend loom number ${at}, step by step.${more}`);
};

it("touches exactly what changed of 10,000 files", { timeout: 600_000 }, async () => {
  for (let at = 0; at < files; at++) write(at);
  const { sync, where } = await large();
  const timed = async () => {
    const began = performance.now();
    const { sync_id } = await sync();
    let read = await app.call("GET", `${where}/syncs/${sync_id}`, { headers: { prefer: "wait=60" } });
    while (["queued", "running"].includes(read.body.state))
      read = await app.call("GET", `${where}/syncs/${sync_id}`, { headers: { prefer: "wait=60" } });
    return { seconds: (performance.now() - began) / 1000, ...counts(read.body) };
  };
  const first = await timed();
  expect(first).toMatchObject({ state: "completed", added: files, failed: 0 });
  const digest = "coalesce(d.pending->>'file_digest', d.file_digest)"; // also of those that are still to be indexed
  const before = await app.pool.query(
    `select d.id, ${digest} as digest from documents d where d.connector is not null`,
  );
  const changed = new Set(Array.from({ length: files / 100 }, (_, at) => at * 100 + 7));
  for (const at of changed) write(at, " Changed.");
  const second = await timed();
  expect(second).toMatchObject({ state: "completed", added: 0, changed: 100, removed: 0, unchanged: 9_900, failed: 0 });
  const { rows } = await app.pool.query(
    `select external_id from documents d join unnest($1::text[], $2::text[]) as b(id, digest) using (id) where ${digest} <> b.digest`,
    [before.rows.map(({ id }) => id), before.rows.map((row) => row.digest)],
  );
  expect(new Set(rows.map(({ external_id }) => Number(path.basename(external_id, ".md"))))).toEqual(changed);
  console.log(`10,000 files: first sync ${first.seconds.toFixed(1)} s, 1 % changed ${second.seconds.toFixed(1)} s`);
});

async function large() {
  const { base, sync } = await attach(app, { kind: "folder", source: { path: path.join(allowed, "handbook") } });
  return { sync, where: `/v1/knowledge/bases/${base}` };
}
