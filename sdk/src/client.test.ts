import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { type AosClient, createClient } from "./index.ts";

const app = useApp();
let aos: AosClient;
beforeAll(() => {
  aos = createClient({ baseUrl: app.url, key: app.key("admin") });
});
const dispatch = () => aos.agents.dispatchTask({ agent: "sales", task: "qualify_lead", lead_id: "ld_1001", require_approval: true });

describe("a call by name", () => {
  it("sends path, query and body where each belongs, and answers the data", async () => {
    const { task_id, status } = await dispatch();
    expect([task_id, status]).toEqual([expect.stringMatching(/^tsk_/), "awaiting_approval"]);
    const { data } = await aos.tasks.listTasks({ status: ["awaiting_approval", "queued"], agent: ["sales"], limit: 1 });
    expect(data.map((task) => [task.task_id, task.input])).toEqual([[task_id, { lead_id: "ld_1001" }]]);
    expect(await aos.tasks.cancelTask({ task: task_id, reason: "asked for by mistake" })).toMatchObject({ task_id, status: "cancelled" });
  });

  it("answers what its headers say, where that is asked for", async () => {
    const { data, status, auditRef, requestId, location, replayed } = await dispatch().withResponse();
    expect([status, location, replayed]).toEqual([202, `/v1/tasks/${data.task_id}`, false]);
    expect([auditRef, requestId]).toEqual([data.audit_ref, expect.stringMatching(/^req_/)]);
  });
});
