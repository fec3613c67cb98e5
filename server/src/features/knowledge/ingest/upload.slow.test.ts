import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";

const app = useApp();
const MB = 1024 * 1024;
const client = fileURLToPath(new URL("upload-client.fixture.ts", import.meta.url));

/** Uploads from another process, so that the memory of this one is the service's. */
async function send(megabytes: number, key = app.key("admin")) {
  const url = `${app.url}/v1/knowledge/bases/large/documents`;
  const { stdout } = await promisify(execFile)(process.execPath, [client, url, key, String(megabytes)]);
  return JSON.parse(stdout) as { status: number; body: { document_id?: string } };
}

/** The most that is in memory while something is done, beyond what was before, in bytes; what nobody holds any more does not count. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  let most = 0;
  let over = false;
  const watching = (async () => {
    for (; !over; await delay(100)) most = Math.max(most, held() - before);
  })();
  await work();
  over = true;
  await watching;
  return most;
}

beforeAll(async () => {
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "large" } })).status).toBe(201);
  await send(1);
});

it("takes a file of 100 MiB, of which little is in memory at a time", { timeout: 120_000 }, async () => {
  const growth = await growthDuring(async () => {
    const { status, body } = await send(100);
    expect(status).toBe(202);
    const { rows } = await app.pool.query(
      "select count(*)::int as parts, sum(length(data))::int as bytes from document_files where document = $1",
      [body.document_id],
    );
    expect(rows).toEqual([{ parts: 100, bytes: 100 * MB }]);
  });
  expect(growth / MB).toBeLessThan(50);
});

it("refuses a larger one, and one of an unknown caller, whatever they send", { timeout: 120_000 }, async () => {
  expect(await send(101)).toMatchObject({ status: 413, body: { code: "body_too_large", limit_bytes: 100 * MB } });
  expect(await send(101, "")).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
});
