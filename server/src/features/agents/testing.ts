import type { Environment } from "../../kernel/principal.ts";
import type { TestApp } from "../../testing/app.ts";

/** The definition of an agent that answers questions; what a version says besides may be anything. */
export const answering = {
  model: { provider: "builtin" },
  skills: [
    { name: "answer", input: { type: "object", required: ["question"], properties: { question: { type: "string" } } } },
  ],
};

/** Makes an agent with versions 1 to n that differ in their description, and deploys those that are named, in their order. */
export async function deployedAgent(
  app: TestApp,
  agent: string,
  {
    versions,
    deploy = [],
    environment = "development",
  }: { versions: number; deploy?: number[]; environment?: Environment },
): Promise<void> {
  const done = async (method: string, path: string, body: object, headers = {}): Promise<string> => {
    const answer = await app.call(method, path, { environment, body, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.headers.get("etag") ?? "";
  };
  let etag = await done("POST", "/v1/agents", { agent, description: "Version 1.", ...answering });
  for (let version = 1; version <= versions; version++) {
    if (version > 1)
      etag = await done("PATCH", `/v1/agents/${agent}`, { description: `Version ${version}.` }, { "if-match": etag });
    await done("POST", `/v1/agents/${agent}/versions`, {});
  }
  for (const version of deploy) await done("POST", `/v1/agents/${agent}/deployments`, { version });
}
