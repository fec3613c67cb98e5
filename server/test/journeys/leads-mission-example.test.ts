import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { useApp } from "../../src/testing/app.ts";
import { eventually } from "../../src/testing/tasks.ts";

// The agent of the mission's example on its own files, with the built-in model that it comes with.

const app = useApp({ role: "all" });
const folder = path.resolve(import.meta.dirname, "../../../examples/leads-mission");
const read = (name: string) => readFile(path.join(folder, name), "utf8");

const call = async (method: string, address: string, body?: unknown) => {
  const { status, body: answered, text } = await app.call(method, address, body === undefined ? {} : { body });
  if (status >= 300) throw new Error(`${method} ${address} answered ${status}: ${text}`);
  return answered;
};

async function addFile(base: string, name: string): Promise<void> {
  await call("POST", "/v1/knowledge/bases", { name: base });
  const form = new FormData();
  form.set("file", new Blob([await read(name)]), name);
  const headers = { authorization: `Bearer ${app.key("admin")}` };
  const added = await fetch(`${app.url}/v1/knowledge/bases/${base}/documents`, { method: "POST", headers, body: form });
  const { document_id: id } = (await added.json()) as { document_id: string };
  await eventually(async () =>
    expect(await call("GET", `/v1/knowledge/bases/${base}/documents/${id}`)).toMatchObject({ state: "indexed" }),
  );
}

beforeAll(async () => {
  await addFile("campaign-leads", "leads.csv");
  await call("POST", "/v1/agents", parse(await read("outreach.yaml")));
  await call("POST", "/v1/agents/outreach/versions", { note: "First." });
  await call("POST", "/v1/agents/outreach/deployments", { version: 1 });
  const { job_id } = await call("POST", "/v1/agents/outreach/training", JSON.parse(await read("demonstrations.json")));
  await eventually(async () =>
    expect(await call("GET", `/v1/agents/outreach/training/${job_id}`)).toMatchObject({
      finished_at: expect.any(String),
      failure: null,
    }),
  );
  await call("POST", "/v1/agents/outreach/deployments", { version: 2 });
}, 90_000);

it("judges the mission's leads as earlier ones were, by their records", async () => {
  const { inputs } = JSON.parse(await read("mission.json")) as { inputs: { leads: string[] } };
  const records = new Map((await read("leads.csv")).split("\n").map((line) => [line.split(",")[0], line.split(",")]));
  const tasks = await Promise.all(
    inputs.leads.map((lead_id) => call("POST", "/v1/agents/outreach/tasks", { task: "qualify_lead", lead_id })),
  );
  let right = 0;
  for (const [at, { task_id }] of tasks.entries()) {
    const { output } = await call("GET", `/v1/tasks/${task_id}/result?wait=20`);
    const [, company, , , source, , minutes] = records.get(inputs.leads[at]) as string[];
    expect(output).toMatchObject({ company, minutes: Number(minutes) });
    if (output.qualified === (Number(minutes) >= 9 && source !== "advertisement")) right += 1;
  }
  expect(right).toBeGreaterThanOrEqual(15);
});

it("drafts a mail with an offer, once people have approved that", async () => {
  const { task_id, status } = await call("POST", "/v1/agents/outreach/tasks", {
    task: "write_mail",
    lead_id: "ld_7041",
    require_approval: true,
  });
  expect(status).toBe("awaiting_approval");
  const { digest } = await call("GET", `/v1/approvals/${task_id}`);
  await call("POST", `/v1/approvals/${task_id}/approve`, { digest });
  const { output } = await call("GET", `/v1/tasks/${task_id}/result?wait=20`);
  expect(output).toMatchObject({ company: expect.any(String), offer: expect.stringContaining("pilot") });
});
