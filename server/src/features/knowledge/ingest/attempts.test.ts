import { beforeAll, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useDatabase } from "../../../testing/database.ts";
import { requeueLapsed } from "./store.ts";
import { endAttempt } from "./swap.ts";

const database = useDatabase();
const scope = { organization: "default", environment: "development" } as const;
const db = () => createReader(database.pool);

/** A document at its second attempt, with a lease of so many seconds. */
const add = (id: string, seconds: number) =>
  database.pool.query(
    `insert into documents (organization, environment, id, base, title, text, state, attempt, lease_until)
     values ('default', 'development', $1, 'kb_attempts', '', '', 'indexing', 2, now() + make_interval(secs => $2))`,
    [id, seconds],
  );

beforeAll(async () => {
  await database.pool.query(
    `insert into knowledge_bases (organization, environment, id, name) values ('default', 'development', 'kb_attempts', 'attempts')`,
  );
});

it("lets the attempt end that has the document, once, and no other one", async () => {
  await add("doc_held", 60);
  const end = (attempt: number) =>
    endAttempt({ scope, db: db() }, { document: "doc_held", attempt }, { state: "indexed" });
  expect([await end(1), await end(3), await end(2), await end(2)]).toEqual([false, false, true, false]);
});

it("queues a document again once its lease has lapsed, and not before", async () => {
  await add("doc_working", 60);
  await add("doc_lapsed", -1);
  expect(await requeueLapsed(db(), 10)).toMatchObject([{ id: "doc_lapsed", attempt: 2, gives_up: false }]);
  expect(await requeueLapsed(db(), 10)).toEqual([]);
});
