import { type AuditRecord, buildRecordBody, ocsfVersion, recordOfLeaf } from "@aos/proof";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { publishedOperations } from "../../../../../scripts/checks/registry.ts";
import { describe as describeOperation } from "../../../kernel/operation-seal.ts";
import { decisions, stageNames } from "../schemas.ts";
import { exportRow, sampleRecord } from "./export.fixture.ts";
import { writerOf } from "./format.ts";
import { ocsfFaults } from "./ocsf.fixture.ts";

const writer = writerOf("ocsf", "aos.example/default/production");
// biome-ignore lint/suspicious/noExplicitAny: events are looked into by name
const eventOf = (members: Partial<AuditRecord> = {}): any => {
  const record = sampleRecord(members);
  return JSON.parse(writer.row(exportRow(record), record));
};

describe("an export as OCSF events", () => {
  it("writes a dispatch as an event of the class API Activity, whole", () => {
    expect(eventOf()).toEqual({
      activity_id: 1,
      activity_name: "Create",
      category_uid: 6,
      category_name: "Application Activity",
      class_uid: 6003,
      class_name: "API Activity",
      type_uid: 600301,
      type_name: "API Activity: Create",
      time: Date.parse("2026-05-03T09:00:00.123Z"),
      timezone_offset: 0,
      severity_id: 1,
      severity: "Informational",
      status_id: 1,
      status: "Success",
      status_code: "202",
      message: "mbr_1 called agents.dispatchTask: allowed",
      metadata: {
        version: "1.3.0",
        product: { name: "Agent Operations Service", vendor_name: "Agent Operations Service" },
        uid: "aud_1",
        log_name: "audit",
        log_provider: "aos.example/default/production",
        sequence: 7,
        original_time: "2026-05-03T09:00:00.123Z",
        tenant_uid: "default",
        correlation_uid: "tsk_1",
      },
      actor: { user: { uid: "mbr_1", type_id: 99, type: "Member", credential_uid: "key_1" } },
      api: {
        operation: "agents.dispatchTask",
        service: { name: "Agent Operations Service" },
        request: { uid: "req_1" },
        response: { code: 202 },
      },
      src_endpoint: { name: "undisclosed" },
      resources: [
        { type: "agent", uid: "sales" },
        { type: "task", uid: "tsk_1" },
        { type: "approval", uid: "apr_1" },
      ],
      raw_data: buildRecordBody(sampleRecord()),
      unmapped: {
        environment: "production",
        key_seq: 3,
        decision: "allowed",
        stages: sampleRecord().stages,
        trust_score: 0.8125,
        approval_id: "apr_1",
        commitments: { address: "aa", request: "bb", response: null },
      },
    });
  });

  it("keeps to the schema of OCSF 1.3.0 whatever a record holds", () => {
    const text = fc.string({ unit: "binary", maxLength: 40 }).map((one) => one.toWellFormed());
    const nullable = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
    const record = fc.record({
      principal: fc.oneof(fc.constantFrom("anonymous", "system:worker", "mbr_1", "unknown"), text),
      operation: fc.oneof(fc.constantFrom("tasks.readTask", "admin.whoami", "unmatched", "a.", ".b"), text),
      object: nullable(text),
      key_id: nullable(text),
      task_id: nullable(text),
      approval_id: nullable(text),
      code: nullable(text),
      outcome: fc.constantFrom(...decisions),
      status: fc.constantFrom(0, 200, 202, 304, 403, 500),
      trust_score: nullable(fc.double({ noNaN: true, noDefaultInfinity: true })),
      address: nullable(text),
    });
    fc.assert(
      fc.property(record, (members) => void expect(ocsfFaults(eventOf(members as Partial<AuditRecord>))).toEqual([])),
    );
  });

  it("is held to a schema that refuses what OCSF refuses", () => {
    const event = eventOf();
    const { metadata, ...withoutMetadata } = event;
    for (const [broken, fault] of [
      [withoutMetadata, "/metadata: is required"],
      [{ ...event, metadata: { ...metadata, product: { name: "x" } } }, "/metadata/product/vendor_name: is required"],
      [{ ...event, src_endpoint: {} }, "/src_endpoint: needs one of ip"],
      [{ ...event, severity_id: 7 }, "/severity_id: 7 is none of its values"],
      [{ ...event, status: "Failure" }, "/status_id: 1 is called Success, not Failure"],
      [{ ...event, type_uid: 600302 }, "/type_uid: 600302 is not 600301"],
      [{ ...event, time: "2026" }, "/time: is no timestamp_t"],
      [{ ...event, resources: {} }, "/resources: is no list"],
      [{ ...event, trust_score: 1 }, "/trust_score: is no attribute of api_activity"],
    ] as const) {
      expect(ocsfFaults(broken)).toEqual([expect.stringContaining(fault)]);
    }
  });

  it("tells what came of the call by status and severity", () => {
    const of = (outcome: AuditRecord["outcome"], code: string | null, status: number) => {
      const event = eventOf({ outcome, code, status });
      return [event.status_id, event.severity_id, event.status_code, event.status_detail, event.api.response];
    };
    expect(of("allowed", null, 200)).toEqual([1, 1, "200", undefined, { code: 200 }]);
    expect(of("refused", "policy_blocked", 403)).toEqual([
      2,
      2,
      "403",
      "policy_blocked",
      { code: 403, error: "policy_blocked" },
    ]);
    expect(of("failed", "internal_error", 500)).toEqual([
      2,
      3,
      "500",
      "internal_error",
      { code: 500, error: "internal_error" },
    ]);
  });

  it("counts every GET of the service as Read, and every DELETE as Delete", () => {
    for (const { id, method } of publishedOperations().map(describeOperation)) {
      const activity = eventOf({ operation: id }).activity_name;
      if (method === "GET") expect([id, activity]).toEqual([id, "Read"]);
      if (method === "DELETE") expect([id, activity]).toEqual([id, "Delete"]);
    }
  });

  it("names an activity that is none of OCSF's own by its verb", () => {
    expect(eventOf({ operation: "tasks.juggle" })).toMatchObject({
      activity_id: 99,
      activity_name: "juggle",
      type_uid: 600399,
      type_name: "API Activity: Other",
    });
    expect(eventOf({ operation: "unmatched" })).toMatchObject({ activity_id: 99, activity_name: "unmatched" });
  });

  it("says who called: a member, a machine of the service, or nobody known", () => {
    expect(eventOf({ principal: "system:worker", key_id: null, address: null })).toMatchObject({
      actor: { user: { uid: "system:worker", type_id: 3, type: "System" } },
      src_endpoint: { name: "Agent Operations Service", svc_name: "system:worker" },
    });
    expect(eventOf({ principal: "anonymous", key_id: null })).toMatchObject({
      actor: { user: { uid: "anonymous", type_id: 0, type: "Unknown" } },
    });
  });

  it("names each thing that a call was about once", () => {
    const of = (object: string | null, task: string | null) =>
      eventOf({ object, task_id: task, approval_id: null }).resources;
    expect(of("task:tsk_1", "tsk_1")).toEqual([{ type: "task", uid: "tsk_1" }]);
    expect(of("audit", null)).toEqual([{ type: "audit", uid: "audit" }]);
    expect(of(null, null)).toBeUndefined();
  });

  it("carries on a text that is no record as unknown", () => {
    const event = JSON.parse(writer.row({ leafIndex: 0, leafData: "not JSON", skipped: "" }, recordOfLeaf("not JSON")));
    expect(ocsfFaults(event)).toEqual([]);
    expect(event).toMatchObject({
      metadata: { uid: "unknown" },
      api: { operation: "unknown" },
      status_id: 2,
      raw_data: "not JSON",
    });
  });

  it("holds the version that it says, in each event", () => {
    expect([writer.schemaVersion, eventOf().metadata.version]).toEqual([ocsfVersion, ocsfVersion]);
  });

  it("knows all stages", () => {
    expect(eventOf().unmapped.stages.map(({ stage }: { stage: string }) => stage)).toEqual(stageNames);
  });
});
