import { describe, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { eventCatalogue } from "../src/kernel/events.ts";
import { describe as describeOperation } from "../src/kernel/operation-seal.ts";
import { groupOf } from "../src/openapi/tags.ts";
import { useApp } from "../src/testing/app.ts";

// The interface specification, held against the service. The numbers in brackets are its sections.

/** Section 4: path prefix and listed number of endpoints. */
const listed: Readonly<Record<string, number>> = {
  agents: 18,
  knowledge: 14,
  tasks: 11,
  evaluations: 10,
  governance: 12,
  approvals: 7,
  audit: 6,
  chat: 9,
  missions: 8,
  workflows: 9,
  marketplace: 6,
  analytics: 8,
  webhooks: 5,
  admin: 7,
};

/** Prefixes that a group has besides its own. Inbound hooks stand where others send to, and below /v1/workflows their names would be those of workflows. */
const besides: Readonly<Record<string, readonly string[]>> = { workflows: ["hooks"] };

const operations = publishedOperations().map(describeOperation);

describe("the groups [4]", () => {
  const presentIn = (group: string): number =>
    operations.filter(({ id, listed: counts }) => counts && groupOf(id) === group).length;

  it.each(Object.entries(listed))("/%s has exactly the %i listed operations of the specification", (group, count) => {
    expect(presentIn(group)).toBe(count);
  });

  it("sum to 130, and no other group has listed operations", () => {
    expect(Object.values(listed).reduce((sum, count) => sum + count, 0)).toBe(130);
    const others = operations.filter(({ id, listed: counts }) => counts && !(groupOf(id) in listed));
    expect(others.map(({ id }) => `${id} says listed: true, and its group is none of the specification`)).toEqual([]);
  });

  it("hold every operation under /v1 and the group's own prefix", () => {
    const ownPrefix = ({ id, path = "" }: { id: string; path?: string }): boolean =>
      [groupOf(id), ...(besides[groupOf(id)] ?? [])].some((prefix) => new RegExp(`^/v1/${prefix}(/|$)`).test(path));
    const outside = operations.filter((operation) => !ownPrefix(operation));
    expect(outside.map(({ id, path }) => `${id} has the path ${path}`)).toEqual([]);
  });
});

describe("dispatching a task to an agent [4]", () => {
  const app = useApp();
  const request = { task: "qualify_lead", lead_id: "ld_1001", require_approval: true };
  const send = (key?: string) =>
    fetch(`${app.url}/v1/agents/sales/tasks`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key ?? app.key("operator")}`, "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });

  it("answers 202 with exactly the four members, waiting for approval, with a fraction as trust score [2, 3]", async () => {
    const response = await send();
    const text = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([202, "application/json"]);
    const answer = JSON.parse(text);
    expect(Object.keys(answer).sort()).toEqual(["audit_ref", "status", "task_id", "trust_score"]);
    expect(answer).toMatchObject({
      status: "awaiting_approval",
      task_id: expect.stringMatching(/^tsk_./),
      audit_ref: expect.stringMatching(/^aud_./),
    });
    expect(text).toMatch(/"trust_score":0\.\d+[,}]/);
  });

  it("emits `task.approval_required` with exactly the six members [6]", async () => {
    const { task_id } = await (await send()).json();
    const { rows } = await app.pool.query(
      "select body from events where task_id = $1 and type = 'task.approval_required'",
      [task_id],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0].body)).toEqual({
      event: "task.approval_required",
      task_id,
      agent: "sales",
      risk: expect.stringMatching(/^(low|medium|high|critical)$/),
      summary: expect.stringMatching(/\S/),
      approve_url: expect.stringMatching(new RegExp(`^https?://[^/]+/approvals/${task_id}$`)),
    });
  });

  it("is refused without a key, with one of no such form, and with a role that may not dispatch [5]", async () => {
    const keys = ["", "not-a-key", app.key("viewer")];
    expect(await Promise.all(keys.map(async (key) => (await send(key)).status))).toEqual([401, 401, 403]);
  });
});

describe("the events [6]", () => {
  it("describe `task.approval_required` with exactly its six members", () => {
    const event = eventCatalogue().find(({ type }) => type === "task.approval_required");
    expect(Object.keys(event?.schema.properties ?? {})).toEqual([
      "event",
      "task_id",
      "agent",
      "risk",
      "summary",
      "approve_url",
    ]);
  });
});
