import { expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { eventsOf, sealsOf } from "../../../../testing/tasks.ts";
import { eraseComments, mostComments } from "../store.ts";

const app = useSharedApp();

const commented = async (body: object, task?: string) => {
  const id = task ?? (await app.dispatch()).task_id;
  return { id, ...(await app.call("POST", `/v1/tasks/${id}/comments`, { key: "operator", body })) };
};

it("stores the comment with its author, and tells it by an event without its text", async () => {
  const { id, status, body } = await commented({ text: "They called." });
  expect(status).toBe(201);
  expect(body).toMatchObject({ task_id: id, text: "They called.", for_agent: true, read_at: null });
  expect((await eventsOf(app, id)).at(-1)).toBe("task.commented");
  const { rows } = await app.pool.query("select body from events where task_id = $1", [id]);
  expect(JSON.stringify(rows)).not.toContain("They called.");
});

it("makes its author accountable for what the agent does only where the agent reads it", async () => {
  const read = await commented({ text: "Read this." });
  const unread = await commented({ text: "Between us.", for_agent: false });
  const how = async (task: string) => {
    const { rows } = await app.pool.query("select deciders::text as text from tasks where id = $1", [task]);
    return String(rows[0].text).includes('"commented"');
  };
  expect([await how(read.id), await how(unread.id)]).toEqual([true, false]);
});

it("refuses a comment on a task that has as many as one can have", async () => {
  const { id } = await commented({ text: "One." });
  await app.pool.query(
    `insert into task_comments (organization, environment, task_id, id, text, for_agent, author, audit_ref, created_at)
     select organization, environment, task_id, 'cmt_' || n, text, for_agent, author, audit_ref, created_at
     from task_comments, generate_series(2, $2::int) n where task_id = $1`,
    [id, mostComments],
  );
  expect((await commented({ text: "Too many." }, id)).body).toMatchObject({ code: "wrong_state" });
});

it("refuses a comment for the agent of a conversation, which reads messages", async () => {
  const { task_id } = await app.dispatch();
  await app.pool.query("update tasks set conversation = 'cnv_1' where id = $1", [task_id]);
  const { status, body } = await commented({ text: "Say yes." }, task_id);
  expect([status, body.errors?.[0]?.pointer]).toEqual([422, "/for_agent"]);
  expect((await commented({ text: "Between us.", for_agent: false }, task_id)).status).toBe(201);
});

it("shows an erased comment without its text", async () => {
  const { id } = await commented({ text: "A secret." });
  const ctx = { db: createReader(app.pool), scope: app.scope, seals: await sealsOf(app) };
  await eraseComments(ctx as unknown as Parameters<typeof eraseComments>[0], { tasks: [id], texts: [] });
  expect((await app.call("GET", `/v1/tasks/${id}/comments`)).body.data).toMatchObject([{ text: null }]);
});
