import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { answering, messagesOf, replied, send, startConversation } from "../turns/turns.fixture.ts";

const app = useApp();
const machines = useWorkerProcess(app);

it("tells the user before the first reply that an agent answers, again after a person, and records when", async () => {
  const worker = await machines.worker({ model: answering() });
  const conversation = await startConversation(app, { language: "de" });
  const post = (what: string, body: object = {}) =>
    app.call("POST", `/v1/chat/conversations/${conversation}/${what}`, { body, key: person.secret });
  const person = await app.member("operator");
  await send(app, conversation, "Hallo");
  await replied(app, conversation);
  await send(app, conversation, "Noch da?");
  await replied(app, conversation, "complete", 2);
  const disclosed = async () =>
    (await messagesOf(app, conversation)).flatMap(({ number, parts }) =>
      parts.flatMap((part) => (part.type === "notice" && part.code === "disclosure" ? [[number, part.text]] : [])),
    );
  expect(await disclosed()).toEqual([[2, "Sie schreiben mit einem KI-Agenten."]]);
  const { body } = await app.call("GET", `/v1/chat/conversations/${conversation}`);
  expect(body.disclosure.delivered_at).toEqual(expect.any(String));
  await post("take");
  await post("return");
  await send(app, conversation, "Danke");
  await replied(app, conversation, "complete", 3);
  expect(await disclosed()).toHaveLength(2);
  await worker.stop(0);
});
