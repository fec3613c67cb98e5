import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arrangements } from "./arranged.ts";

const body = { kind: "web", agent: "sales", config: { origins: ["https://www.example.com"] } };

let made = 0;
/** A channel of the widget; answers its name. */
async function newChannel(app: TestApp, environment: Environment): Promise<string> {
  const channel = `page-${++made}`;
  const set = await app.call("PUT", `/v1/chat/channels/${channel}`, { environment, body });
  if (set.status !== 200) throw new Error(`setting a channel answered ${set.status}: ${set.text}`);
  return channel;
}

export const arrange: Arrangements = {
  "chat.listChannels": async (app, environment) => {
    await newChannel(app, environment);
    return { params: {} };
  },
  "chat.setChannel": async (app, environment) => ({ params: { channel: await newChannel(app, environment) }, body }),
  "chat.removeChannel": async (app, environment) => ({ params: { channel: await newChannel(app, environment) } }),
};
