import { parseTlogProof, verifyProof } from "@aos/proof";
import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { trustedKey, untilSequenced } from "../../testing.ts";

describe("the proof of an audit record", () => {
  const app = useApp();

  it("verifies offline with nothing but itself and the log's key", async () => {
    const { audit_ref } = await app.dispatch();
    const answered = await app.call("GET", `/v1/audit/events/${audit_ref}/proof`, { key: "auditor" });
    expect(answered.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const proofText = answered.text;
    const leafData = parseTlogProof(proofText).extra as Uint8Array;
    const publicKey = await trustedKey(app);
    const verdict = await verifyProof({ proofText, leafData, publicKey });
    expect(verdict).toMatchObject({ verified: true, checkpoint: { origin: publicKey.name } });
    expect(JSON.parse(Buffer.from(leafData).toString())).toMatchObject({
      id: audit_ref,
      operation: "agents.dispatchTask",
    });
  });

  it("proves exactly the leaf data that the record's own answer shows", async () => {
    const { audit_ref } = await app.dispatch();
    const proofText = await untilSequenced(app, audit_ref);
    const { leaf, leaf_data } = (await app.call("GET", `/v1/audit/events/${audit_ref}`)).body;
    const publicKey = await trustedKey(app);
    expect(await verifyProof({ proofText, leafData: leaf_data, publicKey })).toMatchObject({
      verified: true,
      index: leaf.index,
    });
    const changed = leaf_data.replace('"outcome":"allowed"', '"outcome":"refused"');
    expect(changed).not.toBe(leaf_data);
    expect(await verifyProof({ proofText, leafData: changed, publicKey })).toMatchObject({
      verified: false,
      part: "inclusion",
    });
    const another = await trustedKey(app, "production");
    expect(await verifyProof({ proofText, leafData: leaf_data, publicKey: another })).toMatchObject({
      verified: false,
      part: "signature",
    });
  });

  it("proves a refused call like any other", async () => {
    const refused = await app.call("POST", "/v1/agents/sales/tasks", {
      key: "viewer",
      body: { task: "qualify_lead", lead_id: "ld_1001" },
    });
    const proofText = await untilSequenced(app, refused.headers.get("audit-ref") ?? "");
    const leafData = parseTlogProof(proofText).extra as Uint8Array;
    expect(await verifyProof({ proofText, leafData, publicKey: await trustedKey(app) })).toMatchObject({
      verified: true,
    });
    expect(JSON.parse(Buffer.from(leafData).toString())).toMatchObject({ status: 403, outcome: "refused" });
  });

  it("is 503 proof_not_ready while the log does not reach the record, and is there once it does", async () => {
    const call = () => app.call("GET", "/v1/agents", { environment: "staging" });
    await untilSequenced(app, (await call()).headers.get("audit-ref") ?? "", "staging");
    const client = await app.pool.connect();
    try {
      await client.query("begin");
      await client.query("select 1 from audit_logs where environment = 'staging' for update"); // the sequencer cannot move this log's head
      const auditRef = (await call()).headers.get("audit-ref") ?? "";
      const early = await app.call("GET", `/v1/audit/events/${auditRef}/proof`, { environment: "staging" });
      expect(early.status).toBe(503);
      expect(early.body).toMatchObject({ code: "proof_not_ready", retryable: true });
      expect(early.headers.get("retry-after")).toBe("1");
      const record = await app.call("GET", `/v1/audit/events/${auditRef}`, { environment: "staging" });
      expect(record.body).toMatchObject({
        audit_ref: auditRef,
        action: "agents.listAgents",
        leaf: null,
        leaf_data: null,
      });
      await client.query("rollback");
      expect(await untilSequenced(app, auditRef, "staging")).toContain("tlog-proof@v1");
    } finally {
      client.release(true);
    }
  });
});
