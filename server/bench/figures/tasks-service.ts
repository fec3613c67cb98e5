import http from "node:http";
import type { Service } from "../service.ts";

// What the figures of tasks from end to end share: a client, and agents that are made, frozen and deployed over the interface.

/** Calls the service and answers its JSON. Throws where it does not answer 2xx. */
export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** A client over connections that stay open, as many as there are calls at a time. */
export function clientOf({ url, key }: Service): { readonly call: Call; close(): void } {
  const agent = new http.Agent({ keepAlive: true });
  const call: Call = <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const request = http.request(url + path, { method, agent, headers }, (answer) => {
        let read = "";
        answer.setEncoding("utf8").on("data", (piece: string) => {
          read += piece;
        });
        answer.on("error", reject);
        answer.on("end", () => {
          const status = answer.statusCode as number;
          if (status >= 200 && status < 300) resolve(JSON.parse(read) as T);
          else reject(new Error(`${method} ${path} answered ${status}: ${read}`));
        });
      });
      request.on("error", reject).end(text);
    });
  };
  return { call, close: () => agent.destroy() };
}

/** Makes an agent with one skill without tools, and puts its first version live. */
export async function deployAgent(call: Call, agent: string, model: object): Promise<void> {
  const skill = {
    name: skillName,
    input: { type: "object", required: ["number"], properties: { number: { type: "integer" } } },
    output: { type: "object", properties: { number: { type: "integer" } } },
    instructions: "Repeat the number of the input.",
    limits: { steps: 4, seconds: 60, tokens: 10_000 },
  };
  const words = { description: "Repeats a number.", instructions: "Repeat the number." };
  await call("POST", "/v1/agents", { agent, ...words, model, skills: [skill] });
  await call("POST", `/v1/agents/${agent}/versions`, { note: "First." });
  await call("POST", `/v1/agents/${agent}/deployments`, { version: 1, note: "For the bench." });
}

/** The one skill of these agents. */
export const skillName = "repeat";

interface Accepted {
  readonly task_id: string;
  readonly status: string;
}

/** Dispatches one task of such an agent. Throws where it would not simply run. */
export async function dispatchTo(call: Call, agent: string, number: number): Promise<string> {
  const { task_id, status } = await call<Accepted>("POST", `/v1/agents/${agent}/tasks`, { task: skillName, number });
  if (status !== "queued") throw new Error(`a task was accepted as ${status}, which would not run by itself`);
  return task_id;
}

/** The value below which so large a share of them lies (nearest rank). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
}
