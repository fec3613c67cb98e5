import { rm } from "node:fs/promises";
import path from "node:path";
import { readCheckpointUnverified } from "@aos/proof";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPins } from "../../src/audit-log/index.ts";
import { startTestApp } from "../../src/testing/app.ts";
import { until } from "../processes.ts";
import { AttackedService, newFolder } from "./forged-log.ts";

// What somebody does who has the database alone: neither the process, nor its key, nor its folder. Each ends in a stop of signing, or in a proof that fails.

let service: AttackedService;
beforeEach(async () => {
  service = await AttackedService.start();
});
afterEach(async () => {
  await service.close();
});

const scope = { organization: "default", environment: "development" };
const pinned = async (folder: string) => {
  const saved = (await createPins(path.join(folder, "audit")).read(scope))?.saved;
  return saved ? readCheckpointUnverified(saved.checkpoint) : null;
};

/** The log cut back to what was kept, and the first record after that edited: with the head, leaves, tiles and counters of that time. */
async function cutBackAndEdit(): Promise<void> {
  for (const table of ["audit_leaves", "audit_logs", "audit_tiles", "audit_key_counters"])
    await service.sql(`begin; delete from ${table}; insert into ${table} select * from kept.${table}; commit`);
  await service.sql(
    `update audit_records set body = replace(body, '"status":200', '"status":201') where id = (select min(id) from audit_records r
       where environment = 'development' and not exists (select from audit_leaves l where l.record_id = r.id))`,
  );
}

describe("a log that was cut back, edited, and given a head to match", () => {
  it("stops a running service, which keeps recording calls and numbering events", async () => {
    await service.work();
    await service.keep();
    await service.work();
    await cutBackAndEdit();
    expect(await service.stopReason()).toBe("head_went_back");

    const { app } = service;
    const ref = await service.record();
    const proof = await service.proof(ref);
    expect([proof.status, proof.body.code]).toEqual([503, "log_stopped"]);
    expect(proof.body.detail).toContain("aos audit adopt");
    expect((await app.call("GET", "/v1/audit/checkpoint")).body.code).toBe("log_stopped");
    expect((await app.call("GET", "/readyz", { key: null })).status).toBe(200);
    expect((await app.call("GET", "/metrics", { key: null })).text).toContain(
      'aos_audit_log_stopped{environment="development",reason="head_went_back"} 1',
    );
    const stops = async () => (await app.call("GET", "/v1/webhooks/events?event=audit.log_stopped")).body;
    await until("subscribers are told", async () => (await stops()).data?.length === 1);
    const { task_id } = await app.dispatch();
    const numbered = () => service.sql("select from event_positions where task_id = $1", [task_id]);
    await until("the events of later calls have their numbers", async () => (await numbered()).length > 0);
  });

  it("stops a service that was stopped meanwhile", async () => {
    await service.work();
    await service.keep();
    await service.work();
    await service.stop();
    await cutBackAndEdit();
    await service.restart();
    expect(await service.stopReason()).toBe("head_went_back");
  });
});

