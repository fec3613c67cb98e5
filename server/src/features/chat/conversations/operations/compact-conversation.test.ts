import { expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { insertConversation, insertMessage } from "../../chat.fixture.ts";
import { settleTurn } from "../../turns/operations/settle-turn.ts";
import { createCompactJob } from "../jobs/compact.ts";

const app = useApp();
const worker = useWorkerProcess(app);

async function talk(id: string, messages: number, text = "I have a question."): Promise<void> {
  for (let at = 1; at <= messages; at++)
    await insertMessage(app, id, `${text} ${at}`, at % 2 === 1 ? {} : { role: "agent", author_name: "sales" });
}
const messagesOf = async (id: string) =>
  (await app.call("GET", `/v1/chat/conversations/${id}/messages?order=oldest&limit=100`)).body.data;

it("adds a summary that stands for older messages, which stay", async () => {
  const id = await insertConversation(app);
  await talk(id, 6);
  const compact = () => app.call("POST", `/v1/chat/conversations/${id}/compact`, { body: { keep: 2 } });
  const { status, body, text } = await compact();
  expect(status, text).toBe(201);
  expect(body).toMatchObject({ role: "system", covers: { from: 1, to: 4 }, number: 7, generated: false });
  expect(body.parts[0].text).toContain("sales: I have a question. 4");
  expect((await messagesOf(id)).map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const again = await compact();
  expect([again.status, again.body.code]).toEqual([409, "wrong_state"]);
  const first = (await messagesOf(id))[0].message_id;
  await app.call("DELETE", `/v1/chat/conversations/${id}/messages/${first}`);
  expect((await messagesOf(id)).at(-1)).toMatchObject({ number: 7, status: "retracted", parts: [] });
});

it("compacts a conversation by itself that became too long", async () => {
  const id = await insertConversation(app);
  await talk(id, 12, "x".repeat(6_000));
  const settle = () => worker.inside(settleTurn, app.scope, { conversation: id, task: null, refused: null });
  await settle();
  const { rows } = await app.pool.query(
    "select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'compact_conversation'",
  );
  expect(rows).toEqual([{ payload: { ...app.scope, conversation: id, summary: null } }]);
  const db = createReader(worker.database.pool);
  await createCompactJob({ inside: worker.inside, db, port: app.app.port })(rows[0].payload);
  const { covers } = (await messagesOf(id)).at(-1);
  expect(covers.from).toBe(1);
  expect(covers.to).toBeGreaterThan(6);
});
