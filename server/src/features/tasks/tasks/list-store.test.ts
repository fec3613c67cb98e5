import { beforeAll, describe, expect, it } from "vitest";
import type { ReadContext } from "../../../kernel/context.ts";
import { lowestId } from "../../../kernel/ids.ts";
import { useDatabase } from "../../../testing/database.ts";
import { listTasks, type TaskFilter } from "./list-store.ts";

const minute = 60_000;
const count = 20_000;
const end = Date.UTC(2026, 10, 20);
const created = (place: number): number => end - (count - place) * minute;
const idAt = (place: number): string => lowestId("tsk", created(place));

interface Plan {
  readonly Plan: { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number };
}

describe("a page of tasks from long ago", () => {
  const database = useDatabase();

  beforeAll(async () => {
    await database.pool.query(
      `insert into tasks (organization, environment, id, agent, version_id, version_number, skill, status, input, trust_score, trust, risk_level, risk,
         audit_ref, principal, subject, event_count)
       select 'default', 'development', id, 'sales', 'ver', 1, 'qualify_lead', 'completed', '{}', 0.5, '{}', 'low', '{}', 'aud', 'test', id, 1
       from unnest($1::text[]) id`,
      [Array.from({ length: count }, (_, place) => idAt(place))],
    );
    await database.pool.query("analyze tasks");
  });

  /** How many blocks the database looks at for a page, and its rows. */
  async function page(
    filter: TaskFilter,
    after?: string,
    environment = "development",
  ): Promise<{ blocks: number; ids: string[] }> {
    let blocks = 0;
    const query = async (text: string, values: unknown[]) => {
      const { rows } = await database.pool.query<{ "QUERY PLAN": [Plan] }>(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      );
      const plan = rows[0]?.["QUERY PLAN"][0].Plan;
      blocks = (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
      return (await database.pool.query(text, values)).rows;
    };
    const ctx = {
      scope: { organization: "default", environment },
      principal: { agents: null },
      db: { query },
    };
    const rows = await listTasks(ctx as unknown as ReadContext, filter, {
      after: after === undefined ? undefined : { keys: [], id: after },
      take: 26,
    });
    return { blocks, ids: rows.map(({ id }) => id) };
  }
  const below = (place: number): string[] => Array.from({ length: 26 }, (_, i) => idAt(place - 1 - i));

  it.each([
    ["created_before alone", { created_before: new Date(created(500)).toISOString() }, undefined, 500],
    ["created_before on a later page", { created_before: new Date(created(500)).toISOString() }, idAt(300), 300],
    [
      "created_before with a cursor that lies behind it",
      { created_before: new Date(created(300)).toISOString() },
      idAt(500),
      300,
    ],
    [
      "created_before with an agent",
      { agent: ["sales"], created_before: new Date(created(500)).toISOString() },
      undefined,
      500,
    ],
    ["a cursor alone", {}, idAt(500), 500],
  ])("is found by %s without a look at all that came since", async (_what, filter, after, from) => {
    const { blocks, ids } = await page(filter, after);
    expect(ids).toEqual(below(from));
    expect(blocks).toBeLessThan(40); // the whole table has a thousand
  });

  it("holds none of another environment", async () => {
    expect((await page({}, undefined, "staging")).ids).toEqual([]);
  });
});
