import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { addPeople, type Person } from "../arrange.ts";
import { type Answered, clientOf } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

const size = 100;
const items = Array.from({ length: size }, (_, i) => ({
  agent: "sales",
  task: "qualify_lead",
  lead_id: `ld_${i}`,
  require_approval: true,
}));

describe("a batch whose process is killed in the middle", () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  let service: ServiceProcess;
  let admin: Person;

  const start = async (): Promise<void> => {
    service = await startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role: "api" });
  };
  const send = (key: string): Promise<Answered> =>
    clientOf(service.url, admin.secret)("POST", "/v1/tasks/batch", {
      body: { items },
      headers: { "idempotency-key": key },
    });
  const leads = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ lead: string }>("select input::json ->> 'lead_id' as lead from tasks");
    return rows.map(({ lead }) => lead);
  };

  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
    await start();
    [admin] = (await addPeople(database.pool, 1, "admin")) as [Person];
    // Slow enough that a kill finds it in the middle.
    await database.pool.query(
      `create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(0.01); return new; end';
       create trigger slowly before insert on tasks for each row execute function slowly()`,
    );
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await database?.close();
    await folder?.remove();
  }, 60_000);

  it("is carried on by a repetition: every item once, and the answers of those that were made", async () => {
    const broken = send("killed in the middle").catch(() => "broke off");
    await until("some items are stored", async () => (await leads()).length >= 20);
    await service.kill();
    expect(await broken).toBe("broke off");
    const stored = (await leads()).length;
    expect(stored).toBeLessThan(size);
    const made = await database.pool.query<{ id: string; batch: string }>("select id, batch_id as batch from tasks");
    await start();

    const { status, text, body } = await send("killed in the middle");
    expect([status, body.succeeded, body.failed]).toEqual([207, size, 0]);
    expect((await leads()).sort()).toEqual(items.map(({ lead_id }) => lead_id).sort());
    const answered = new Set(body.results.map((one: { body: { task_id: string } }) => one.body.task_id));
    for (const { id, batch } of made.rows) expect([answered.has(id), batch]).toEqual([true, body.batch_id]);
    const again = await send("killed in the middle");
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([text, "true"]);
    expect(await leads()).toHaveLength(size);
    console.log(`killed with ${stored} of ${size} items stored; the repetition made the other ${size - stored}`);
  }, 120_000);
});
