import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation, insertMessage } from "../../chat.fixture.ts";

const app = useSharedApp();
const post = async (id: string, what: string, body: object, as?: string) => {
  const path = `/v1/chat/conversations/${id}/${what}`;
  const { status, body: answer } = await app.call("POST", path, { body, ...(as !== undefined && { key: as }) });
  return { status, answer };
};
const messagesOf = async (id: string) =>
  (await app.call("GET", `/v1/chat/conversations/${id}/messages?order=oldest`)).body.data;

const askedFor = { to: "person", reason: "The customer asks for a person." };

it("waits for a person with a summary quoted from the conversation; one takes it, the other does not", async () => {
  const id = await insertConversation(app);
  await insertMessage(app, id, "Where is my order?");
  await insertMessage(app, id, "I do not know.", { role: "agent", author: "sales", author_name: "sales" });
  const [anna, ben] = [await app.member("operator"), await app.member("operator")];
  const asked = await post(id, "handoff", askedFor);
  expect(asked.answer).toMatchObject({
    handler: { kind: "agent", id: "sales" },
    handoff: { to: "person", taken_at: null, summary_generated: false, reason: askedFor.reason },
  });
  expect(asked.answer.handoff.summary).toBe(
    "The user began with “Where is my order?”\nsales answered last: “I do not know.”",
  );
  const tries = await Promise.all([anna, ben].map(({ secret }) => post(id, "take", {}, secret)));
  expect(tries.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { answer } = tries.find(({ status }) => status === 200) as (typeof tries)[number];
  const taker = tries[0]?.status === 200 ? anna : ben;
  expect(answer).toMatchObject({
    handler: { kind: "person", id: taker.memberId },
    handoff: { taken_at: expect.any(String) },
  });
});

it("goes back to the agent with a note that everybody reads, and the agent says again that it is one", async () => {
  const id = await insertConversation(app, { disclosure: "You are talking to an AI agent.", disclosed_at: new Date() });
  const { secret } = await app.member("operator");
  expect((await post(id, "return", {})).status).toBe(409);
  await post(id, "take", {}, secret);
  const returned = await post(id, "return", { note: "A refund is settled." }, secret);
  expect(returned.answer).toMatchObject({
    handler: { kind: "agent" },
    handoff: null,
    version: null,
    disclosure: { delivered_at: null },
  });
  const texts = (await messagesOf(id)).flatMap(({ parts }: { parts: { text: string }[] }) =>
    parts.map(({ text }) => text),
  );
  expect(texts.at(-1)).toBe("An AI agent answers from now on. A refund is settled.");
});

it("hands it to another agent that is deployed, and to no other", async () => {
  await app.deploy("development");
  const id = await insertConversation(app, { agent: "support" });
  const unknown = await post(id, "handoff", { to: "agent", agent: "nobody", reason: "It knows more." });
  expect(unknown).toMatchObject({ status: 422, answer: { errors: [{ pointer: "/agent", code: "unknown_agent" }] } });
  expect((await post(id, "handoff", { to: "agent", reason: "It knows more." })).status).toBe(422);
  const handed = await post(id, "handoff", { to: "agent", agent: "sales", reason: "It knows more." });
  expect(handed.answer).toMatchObject({ agent: "sales", handler: { kind: "agent", id: "sales" } });
});

it("names whom it asks for only if they are a member", async () => {
  const id = await insertConversation(app);
  const refused = await post(id, "handoff", { ...askedFor, member: "mbr_01jd8x0000000000000000000x" });
  expect(refused).toMatchObject({ status: 422, answer: { errors: [{ pointer: "/member", code: "unknown_member" }] } });
  const [asked, other] = [await app.member("operator"), await app.member("operator")];
  await post(id, "handoff", { ...askedFor, member: asked.memberId });
  expect((await post(id, "take", {}, other.secret)).status).toBe(409);
  expect((await post(id, "take", {}, asked.secret)).status).toBe(200);
});

it("is not handed on, taken or handed back when it is closed", async () => {
  const id = await insertConversation(app, { state: "closed" });
  expect(await post(id, "handoff", askedFor)).toMatchObject({ status: 409, answer: { code: "conversation_closed" } });
  for (const what of ["take", "return"]) expect((await post(id, what, {})).answer.code).toBe("conversation_closed");
});
