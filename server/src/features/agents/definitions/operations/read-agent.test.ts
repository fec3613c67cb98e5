import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

describe("reading an agent", () => {
  const app = useSharedApp();

  it("answers the draft and what is live in the environment of the key", async () => {
    const { status, body } = await app.call("GET", "/v1/agents/sales", { key: "viewer" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      agent: "sales",
      status: "deployed",
      labels: ["sample"],
      revision: 1,
      deployment: {
        version: 1,
        version_id: expect.stringMatching(/^ver_/),
        deployment_id: expect.stringMatching(/^dep_/),
      },
    });
    expect(body.definition.skills.map((skill: { name: string }) => skill.name)).toContain("qualify_lead");
    const elsewhere = await app.call("GET", "/v1/agents/sales", { environment: "staging" });
    expect(elsewhere.body).toMatchObject({ status: "draft", deployment: null });
  });

  it("has an ETag that changes with the draft and with what is live, and answers 304 only to the present one", async () => {
    const read = (etag = "none") =>
      app.call("GET", "/v1/agents/sales", { environment: "production", headers: { "if-none-match": `"${etag}"` } });
    const etagOf = async (): Promise<string> => ((await read()).headers.get("etag") ?? "").replaceAll('"', "");
    const first = await etagOf();
    expect((await read(first)).status).toBe(304);
    await app.deploy("production");
    expect((await read(first)).status).toBe(200);
    const deployed = await etagOf();
    expect((await read(deployed)).status).toBe(304);
    await app.pool.query("update agents set revision = revision + 1 where name = 'sales'");
    expect((await read(deployed)).status).toBe(200);
    expect(new Set([first, deployed, await etagOf()]).size).toBe(3);
  });

  it("is the agent's file where that is asked for, with an ETag of its own", async () => {
    const read = (headers: Record<string, string>) => app.call("GET", "/v1/agents/sales", { headers });
    const file = await read({ accept: "application/yaml" });
    expect([file.status, file.headers.get("content-type"), file.headers.get("vary")]).toEqual([
      200,
      "application/yaml",
      expect.stringMatching(/accept/i),
    ]);
    expect(file.text).toMatch(/^agent: sales\n/);
    const etag = file.headers.get("etag") as string;
    expect(etag).not.toBe((await read({})).headers.get("etag"));
    expect((await read({ accept: "application/yaml", "if-none-match": etag })).status).toBe(304);
    expect((await read({ "if-none-match": etag })).status).toBe(200);
    expect((await read({ accept: "text/csv" })).status).toBe(406);
  });

  it("shows that the agent is paused in the environment of the key, by whom and why, and the ETag tells", async () => {
    const read = (environment: "development" | "staging") => app.call("GET", "/v1/agents/sales", { environment });
    const before = (await read("development")).headers.get("etag");
    const pause = (reason: string) =>
      app.pool.query(
        `insert into agent_pauses (organization, environment, agent, mode, reason, author) values ('default', 'development', 'sales', 'drain', $1, 'mbr_1')
         on conflict (organization, environment, agent) do update set reason = excluded.reason`,
        [reason],
      );
    await pause("Wrong answers.");
    const paused = await read("development");
    expect(paused.body.paused).toEqual({
      mode: "drain",
      reason: "Wrong answers.",
      since: expect.any(String),
      by: "mbr_1",
    });
    await pause("Still wrong.");
    const etags = [before, paused.headers.get("etag"), (await read("development")).headers.get("etag")];
    expect(new Set(etags).size).toBe(3);
    expect((await read("staging")).body.paused).toBeNull();
  });
});
