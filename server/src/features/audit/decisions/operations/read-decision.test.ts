import { parseTlogProof, verifyProof } from "@aos/proof";
import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { trustedKey, untilSequenced } from "../../testing.ts";

const app = useApp();
const read = (task: string, options = {}) => app.call("GET", `/v1/audit/tasks/${task}`, options);

it("says who decided what about a task, with each record and its proof", async () => {
  const { task_id, audit_ref } = await app.dispatch({ require_approval: true });
  const { body: approval } = await app.call("GET", `/v1/approvals/${task_id}`);
  const person = await app.member("approver");
  const voted = await app.call("POST", `/v1/approvals/${task_id}/approve`, {
    key: person.secret,
    body: { digest: approval.digest },
  });
  expect(voted.status).toBe(200);
  await untilSequenced(app, voted.headers.get("audit-ref") ?? "");
  const { status, body } = await read(task_id, { key: "auditor" });
  expect(status).toBe(200);
  expect(body).toMatchObject({ task_id, agent: "sales", complete: true, trust: { at_dispatch: expect.any(Number) } });
  expect(body.approvals).toMatchObject([{ approval_id: approval.approval_id, tool: null, status: "approved" }]);
  expect(body.votes).toMatchObject([
    {
      action: "approvals.approve",
      actor: person.memberId,
      key_id: person.keyId,
      approval_id: approval.approval_id,
    },
  ]);
  expect(body.records[0].audit_ref).toBe(audit_ref);
  const publicKey = await trustedKey(app);
  for (const { proof, audit_ref: ref } of body.records) {
    const leafData = parseTlogProof(proof).extra as Uint8Array;
    expect(await verifyProof({ proofText: proof, leafData, publicKey })).toMatchObject({ verified: true });
    expect(JSON.parse(Buffer.from(leafData).toString()).id).toBe(ref);
  }
});

it("hides the tasks of other agents from a key that is narrowed", async () => {
  const { task_id } = await app.dispatch();
  const body = { name: "narrow", role: "auditor", agents: ["support"] };
  const { key } = (await app.call("POST", "/v1/admin/keys", { body })).body;
  expect((await read(task_id, { key })).status).toBe(403);
});