describe("records", () => {
  it("that were edited before they were sequenced stop the log, and never become leaves", async () => {
    await service.work();
    const release = await service.hold();
    const ref = await service.record();
    await service.sql(`update audit_records set body = replace(body, '"status":200', '"status":403') where id = $1`, [
      ref,
    ]);
    await release();
    expect(await service.stopReason()).toBe("record_forged");
    expect(await service.sql("select from audit_leaves where record_id = $1", [ref])).toEqual([]);
  });

  it("that were edited after they were sequenced are not proved", async () => {
    const [ref] = (await service.work()) as [string];
    expect(await service.verdict(ref)).toMatchObject({ verified: true });
    await service.sql(`update audit_records set body = replace(body, '"status":200', '"status":403') where id = $1`, [
      ref,
    ]);
    expect(await service.proof(ref)).toMatchObject({ status: 500, body: { code: "audit_integrity" } });
  });

  it("that changed places are not proved", async () => {
    const [one, two] = (await service.work()) as [string, string];
    await service.sql(
      `update audit_leaves l set leaf_index = o.leaf_index from audit_leaves o
       where l.record_id = any($1) and o.record_id = any($1) and l.record_id <> o.record_id`,
      [[one, two]],
    );
    for (const ref of [one, two]) {
      expect(await service.proof(ref)).toMatchObject({ status: 500, body: { code: "audit_integrity" } });
    }
  });

  it("that were inserted stop the log, also after a restart, and with what a genuine one carries", async () => {
    const [ref] = (await service.work()) as [string];
    await service.sql(
      `insert into audit_records (organization, environment, id, n, body, salt_id, writer, number, mac)
       select organization, environment, overlay(id placing 'z' from length(id)), n, replace(body, id, overlay(id placing 'z' from length(id))), salt_id, writer, number, mac
       from audit_records where id = $1`,
      [ref],
    );
    expect(await service.stopReason()).toBe("record_forged");
    await service.restart();
    expect(await service.stopReason()).toBe("record_forged");
  });

  it("that were the last ones and were deleted with their tiles, under an older head, stop the log", async () => {
    await service.work();
    await service.keep();
    await service.work();
    await service.sql(
      "delete from audit_records r where environment = 'development' and not exists (select from kept.audit_records k where k.id = r.id)",
    );
    await service.sql(
      "delete from audit_leaves l where environment = 'development' and not exists (select from kept.audit_leaves k where k.record_id = l.record_id)",
    );
    await service.sql("delete from audit_tiles; insert into audit_tiles select * from kept.audit_tiles");
    await service.sql("delete from audit_logs; insert into audit_logs select * from kept.audit_logs");
    expect(await service.stopReason()).toBe("head_went_back");
  });

  it("whose tiles are gone under the newest head stop the log at the next start", async () => {
    await service.work();
    await service.stop();
    await service.sql(
      "update audit_tiles set data = substr(data, 1, length(data) - 32) where environment = 'development' and level = 0",
    );
    await service.restart();
    expect(await service.stopReason()).toBe("tiles_damaged");
  });

  it("cannot be sequenced a second time by setting the log's place back", async () => {
    const refs = await service.work();
    await service.sql("update audit_logs set last_xid = '0', last_n = -1 where environment = 'development'");
    await service.sql("delete from audit_leaves where record_id = $1", [refs[0]]);
    expect(await service.stopReason()).toBe("head_forged");
    await service.restart();
    expect(await service.stopReason()).toBe("head_forged");
    expect(await service.sql("select from audit_leaves where record_id = $1", [refs[0]])).toEqual([]);
  });
});

describe("the whole database", () => {
  it("an hour back stops the log, until it is adopted", async () => {
    await service.work();
    await service.keep();
    await service.work();
    await service.stop();
    await service.putBack();
    await service.restart();
    expect(await service.stopReason()).toBe("head_went_back");
  });

  it("is not cut off from a running service, whose head is gone", async () => {
    await service.work();
    await service.sql("delete from audit_logs where environment = 'development'");
    expect(await service.stopReason()).toBe("head_missing");
    await service.restart();
    expect(await service.stopReason()).toBe("head_missing");
  });
});

describe("what is outside the database", () => {
  it("the key row: its loss stops a running service, and one that starts", async () => {
    await service.work();
    await service.sql("delete from secrets where name = 'audit-signing-key'");
    expect(await service.stopReason()).toBe("key_missing");
    await service.restart();
    expect(await service.stopReason()).toBe("key_missing");
    await service.record();
    expect(await service.sql("select from secrets where name = 'audit-signing-key'")).toEqual([]);
  });

  it("the folder: where it is empty the log is not signed", async () => {
    await service.work();
    await service.stop();
    await rm(path.join(service.dataDir, "audit"), { recursive: true });
    await service.restart();
    expect(await service.stopReason()).toBe("pins_missing");
  });

  it("the folder of a second process, which has heard of the head that the first one lost", async () => {
    await service.work();
    await service.keep();
    const second = newFolder();
    const other = await startTestApp({ connectionString: service.database.connectionString, dataDir: second });
    try {
      await until(
        "the second process, which came later, is told of the log",
        async () => (await pinned(second)) !== null,
      );
      await service.work();
      const newest = (await pinned(service.dataDir))?.size;
      await until("it has heard of the newest head", async () => (await pinned(second))?.size === newest);
    } finally {
      await other.close();
    }
    await service.stop();
    await rm(service.dataDir, { recursive: true });
    await service.putBack();
    await service.restart({ dataDir: second });
    expect(await service.stopReason()).toBe("head_went_back");
    await rm(second, { recursive: true });
  });
});

