import { expect } from "vitest";
import type { TestApp } from "../../../testing/app.ts";

let made = 0;

export interface Draft {
  readonly agent: string;
  readonly etag: string;
}

/** A new agent whose skill `answer` may call its tool `look`, a record of the sample's base, and these tools besides. */
export async function newDraft(app: TestApp, tools: readonly { readonly name: string }[] = []): Promise<Draft> {
  const agent = `bound-${++made}`;
  const look = { name: "look", kind: "record", base: "leads", effect: "read" };
  const input = { type: "object", properties: { lead_id: { type: "string" } } };
  const skill = { name: "answer", input, tools: ["look", ...tools.map(({ name }) => name)] };
  const body = { agent, description: "Looks up.", model: { provider: "builtin" }, knowledge: ["leads"] };
  const answered = await app.call("POST", "/v1/agents", {
    body: { ...body, tools: [look, ...tools], skills: [skill] },
  });
  expect(answered.status, answered.text).toBe(201);
  return { agent, etag: answered.headers.get("etag") as string };
}

export const put = (app: TestApp, { agent, etag }: Draft, tool: string, body: object) =>
  app.call("PUT", `/v1/agents/${agent}/tools/${tool}`, { body, headers: { "if-match": etag } });
