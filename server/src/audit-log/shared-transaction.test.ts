import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../testing/database.ts";
import { type Seat, SharedTransactions } from "./shared-transaction.ts";
import { newId, production, sampleRecord } from "./testing.ts";

const database = useDatabase();
const cipher = { seal: (plain: Buffer) => plain, open: (sealed: Buffer) => sealed };

let commits = 0;
const transactions = () => new SharedTransactions({ pool: database.pool, cipher, committed: () => commits++ });

/** What a call leaves at its end: its record. */
const endOf = (record = sampleRecord(production)) => ({
  record: { ...production, id: record.id, body: JSON.stringify(record), context: null, newSalt: null },
  ...{ rows: [], events: [], jobs: [], topics: [], newEventId: () => newId("evt") },
});
const note = (seat: Seat, text: string) => seat.writer.query("insert into notes (id, xid) values ($1, pg_current_xact_id()::text)", [text]);
const notes = async () => (await database.pool.query<{ id: string; xid: string }>("select id, xid from notes order by id")).rows;
const records = async () => (await database.pool.query<{ n: number }>("select count(*)::int as n from audit_records")).rows[0]?.n;

beforeEach(async () => {
  commits = 0;
  await database.pool.query(
    "create table if not exists notes (id text primary key, xid text not null); truncate notes; truncate audit_records",
  );
});

describe("a shared transaction", () => {
  it("commits the calls that wait at the same moment together, with a record each", async () => {
    const shared = transactions();
    const ends = ["a", "b", "c"].map(async (key) => {
      const seat = await shared.join(production, key);
      await note(seat, key);
      return await seat.commit(endOf());
    });
    expect(await Promise.all(ends)).toEqual(["written", "written", "written"]);
    expect(new Set((await notes()).map(({ xid }) => xid)).size).toBe(1);
    expect([await records(), commits]).toEqual([3, 1]);
  });

  it("takes all of its calls back when one is taken back", async () => {
    const shared = transactions();
    const [kept, refused] = await Promise.all([shared.join(production, "a"), shared.join(production, "b")]);
    await Promise.all([note(kept, "kept"), note(refused, "refused")]);
    const end = kept.commit(endOf());
    await refused.rollback();
    expect(await end).toBe("broken_off");
    expect([await notes(), await records(), commits]).toEqual([[], 0, 0]);
  });

  it("takes all of its calls back when a statement of one fails", async () => {
    const shared = transactions();
    const [good, bad] = await Promise.all([shared.join(production, "a"), shared.join(production, "b")]);
    await note(good, "good");
    await expect(bad.writer.query("select 1 / 0")).rejects.toThrow();
    const end = good.commit(endOf());
    await bad.rollback();
    expect(await end).toBe("broken_off");
    expect(await notes()).toEqual([]);
  });

  it("gives its connection back however it ends, and goes on with the calls that gathered meanwhile", async () => {
    const shared = transactions();
    for (let round = 0; round < 20; round++) {
      const seats = await Promise.all(["a", "b", "c"].map((key) => shared.join(production, key)));
      const ends = seats.map((seat, index) => (round % 2 === 1 && index === 0 ? seat.rollback() : seat.commit(endOf())));
      await Promise.all(ends);
    }
    expect(database.pool.totalCount - database.pool.idleCount).toBe(0);
    expect(await records()).toBe(30);
  });

  it("never holds two calls about the same thing, nor calls of two environments", async () => {
    const shared = transactions();
    const staging = { ...production, environment: "staging" };
    const joined = [shared.join(production, "a"), shared.join(production, "a"), shared.join(staging, "b")];
    const ends = joined.map(async (join, index) => {
      const seat = await join;
      await note(seat, String(index));
      return await seat.commit(endOf());
    });
    expect(await Promise.all(ends)).toEqual(["written", "written", "written"]);
    expect(new Set((await notes()).map(({ xid }) => xid)).size).toBe(3);
  });
});