describe("adopting a stopped log", () => {
  it("closes its origin and opens another, whose first leaf names both heads; what was proved before still is", async () => {
    const [old] = (await service.work()) as [string];
    const before = await pinned(service.dataDir);
    await service.sql(
      "insert into audit_records (organization, environment, id, n, body) values ('default', 'development', 'aud_7zzzzzzzzzforged0000000000', 0, '{}')",
    );
    expect(await service.stopReason()).toBe("record_forged");
    const waiting = await service.record();

    await service.adopt();
    await until("the waiting record has its proof", async () => (await service.proof(waiting)).status === 200);
    await service.work();

    const [first] = await service.sql<{ body: string }>(
      `select r.body from audit_leaves l join audit_logs g using (organization, environment) join audit_records r on r.id = l.record_id
       where l.environment = 'development' and l.leaf_index = g.first_leaf`,
    );
    for (const part of [
      "a test forged a row",
      "record_forged",
      before?.origin,
      "as pinned",
      "as found",
      "aud_7zzzzzzzzzforged0000000000",
    ])
      expect(first?.body).toContain(part);
    const next = before?.origin.replace(/\/default\/development$/, "/2/default/development");
    expect(await service.verdict(old)).toMatchObject({ verified: true, checkpoint: { origin: before?.origin } });
    expect(await service.verdict(waiting)).toMatchObject({ verified: true, checkpoint: { origin: next } });
    expect(await service.sql("select from audit_leaves where record_id like '%forged%'")).toEqual([]);
    expect((await pinned(service.dataDir))?.origin).toBe(next);
  });

  it("goes on after a record that was sequenced and was made to wait again; events had their numbers meanwhile", async () => {
    const [ref] = (await service.work()) as [string];
    await service.sql("update audit_records set xid = pg_current_xact_id(), n = 0 where id = $1", [ref]);
    expect(await service.stopReason()).toBe("record_replayed");
    const { task_id } = await service.app.dispatch();
    const numbered = () => service.sql("select from event_positions where task_id = $1", [task_id]);
    await until("the events of later calls have their numbers", async () => (await numbered()).length > 0);

    expect((await service.adopt()).refused).toEqual([]);
    await service.work();
    expect(await service.verdict(ref)).toMatchObject({ verified: true });
  });

  it("names a record of which a row of audit_leaves falsely says that it is in the log, in the first origin and in a later one", async () => {
    let [placed] = (await service.work()) as [string];
    for (const round of ["first", "later"]) {
      const release = await service.hold();
      const ref = await service.record();
      await service.claimPlace(ref, placed);
      await release();
      expect(`${round}: ${await service.stopReason()}`).toBe(`${round}: record_replayed`);
      expect((await service.adopt()).refused).toEqual([ref]);
      [placed] = (await service.work()) as [string];
    }
  });

  it("goes on after hashes were put behind the last one", async () => {
    const [old] = (await service.work()) as [string];
    await service.sql("set session_replication_role = origin"); // the guards let a tile at the right edge grow
    await service.sql(
      "update audit_tiles set data = data || sha256('x') where environment = 'development' and level = 0",
    );
    await service.record();
    expect(await service.stopReason()).toBe("tiles_damaged");
    await service.adopt();
    await service.work();
    expect(await service.verdict(old)).toMatchObject({ verified: true });
  });

  it("still proves what was proved under a key that was lost", async () => {
    const [old] = (await service.work()) as [string];
    await service.sql("delete from secrets where name = 'audit-signing-key'");
    await service.restart();
    expect(await service.stopReason()).toBe("key_missing");
    await service.adopt();
    await service.restart();
    const [fresh] = (await service.work()) as [string];
    expect(await service.verdict(fresh)).toMatchObject({ verified: true });
    expect(await service.verdict(old)).toMatchObject({ verified: true });
  });
});
