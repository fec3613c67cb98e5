import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { type ScriptedTurn, scriptedModel } from "../../../testing/models.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { changeFacts } from "../../tasks/runs/testing.ts";
import { lastUserText, messagesOf, replied, send, startConversation } from "../turns/turns.fixture.ts";
import { breachSweep } from "./operations/note-breach.ts";

const app = useApp();
const machines = useWorkerProcess(app);

const handoff = {
  teams: [{ team: "support", for: "Everything else" }],
  rules: [
    { when: "asked", team: "support" },
    { when: "topic", team: "billing", keywords: ["refund"] },
  ],
};
const shown: string[] = [];
const answer = (given: Parameters<typeof lastUserText>[0]): ScriptedTurn => {
  shown.push(JSON.stringify(given.prompt));
  return lastUserText(given).includes("cannot")
    ? { calls: [{ tool: "hand_over", input: { team: "support", reason: "I cannot help here." } }] }
    : { text: "It is on its way." };
};
const worker = () => machines.worker({ model: scriptedModel((_turn, given) => answer(given)) });
const setTeam = (team: string, body: object) =>
  app.call("PUT", `/v1/admin/teams/${team}`, { body: { title: team, members: [], ...body } });
const at = (id: string, what: string) => `/v1/chat/conversations/${id}/${what}`;
const read = async (id: string) => (await app.call("GET", `/v1/chat/conversations/${id}`)).body;
const closedNow = {
  time_zone: "UTC",
  weekly: {
    [(["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const)[(new Date().getUTCDay() + 3) % 7] as string]: [
      { from: "09:00", to: "10:00" },
    ],
  },
};

beforeAll(async () => {
  await changeFacts(
    app,
    machines,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('model', '{"provider":"openai","name":"sample-model"}'::jsonb, 'handoff', $1::jsonb)
     where agent = 'sales'`,
    [JSON.stringify(handoff)],
  );
});

describe("an agent whose file has rules for hand-over", () => {
  it("gives the conversation to the team, with a step and its audit record, and is silent until it is returned", async () => {
    await setTeam("support", { title: "Support" });
    const running = await worker();
    const id = await startConversation(app, { user: "anna" });
    await send(app, id, "I cannot log in");
    const reply = await replied(app, id);
    expect(reply.parts).toEqual([{ type: "text", text: "Support will answer here. Please wait a moment." }]);
    expect((await read(id)).handoff).toMatchObject({
      team: "support",
      team_title: "Support",
      cause: "agent",
      position: 1,
      opens_at: null,
    });
    const steps = (await app.call("GET", `/v1/tasks/${reply.task_id}/steps`)).body.data;
    expect(steps.at(-1)).toMatchObject({ name: "hand_over", kind: "tool", state: "finished" });
    const asked = shown.length;
    expect((await send(app, id, "Are you there?")).body).toMatchObject({ state: "with_person", task_id: null });
    const anna = await app.member("operator");
    await app.call("POST", at(id, "take"), { body: {}, key: anna.secret });
    expect((await send(app, id, "Hello?")).body.state).toBe("with_person");
    expect(shown.length).toBe(asked);
    await app.call("POST", at(id, "return"), { body: {}, key: anna.secret });
    expect((await send(app, id, "And my parcel?")).body.state).toBe("running");
    await replied(app, id, "complete", 2);
    await running.stop(20_000);
  });

  it("hands over by its rules before any model reads the message, and says when a closed team opens", async () => {
    await setTeam("billing", {
      title: "Billing",
      hours: closedNow,
      outside: { de: "Wir sind ab {{opens}} wieder da." },
    });
    const running = await worker();
    const id = await startConversation(app, { user: "ben", language: "de" });
    const asked = shown.length;
    await send(app, id, "Ich will meinen Refund, ask support instead");
    expect((await replied(app, id)).parts[0]).toMatchObject({
      text: expect.stringMatching(/^Wir sind ab .+09:00 UTC wieder da\.$/),
    });
    expect(shown.length).toBe(asked);
    expect((await read(id)).handoff).toMatchObject({ team: "billing", cause: "topic", opens_at: expect.any(String) });
    await running.stop(20_000);
  });

  it("keeps a team that it hands conversations to from being removed unnoticed", async () => {
    expect(await app.call("DELETE", "/v1/admin/teams/billing")).toMatchObject({
      status: 409,
      body: { code: "wrong_state" },
    });
  });
});

describe("the queue of a team", () => {
  it("shows who waits since when and why, is assigned, released and claimed, and keeps notes from users and models", async () => {
    const [anna, ben] = [await app.member("operator"), await app.member("operator")];
    await setTeam("desk", {
      title: "Desk",
      members: [anna.memberId],
      saved_replies: [{ name: "hi", title: "Hi", text: "Hello {{user}}, order {{context.order}}. {{team}}" }],
    });
    const ids = [
      await startConversation(app, { user: "cleo", context: { order: 4711 } }),
      await startConversation(app),
    ];
    for (const id of ids)
      await app.call("POST", at(id, "handoff"), { body: { to: "person", team: "desk", reason: "Wants a call." } });
    const [id, second] = ids as [string, string];
    expect((await read(second)).handoff.position).toBe(2);
    const queue = (await app.call("GET", "/v1/chat/queues/desk", { key: anna.secret })).body;
    expect(queue).toMatchObject({ mine: true, waiting: 2, answering: 0 });
    expect(queue.conversations[0]).toMatchObject({
      conversation_id: id,
      reason: "Wants a call.",
      state: "waiting",
      member: null,
    });
    const assign = (member: string | null) => app.call("POST", at(id, "assign"), { body: { member } });
    const viewer = await app.member("viewer");
    expect((await assign(viewer.memberId)).body.errors[0].code).toBe("unknown_member");
    await assign(anna.memberId);
    expect((await app.call("POST", at(id, "take"), { body: {}, key: ben.secret })).status).toBe(409);
    await app.call("POST", at(id, "take"), { body: {}, key: anna.secret });
    expect((await read(second)).handoff.position).toBe(1);
    await app.call("POST", at(id, "notes"), { body: { text: "secret-note" }, key: anna.secret });
    const desk = (await app.call("GET", at(id, "handoff"), { key: anna.secret })).body;
    expect(desk.notes).toMatchObject([{ text: "secret-note", author: { id: anna.memberId } }]);
    expect(desk.saved_replies[0].text).toBe("Hello cleo, order 4711. Desk");
    const seen = [
      await messagesOf(app, id),
      (await app.call("POST", at(id, "export"), { body: {} })).body,
      await read(id),
    ];
    expect(JSON.stringify(seen)).not.toContain("secret-note");
    await assign(null);
    expect(await read(id)).toMatchObject({
      handler: { kind: "agent" },
      handoff: { team: "desk", position: 1, member: null },
    });
  });

  it("notes service levels that are exceeded once, and measures the first answer", async () => {
    await setTeam("slow", { targets: { waiting_seconds: 1, first_answer_seconds: 3600 } });
    const id = await startConversation(app);
    await app.call("POST", at(id, "handoff"), { body: { to: "person", team: "slow", reason: "Late." } });
    await app.pool.query(
      "update chat_handovers set waiting_due_at = now() - interval '1 minute' where conversation = $1",
      [id],
    );
    const sweeper = machines.sweeperWith([breachSweep]);
    for (let look = 0; look < 2; look++) await sweeper.sweep();
    expect(machines.faults).toEqual([]);
    const events = await app.pool.query("select body from events where type = 'chat.service_level_breached'");
    expect(events.rows.map(({ body }) => JSON.parse(body))).toMatchObject([
      { conversation_id: id, team: "slow", level: "waiting" },
    ]);
    await send(app, id, "Here I am.", { as: "person" });
    const { rows } = await app.pool.query("select * from chat_handovers where conversation = $1", [id]);
    expect(rows).toMatchObject([
      { taken_at: expect.any(Date), answered_at: expect.any(Date), answer_breached_at: null },
    ]);
    expect((await app.call("GET", "/v1/chat/queues/slow")).body).toMatchObject({ answering: 1, breached: 1 });
    await app.call("DELETE", `/v1/chat/conversations/${id}`, { body: { erase: "now" } });
  });

  it("assigns in turn where the team's settings say so", async () => {
    const people = [await app.member("operator"), await app.member("operator")];
    const members = people.map(({ memberId }) => memberId);
    await setTeam("turns", { members: [...members, (await app.member("viewer")).memberId], assignment: "round_robin" });
    const assigned: string[] = [];
    for (let at_ = 0; at_ < 3; at_++) {
      const id = await startConversation(app);
      const { body } = await app.call("POST", at(id, "handoff"), {
        body: { to: "person", team: "turns", reason: "Next." },
      });
      assigned.push(body.handoff.member);
    }
    expect(assigned).toEqual([members[0], members[1], members[0]]);
  });
});
