import type {
  ActorSummary,
  AuditEvent,
  AuditExport,
  AuditRecord,
  DecisionRecord,
  ObjectSummary,
  VerifiedRange,
} from "./schemas.ts";

export const exampleEvent: AuditEvent = {
  audit_ref: "aud_01jd8x0000000000000000000b",
  time: "2026-11-20T09:30:00.000Z",
  actor: "mbr_01jd8x0000000000000000000e",
  key_id: "key_01jd8x0000000000000000000g",
  action: "agents.dispatchTask",
  object: "task:tsk_01jd8x0000000000000000000a",
  task_id: "tsk_01jd8x0000000000000000000a",
  approval_id: null,
  decision: "allowed",
  stage: null,
  stages: [
    { stage: "permissions", verdict: "allow", reasons: ["role:operator"], policy_version: null },
    { stage: "evaluation_gate", verdict: "allow", reasons: ["gate:missing"], policy_version: null },
    { stage: "compliance", verdict: "allow", reasons: [], policy_version: null },
    { stage: "audit", verdict: "recorded", reasons: [], policy_version: null },
  ],
  status: 202,
  code: null,
  trust_score: 0.5,
  request_id: "req_01jd8x0000000000000000000h",
  commitments: {
    address: null,
    request: "4f1c5a5e0f0b3d8f5f2a9a8c7e6d5b4a39281706f5e4d3c2b1a0918273645546",
    response: "b7d1e2f30415263748596a7b8c9daebfc0d1e2f30415263748596a7b8c9daebf",
  },
  leaf: { index: 4711, key_seq: 17 },
};

export const exampleRecord: AuditRecord = {
  ...exampleEvent,
  leaf_data:
    '{"address":null,"approval_id":null,"code":null,"environment":"development","id":"aud_01jd8x0000000000000000000b"}',
  log_key: "tomerabiluwano/default/development+4c15fe53+AYV3q7Jp0Xk2yW1m0c9nQF5o8i1xv3Tg6hR2sKdLb4Ue",
  openings: { request: "00112233445566778899aabbccddeeff", response: "ffeeddccbbaa99887766554433221100" },
};

export const exampleCheckpoint = `tomerabiluwano/default/development
4712
FtrBFmQa4TvrsxlNDBUF9UZqDMf8XUNL2BSJ8wnUlSs=

\u2014 tomerabiluwano/default/development TBX+U4X7kGM1dnoYzCWl0FkVwPxKPZBrmJDGYRuZSAfwDLGIRnLn1dIJk8QUhxjSZaLlY2uAxqQ7UMIk/X+9tuRYpgU=
`;

export const exampleProof = `c2sp.org/tlog-proof@v1
extra eyJhZGRyZXNzIjpudWxsfQ==
index 4711
gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=

${exampleCheckpoint}`;

export const exampleExport: AuditExport = {
  export_id: "exp_01jd8x0000000000000000000t",
  format: "jsonl",
  schema_version: "aos-audit-jsonl v2",
  filter: { decision: ["refused"], created_after: "2026-11-01T00:00:00Z" },
  state: "completed",
  tree_size: 4712,
  rows: 31,
  bytes: 28_110,
  digest: "9f2c4e6a8b0d1f3355778899aabbccddeeff00112233445566778899aabbccdd",
  manifest: `aos-audit-export v2
{"bytes":28110,"export":"exp_01jd8x0000000000000000000t","filter":{"created_after":"2026-11-01T00:00:00Z","decision":["refused"]},"format":"jsonl","origin":"tomerabiluwano/default/development","root":"FtrBFmQa4TvrsxlNDBUF9UZqDMf8XUNL2BSJ8wnUlSs=","rows":31,"schema_version":"aos-audit-jsonl v2","sha256":"9f2c4e6a8b0d1f3355778899aabbccddeeff00112233445566778899aabbccdd","skipped":"","tree_size":4712,"without_record":[]}

\u2014 tomerabiluwano/default/development TBX+U4X7kGM1dnoYzCWl0FkVwPxKPZBrmJDGYRuZSAfwDLGIRnLn1dIJk8QUhxjSZaLlY2uAxqQ7UMIk/X+9tuRYpgU=
`,
  log_key: exampleRecord.log_key,
  failure: null,
  created_at: "2026-11-20T09:30:00.000Z",
  finished_at: "2026-11-20T09:30:01.200Z",
  requested_by: exampleEvent.actor,
};

const exampleCounts = { records: 212, allowed: 207, refused: 5, failed: 0, last_at: exampleEvent.time };
const exampleMembers = {
  ...exampleCounts,
  first_at: "2026-11-02T07:12:00.000Z",
  complete: true,
  actions: [{ action: exampleEvent.action, ...exampleCounts }],
  keys: [{ key_id: "key_01jd8x0000000000000000000g", ...exampleCounts }],
};

export const exampleActorSummary: ActorSummary = {
  actor: exampleEvent.actor,
  ...exampleMembers,
  objects: [{ object: "agent:sales", ...exampleCounts }],
};

export const exampleObjectSummary: ObjectSummary = {
  object: "agent:sales",
  ...exampleMembers,
  actors: [{ actor: exampleEvent.actor, ...exampleCounts }],
};

export const exampleRange: VerifiedRange = {
  verified: true,
  from_leaf: 3712,
  to_leaf: 4712,
  checked: 1000,
  log_size: 4712,
  root: "FtrBFmQa4TvrsxlNDBUF9UZqDMf8XUNL2BSJ8wnUlSs=",
  log_key: exampleRecord.log_key,
  removed: [],
  findings: [],
  more_findings: false,
};

export const exampleDecision: DecisionRecord = {
  task_id: "tsk_01jd8x0000000000000000000a",
  agent: "sales",
  skill: "qualify_lead",
  status: "completed",
  requested_by: exampleEvent.actor,
  key_id: exampleEvent.key_id,
  created_at: exampleEvent.time,
  finished_at: "2026-11-20T09:31:12.000Z",
  version: {
    version_id: "agv_01jd8x0000000000000000000c",
    number: 1,
    model: "builtin",
    tools: ["read_lead"],
    digest: "9f2c4e6a8b0d1f3355778899aabbccddeeff00112233445566778899aabbccdd",
  },
  trust: { at_dispatch: 0.5, now: 0.82 },
  risk_level: "low",
  cost_usd: 0.0021,
  verdicts: [],
  votes: [],
  approvals: [],
  calls: [
    {
      step_id: "stp_01jd8x0000000000000000000d",
      kind: "tool",
      name: "read_lead",
      state: "finished",
      cost_usd: 0,
      started_at: "2026-11-20T09:30:58.000Z",
      finished_at: "2026-11-20T09:30:58.010Z",
    },
  ],
  records: [{ ...exampleEvent, proof: exampleProof }],
  complete: true,
  log_key: exampleRecord.log_key,
};
