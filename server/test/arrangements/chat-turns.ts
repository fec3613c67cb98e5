import { insertConversation, insertMessage } from "../../src/features/chat/chat.fixture.ts";
import { insertTurn } from "../../src/features/chat/turns/turns.fixture.ts";
import type { Arrangements } from "./arranged.ts";
import { inConversation } from "./chat-conversations.ts";

export const arrange: Arrangements = {
  "chat.sendMessage": inConversation({ text: "Where is my order?" }),
  "chat.stopReply": inConversation({}),
  "chat.submitResults": async (app, environment) => {
    await app.deploy(environment);
    const { body } = await app.call("POST", "/v1/chat/conversations", { environment, body: { agent: "sales" } });
    const sent = await app.call("POST", `/v1/chat/conversations/${body.conversation_id}/messages`, {
      environment,
      body: { text: "Where is my order?" },
    });
    const step_id = "stp_01jd8x0000000000000000000c";
    const call = { step_id, number: 2, tool: "get_order", redact: null };
    const asked = {
      step_id,
      kind: "results",
      text: "Arranged.",
      options: null,
      calls: [call],
      asked_at: "2026-01-01T00:00:00Z",
    };
    const waiting =
      "update tasks set status = 'input_required', question = $2, lease_owner = null, lease_until = null where id = $1";
    await app.pool.query(waiting, [sent.body.task_id, JSON.stringify(asked)]);
    await app.pool.query("update chat_turns set state = 'input_required' where id = $1", [sent.body.turn_id]);
    return {
      params: { conversation: body.conversation_id },
      body: { turn_id: sent.body.turn_id, results: [{ call_id: "call_2", output: "On its way." }] },
    };
  },
  "chat.regenerateMessage": async (app, environment) => {
    await app.deploy(environment);
    const conversation = await insertConversation(app, {}, environment);
    const asked = await insertMessage(app, conversation, "Where is my order?", { environment });
    const turn = await insertTurn(app, conversation, asked.id, environment);
    const text = "On its way.";
    const reply = await insertMessage(app, conversation, text, { environment, role: "agent", author: "sales", turn });
    return { params: { conversation, message: reply.id }, body: {} };
  },
};
