import type { Environment } from "../../../kernel/principal.ts";
import type { TestApp } from "../../../testing/app.ts";
import { sealEnded } from "../../../testing/tasks.ts";
import { insertMessage, newId } from "../chat.fixture.ts";
import type { MessageRow } from "./message-store.ts";

/** A message and the agent's reply, with the turn and its completed task, as they stand in the database once it was settled. */
export interface Exchange {
  readonly message: MessageRow;
  readonly reply: MessageRow;
  readonly task: string;
}

export async function insertExchange(
  app: TestApp,
  conversation: string,
  { text, reply: answer, environment = "development" }: { text: string; reply: string; environment?: Environment },
): Promise<Exchange> {
  const { task_id: task } = await app.dispatch({}, { environment });
  const input = { message: text, conversation, after: 0 };
  await app.pool.query(
    `update tasks set status = 'completed', conversation = $2, subject = $2, skill = 'chat', title = $5, input = $3, output = $4,
       started_at = now(), finished_at = now() where id = $1`,
    [task, conversation, JSON.stringify(input), JSON.stringify({ text: answer }), text],
  );
  await sealEnded(app);
  const turn = newId("tur");
  const common = { environment, turn };
  const author = "mbr_01jd8x0000000000000000000e";
  const message = await insertMessage(app, conversation, text, { ...common, author, author_name: "Customer" });
  const reply = await insertMessage(app, conversation, answer, {
    ...common,
    role: "agent",
    author: "sales",
    author_name: "sales",
    task,
    generated: true,
  });
  await app.pool.query(
    `insert into chat_turns (organization, environment, conversation, id, number, message, reply, task, state, principal, created_at)
     values ('default', $1, $2, $3, $4, $5, $6, $7, 'completed', $8, now())`,
    [environment, conversation, turn, message.number, message.id, reply.id, task, author],
  );
  return { message, reply, task };
}
