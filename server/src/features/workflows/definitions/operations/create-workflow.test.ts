import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const steps = [{ id: "qualify", agent: { name: "sales", skill: "qualify_lead", input: { lead_id: "input.lead" } } }];
const create = (body: object, key?: string) => app.call("POST", "/v1/workflows", { body, ...(key && { key }) });
const asFile = (text: string) =>
  app.call("POST", "/v1/workflows", { headers: { "content-type": "application/yaml" }, body: text });

describe("creating a workflow", () => {
  it("makes a draft of its caller, with what keeps it from being published", async () => {
    const made = await create({
      workflow: "made",
      description: "Of the test.",
      steps: [...steps, { id: "b", set: { x: "steps.nobody.output" } }],
    });
    expect(made.status, made.text).toBe(201);
    expect(made.headers.get("location")).toBe("/v1/workflows/made");
    expect(made.headers.get("etag")).toBe('"1-json"');
    expect(made.body).toMatchObject({
      ...{
        name: "made",
        description: "Of the test.",
        status: "draft",
        live_version: null,
        latest_version: null,
        revision: 1,
      },
      ...{
        owner: expect.stringMatching(/^mbr_/),
        success_rate: null,
        last_run: null,
        paused: false,
        draft: { workflow: "made" },
      },
      findings: [{ severity: "error", pointer: "/steps/1/set/x" }],
    });
    expect(Object.keys(made.body.findings[0])).toEqual(["severity", "pointer", "code", "detail"]);
    expect(made.body).not.toHaveProperty("source");
  });

  it("keeps a file with its comments, and gives it back as it was", async () => {
    const text = `# Who qualifies leads.\nworkflow: from_file\nsteps:\n  - id: q # one step\n    agent: { name: sales, skill: qualify_leads }\n`;
    const made = await asFile(text);
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      source: text,
      findings: [{ code: "not_there", line: 5, column: expect.any(Number) }],
    });
    const file = await app.call("GET", "/v1/workflows/from_file", { headers: { accept: "application/yaml" } });
    expect(file.text).toBe(text);
    expect((await create({ source: text.replace("from_file", "as_text") })).body).toMatchObject({ name: "as_text" });
  });

  it.each([
    [
      "a text with a fault",
      { source: "workflow: a\nsteps:\n  - id: 1st\n    set: {}\n" },
      { pointer: "/steps/0/id", line: 3, column: 9 },
    ],
    ["a definition with a fault", { workflow: "a", steps: [{ id: "a", sett: {} }] }, { pointer: "/steps/0/sett" }],
    ["a definition without steps", { workflow: "a" }, { pointer: "/steps", code: "required" }],
    ["a text beside members", { source: "workflow: a", steps }, { pointer: "/steps", code: "not_together" }],
    ["a source that is no text", { source: 1 }, { pointer: "/source" }],
  ])("refuses %s with its place", async (_what, body, fault) => {
    const refused = await create(body);
    expect([refused.status, refused.body.code]).toEqual([422, "invalid_body"]);
    expect(refused.body.errors).toEqual(expect.arrayContaining([expect.objectContaining(fault)]));
  });

  it("refuses a file that is not UTF-8", async () => {
    const response = await fetch(`${app.url}/v1/workflows`, {
      method: "POST",
      headers: { authorization: `Bearer ${app.key("admin")}`, "content-type": "application/yaml" },
      body: new Uint8Array([0x61, 0xff]),
    });
    expect([response.status, (await response.json()).code]).toEqual([400, "malformed_body"]);
  });

  it("refuses a name that is taken", async () => {
    await create({ workflow: "taken", steps });
    const refused = await create({ workflow: "taken", steps });
    expect([refused.status, refused.body.code]).toEqual([409, "workflow_exists"]);
  });
});
