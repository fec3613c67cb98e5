import { expect, it } from "vitest";
import { keptFor } from "../kernel/idempotency.ts";
import { useApp } from "../testing/app.ts";
import { deleteOldAnswers } from "./old-answers.ts";

const app = useApp();

it("deletes the answers that can no longer be repeated, and leaves the others", async () => {
  const keep = (name: string) =>
    app.call("POST", "/v1/admin/keys", {
      body: { name, role: "viewer" },
      headers: { "idempotency-key": name },
    });
  const stored = async () => (await app.pool.query("select count(*)::int as n from idempotency_keys")).rows[0].n;
  const before = await stored();
  const first = await keep("retained-one");
  expect(await stored()).toBe(before + 1);
  expect(await deleteOldAnswers(app.pool, Date.now())).toBe(0);
  expect((await keep("retained-one")).body.key_id).toBe(first.body.key_id);
  expect(await deleteOldAnswers(app.pool, Date.now() + keptFor + 1_000)).toBe(before + 1);
  expect(await stored()).toBe(0);
});
