import { setTimeout } from "node:timers/promises";
import type { Service } from "./service.ts";

type Call = Service["call"];

/** A conversation that was answered, one that waits for a person, one that a person took over, and a widget. Answers the first. */
export async function conversations(call: Call): Promise<string> {
  const start = async (body: object): Promise<string> =>
    (await call<{ conversation_id: string }>("POST", "/v1/chat/conversations", { agent: "sales", ...body }))
      .conversation_id;
  const answered = await start({
    user: "customer-4711",
    labels: ["fair"],
    language: "en",
    context: { campaign: "autumn fair" },
    history: [
      { role: "user", text: "We met at the autumn fair." },
      { role: "assistant", text: "Welcome back! How can I help?" },
    ],
  });
  for (const text of ["What do you know of lead ld_1001?", "And how large is that company?"])
    await say(call, answered, text);
  const waiting = await start({ user: "maria@example.com", title: "A wrong invoice" });
  await say(call, waiting, "The invoice for March is too high. Can I speak to somebody?");
  await call("POST", path(waiting, "handoff"), { to: "person", reason: "The customer asks for a person." });
  const taken = await start({ user: "john", title: "Return of a loom" });
  await call("POST", path(taken, "take"), {});
  await call("POST", path(taken, "messages"), { text: "Hello John, I look into it.", as: "person" });
  await call("POST", "/v1/chat/memories", { user: "customer-4711", text: "Prefers to be called in the afternoon." });
  await call("PUT", "/v1/chat/channels/shop", {
    kind: "web",
    agent: "sales",
    config: { origins: ["https://shop.example.com"], greeting: "Hello! How can we help?" },
  });
  return answered;
}

const path = (conversation: string, what: string): string => `/v1/chat/conversations/${conversation}/${what}`;

/** Writes as the user, and waits until the agent has answered. */
async function say(call: Call, conversation: string, text: string): Promise<void> {
  await call("POST", path(conversation, "messages"), { text });
  while ((await call<{ busy: boolean }>("GET", `/v1/chat/conversations/${conversation}`)).busy) await setTimeout(100);
}
