import { describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { addSmallAgent, installIt, newSuffix } from "../approved.fixture.ts";
import { small } from "../marketplace.fixture.ts";

const app = useApp();
type Named = { kind: string; name: string };

describe("installing an agent", () => {
  it("makes all its parts as drafts, and runs nothing", async () => {
    const [agent, suffix] = [await addSmallAgent(app), newSuffix()];
    const { status, body, text } = await installIt(app, agent, { suffix });
    expect(status, text).toBe(207);
    expect([body.install.state, body.failed], text).toEqual(["installed", 0]);
    expect(body.install.parts.map(({ kind, name }: Named) => `${kind} ${name}`)).toEqual([
      `knowledge_base ${small.base}${suffix}`,
      `documents ${small.base}${suffix}`,
      `agent ${small.agent}${suffix}`,
      `agent_version ${small.agent}${suffix}`,
      `dataset ${small.agent}${suffix}-sort-note-training`,
      `dataset ${small.dataset}${suffix}`,
      `scorer ${small.scorer}${suffix}`,
      `gate ${small.agent}${suffix}`,
      `policy ${small.policy}${suffix}`,
    ]);
    const read = async (path: string) => (await app.call("GET", path)).body;
    const made = await read(`/v1/agents/${small.agent}${suffix}`);
    expect([made.status, made.definition.knowledge, made.definition.tools[0].bases]).toEqual([
      "draft",
      [small.base + suffix],
      [small.base + suffix],
    ]);
    const policy = body.install.parts.find(({ kind }: Named) => kind === "policy");
    const { state, scope } = await read(`/v1/governance/policies/${policy.id}`);
    expect([state, scope.agents]).toEqual(["draft", [small.agent + suffix]]);
    expect((await read(`/v1/evaluations/gates/${small.agent}${suffix}`)).definition ?? {}).not.toBeNull();
    const tasks = await app.pool.query("select from tasks where agent = $1", [small.agent + suffix]);
    expect(tasks.rowCount).toBe(0);
  });
});
