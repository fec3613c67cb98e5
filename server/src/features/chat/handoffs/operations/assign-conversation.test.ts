import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { exampleSent } from "../../example.ts";
import { startConversation } from "../../turns/turns.fixture.ts";
import { mostNotes } from "../notes-store.ts";

const app = useSharedApp();
const post = async (id: string, what: string, body: object) => {
  const { status, body: answer } = await app.call("POST", `/v1/chat/conversations/${id}/${what}`, { body });
  return [status, answer.code];
};

it("assigns nothing that nobody was asked to take, and nothing that is closed", async () => {
  const id = await startConversation(app);
  expect(await post(id, "assign", { member: null })).toEqual([409, "wrong_state"]);
  await app.pool.query("update chat_conversations set state = 'closed' where id = $1", [id]);
  expect(await post(id, "assign", { member: null })).toEqual([409, "conversation_closed"]);
  expect(
    await post(id, "results", { turn_id: exampleSent.turn_id, results: [{ call_id: "call_1", output: "" }] }),
  ).toEqual([409, "conversation_closed"]);
});

it("keeps no more notes of a conversation than it shows", async () => {
  const id = await startConversation(app);
  await app.pool.query(
    `insert into chat_notes (organization, environment, id, conversation, author, text, audit_ref, created_at)
     select 'default', 'development', 'nte_' || n, $1, 'mbr_x', 'Arranged.', 'aud_x', now() from generate_series(1, $2::int) n`,
    [id, mostNotes],
  );
  expect(await post(id, "notes", { text: "One more." })).toEqual([409, "wrong_state"]);
});
