import { type BaseEvent, HttpAgent } from "@ag-ui/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { scriptedModel } from "../../../testing/models.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";

// The client of AG-UI as it is, which holds the order of events against the protocol.

const app = useApp();
const machines = useWorkerProcess(app);
let stop: () => Promise<unknown>;

beforeAll(async () => {
  const worker = await machines.worker({ model: scriptedModel(() => ({ text: "It arrives on Tuesday." })) });
  stop = () => worker.stop(0);
});
afterAll(() => stop());

const agentOf = (threadId: string, key = app.key("admin")): HttpAgent =>
  new HttpAgent({ url: `${app.url}/v1/chat/ag-ui/sales`, threadId, headers: { authorization: `Bearer ${key}` } });

describe("AG-UI", () => {
  it("runs an agent, whose later runs are of the same conversation", async () => {
    const agent = agentOf("thread-1");
    const events: string[] = [];
    const onEvent = ({ event }: { event: BaseEvent }): void => void events.push(event.type);
    agent.addMessage({ id: "1", role: "user", content: "Where is my order?" });
    const { result, newMessages } = await agent.runAgent({}, { onEvent });
    expect(newMessages).toMatchObject([{ role: "assistant", content: "It arrives on Tuesday." }]);
    expect(result).toMatchObject({ state: "completed", task_id: expect.stringMatching(/^tsk_/) });
    expect([...new Set(events)]).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
    agent.addMessage({ id: "2", role: "user", content: "And the invoice?" });
    await agent.runAgent();
    const { body } = await app.call("GET", "/v1/chat/conversations?external_key=thread-1");
    expect(body.data).toMatchObject([{ agent: "sales", messages: 4 }]);
  });

  it("refuses tools of the client", async () => {
    const agent = agentOf("thread-2");
    agent.addMessage({ id: "1", role: "user", content: "Hello" });
    const tools = [{ name: "alert", description: "Shows an alert.", parameters: {} }];
    await expect(agent.runAgent({ tools })).rejects.toThrow("422");
  });
});
