import { expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { namesOf, withNames } from "./names-store.ts";

const app = useSharedApp();
const ctx = () => ({ db: createReader(app.pool), scope: app.scope });

it("calls members, keys, versions, policies, kill switches and budgets by their names", async () => {
  const { memberId, keyId } = await app.member("viewer");
  const policy = await app.policy({ action: "task.dispatch", when: "true", effect: "notify" });
  await app.pool.query("update policies set name = 'Refunds need a look' where id = $1", [policy]);
  await app.pool.query("update members set name = 'A reviewer' where id = $1", [memberId]);
  await app.pool.query("update keys set name = 'Night job' where id = $1", [keyId]);
  const { rows } = await app.pool.query("select id from agent_versions where agent = 'sales' and number = 1");
  const values = [memberId, keyId, policy, rows[0].id, `budget:key:${keyId}/usd/day`, "budget:environment/tasks/total"];
  const names = await namesOf(ctx(), [
    ...values,
    "pause",
    "system:worker",
    "environment",
    "agent:sales",
    null,
    "sales",
  ]);
  expect(Object.fromEntries(names)).toEqual({
    [memberId]: "A reviewer",
    [keyId]: "Night job",
    [policy]: "Refunds need a look",
    [rows[0].id]: "sales version 1",
    [`budget:key:${keyId}/usd/day`]: "Budget of key Night job: usd a day",
    "budget:environment/tasks/total": "Budget of the environment: tasks in total",
    pause: "Pause of an agent",
    "system:worker": "The service (worker)",
    environment: "the environment",
    "agent:sales": "sales",
  });
});

it("leaves rows as they are whose values say all, and those of ids that are gone", async () => {
  const gone = "mbr_00000000000000000000000000";
  const rows = [{ key: { agent: "sales" } }, { key: { member: gone } }, { key: { member: null, policy: "gate" } }];
  expect(await withNames(ctx(), rows)).toEqual([
    rows[0],
    rows[1],
    { key: { member: null, policy: "gate" }, names: { policy: "Evaluation gate" } },
  ]);
});
