import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation } from "../../chat.fixture.ts";
import { insertExchange } from "../conversation.fixture.ts";

const app = useSharedApp();

it("takes what is said of a reply as feedback on its task", async () => {
  const id = await insertConversation(app);
  const { message, reply, task } = await insertExchange(app, id, { text: "Where is it?", reply: "In Bonn." });
  const rate = (of: string, body: object) =>
    app.call("POST", `/v1/chat/conversations/${id}/messages/${of}/feedback`, { body, key: "operator" });
  const rated = await rate(reply.id, { accepted: false, correction: "In Berlin." });
  expect(rated.status, rated.text).toBe(201);
  expect(rated.body).toMatchObject({ task_id: task, outcome: 0, correction: { text: "In Berlin." } });
  const { body } = await app.call("GET", `/v1/tasks/${task}/feedback`);
  expect(body.data).toHaveLength(1);
  const { rows } = await app.pool.query("select skill, outcome from trust_judgements where id = $1", [task]);
  expect(rows).toEqual([{ skill: "chat", outcome: 0 }]);
  const own = await rate(message.id, { accepted: true });
  expect([own.status, own.body.code]).toEqual([409, "wrong_state"]);
});

it("makes a gap of the question whose reply was rated down, until it is rated up", async () => {
  const id = await insertConversation(app);
  const { reply, task } = await insertExchange(app, id, { text: "Where is it?", reply: "In Bonn." });
  await app.pool.query(
    `insert into knowledge_questions (organization, environment, id, base, query, asked_by, agent, at, best_score, coverage, answered, results, probability, task)
     values ($1, $2, 'qst_rated', 'kb_rated', 'Where is it?', 'mbr_x', 'sales', now(), 1, 1, true, 1, .9, $3)`,
    [app.scope.organization, app.scope.environment, task],
  );
  const answered = async (accepted: boolean) => {
    const path = `/v1/chat/conversations/${id}/messages/${reply.id}/feedback`;
    expect((await app.call("POST", path, { body: { accepted }, key: "operator" })).status).toBe(201);
    const { rows } = await app.pool.query("select answered, rated from knowledge_questions where id = 'qst_rated'");
    return rows[0];
  };
  expect(await answered(false)).toEqual({ answered: false, rated: false });
  expect(await answered(true)).toEqual({ answered: true, rated: true });
});
