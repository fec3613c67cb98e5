import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { untilSequenced } from "../testing.ts";

const app = useApp();

it("Proofs and checkpoints are refused once the log's head was edited.", async () => {
  const { audit_ref } = await app.dispatch();
  await untilSequenced(app, audit_ref);
  const attacker = new pg.Client({ connectionString: app.connectionString });
  await attacker.connect();
  onTestFinished(() => attacker.end());
  await attacker.query("set session_replication_role = replica"); // without triggers
  await attacker.query("update audit_logs set last_xid = '0', last_n = -1 where environment = 'development'");
  await app.dispatch(); // the sequencer looks at the head before it numbers this
  for (const path of [`/v1/audit/events/${audit_ref}/proof`, "/v1/audit/checkpoint"])
    await vi.waitFor(async () => expect((await app.call("GET", path)).body.code).toBe("log_stopped"), 20_000);
});
