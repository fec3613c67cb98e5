import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { insertConversation } from "../../chat.fixture.ts";
import { handoffSweep } from "../operations/remind-of-handoff.ts";

const app = useApp();
const process = useWorkerProcess(app);

it("reminds once of a conversation that nobody took over for ten minutes", async () => {
  const handoff = (minutes: number) =>
    JSON.stringify({ reason: "Asked.", requested_at: new Date(Date.now() - minutes * 60_000).toISOString() });
  const forgotten = await insertConversation(app, { handoff: handoff(11) });
  await insertConversation(app, { handoff: handoff(9) });
  await insertConversation(app, { handoff: handoff(11), handler: "mbr_01jd8x0000000000000000000e" });
  const sweeper = process.sweeperWith([handoffSweep]);
  for (let look = 0; look < 2; look++) await sweeper.sweep();
  expect(process.faults).toEqual([]);
  const { rows } = await app.pool.query("select body from events where type = 'chat.handoff_waiting'");
  expect(rows.map(({ body }) => JSON.parse(body).conversation_id)).toEqual([forgotten]);
});
