import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { attach, counts } from "../connectors.fixture.ts";
import { bucketCredentials, startBucket } from "../servers.fixture.ts";

const app = useApp({ role: "all" });
let bucket: Awaited<ReturnType<typeof startBucket>>;
beforeAll(async () => {
  bucket = await startBucket("handbook");
});
const connector = (prefix: string) => ({
  kind: "s3",
  source: { endpoint: bucket.url, bucket: "handbook", prefix },
  credentials: bucketCredentials,
});

it("takes over the objects below a prefix, and later what changed", async () => {
  await bucket.write("one/a.txt", "Alpha.");
  await bucket.write("one/with space & ü.txt", "Beta.");
  await bucket.write("one/c.txt", "Gamma.");
  await bucket.write("other/d.txt", "Not asked for.");
  const { sync, documents } = await attach(app, connector("one/"));
  expect(counts(await sync())).toEqual({
    state: "completed",
    added: 3,
    changed: 0,
    removed: 0,
    unchanged: 0,
    failed: 0,
  });
  expect(await documents()).toEqual({
    "one/a.txt": "Alpha.",
    "one/with space & ü.txt": "Beta.",
    "one/c.txt": "Gamma.",
  });
  await bucket.write("one/a.txt", "Alpha, changed.");
  await bucket.remove("one/c.txt");
  expect(counts(await sync())).toEqual({
    state: "completed",
    added: 0,
    changed: 1,
    removed: 1,
    unchanged: 1,
    failed: 0,
  });
});

it("keeps what came before the server broke off, removes nothing, and completes later", async () => {
  for (let at = 0; at < 40; at++) await bucket.write(`many/${at}.txt`, `Object ${at}.`);
  const { sync, documents } = await attach(app, connector("many/"));
  bucket.line.left = 21; // the listing and 20 objects
  const broken = await sync();
  expect(broken).toMatchObject({ state: "failed", removed: 0, error: { code: expect.stringMatching(/^connect/) } });
  expect(broken.added).toBe(20);
  expect(broken.failures.data.length).toBeGreaterThan(0);
  bucket.line.left = Number.POSITIVE_INFINITY;
  expect(counts(await sync())).toEqual({
    state: "completed",
    added: 20,
    changed: 0,
    removed: 0,
    unchanged: 20,
    failed: 0,
  });
  expect(Object.keys(await documents())).toHaveLength(40);
});

it("says that the credentials are refused, without them", async () => {
  const wrong = { access_key_id: "NOBODY", secret_access_key: "a-wrong-secret" };
  const { sync } = await attach(app, { ...connector("one/"), credentials: wrong });
  const failed = await sync();
  expect(failed).toMatchObject({ state: "failed", error: { code: "forbidden" } });
  expect(JSON.stringify(failed)).not.toContain("a-wrong-secret");
});
