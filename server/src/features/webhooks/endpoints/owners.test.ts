import { expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { lookAtOwners } from "./owners.ts";

const app = useSharedApp();

it("looks again after a key's end that lies within the millisecond of the look", async () => {
  const { secret: key, keyId } = await app.member("admin");
  await app.call("POST", "/v1/webhooks", { body: { url: "http://127.0.0.1:9/hook", events: ["task.*"] }, key });
  const now = Date.now() + 60_000;
  await app.pool.query(
    "update keys set revoked_at = to_timestamp($2::bigint / 1000.0) + interval '400 us' where id = $1",
    [keyId, now],
  );
  const db = { query: async (text: string, values?: unknown[]) => (await app.pool.query(text, values)).rows as never };
  const look = await lookAtOwners(db as never, app.scope, now);
  expect(look).toEqual({ stopped: [], again: now + 1 });
});
