import { describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";

describe("reading an agent", () => {
  const app = useApp();

  it("answers the draft and what is live in the environment of the key", async () => {
    const { status, body } = await app.call("GET", "/v1/agents/sales", { key: "viewer" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      agent: "sales",
      status: "deployed",
      labels: ["sample"],
      revision: 1,
      deployment: { version: 1, version_id: expect.stringMatching(/^ver_/), deployment_id: expect.stringMatching(/^dep_/) },
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

  it("answers 404 for a name that is not there, or cannot be one", async () => {
    for (const name of ["nobody", "Sales", "sales'--", "%00"]) {
      const { status, body } = await app.call("GET", `/v1/agents/${encodeURIComponent(name)}`);
      expect(status, name).toBe(404);
      expect(body.code).toBe("not_found");
    }
  });
});
