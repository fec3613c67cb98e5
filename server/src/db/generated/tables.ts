// Generated from ../schema.sql by `npm run gen`.
import type { ColumnType } from "kysely";

export interface AgentPauses {
  organization: string;
  environment: string;
  agent: string;
  mode: "drain" | "cancel";
  reason: string;
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface AgentScheduleRuns {
  organization: string;
  environment: string;
  schedule: string;
  at: Date;
  task: string;
  cost_usd: ColumnType<number | null, number | null | undefined, number | null>;
}

export interface AgentSchedules {
  organization: string;
  environment: string;
  id: string;
  agent: string;
  definition: ColumnType<unknown, string, string>;
  principal: string;
  author: string;
  revision: ColumnType<number, number | undefined, number>;
  paused_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  paused_by: ColumnType<string | null, string | null | undefined, string | null>;
  pause_reason: ColumnType<string | null, string | null | undefined, string | null>;
  next_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  due_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  try_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_task: ColumnType<string | null, string | null | undefined, string | null>;
  skipped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  skip_reason: ColumnType<string | null, string | null | undefined, string | null>;
  last_error: ColumnType<string | null, string | null | undefined, string | null>;
  last_error_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  created_at: Date;
  updated_at: Date;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  stopped_reason: ColumnType<string | null, string | null | undefined, string | null>;
  stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface AgentVersions {
  organization: string;
  agent: string;
  number: number;
  id: string;
  definition: ColumnType<unknown, string, string>;
  note: ColumnType<string, string | undefined, string>;
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  digest: ColumnType<string | null, string | null | undefined, string | null>;
  based_on: ColumnType<number | null, number | null | undefined, number | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface Agents {
  organization: string;
  name: string;
  description: ColumnType<string, string | undefined, string>;
  owner: string;
  labels: ColumnType<string[], string[] | undefined, string[]>;
  draft: ColumnType<unknown, string, string>;
  revision: ColumnType<number, number | undefined, number>;
  created_at: ColumnType<Date, Date | undefined, Date>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
  archived_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  archived_by: ColumnType<string | null, string | null | undefined, string | null>;
  draft_deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface AnalyticsAlertChanges {
  organization: string;
  environment: string;
  alert: string;
  number: ColumnType<number, number | undefined, number>;
  at: Date;
  state: string;
  event: ColumnType<"fired" | "cleared" | null, "fired" | "cleared" | null | undefined, "fired" | "cleared" | null>;
  value: ColumnType<number | null, number | null | undefined, number | null>;
  n: number;
}

export interface AnalyticsAlerts {
  organization: string;
  environment: string;
  id: string;
  name: string;
  measure: string;
  filters: ColumnType<unknown, string, string>;
  window_minutes: number;
  condition: ColumnType<unknown, string, string>;
  for_minutes: number;
  least_n: number;
  members: string[];
  agents: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  paused: ColumnType<boolean, boolean | undefined, boolean>;
  state: ColumnType<"waiting" | "ok" | "pending" | "firing" | "recovering" | "no_data", "waiting" | "ok" | "pending" | "firing" | "recovering" | "no_data" | undefined, "waiting" | "ok" | "pending" | "firing" | "recovering" | "no_data">;
  state_since: Date;
  fired: ColumnType<boolean, boolean | undefined, boolean>;
  beyond_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
  within_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
  value: ColumnType<number | null, number | null | undefined, number | null>;
  n: ColumnType<number, number | undefined, number>;
  looked_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  due_at: Date;
  error: ColumnType<string | null, string | null | undefined, string | null>;
  revision: ColumnType<number, number | undefined, number>;
  created_by: string;
  created_at: Date;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  stopped_reason: ColumnType<string | null, string | null | undefined, string | null>;
  stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface AnalyticsBlocks {
  organization: string;
  environment: string;
  family: string;
  grain: "minute" | "quarter" | "hour" | "day";
  bucket: number;
  part: ColumnType<number, number | undefined, number>;
  rows: number;
  dims: Buffer;
  sums: Buffer;
  bins: Buffer;
}

export interface AnalyticsFacts {
  organization: string;
  environment: string;
  family: string;
  source: string;
  body: string;
}

export interface AnalyticsIssues {
  organization: string;
  environment: string;
  id: string;
  report: string;
  occasion: Date;
  starts: Date;
  ends: Date;
  complete: boolean;
  media_type: string;
  body: string;
  created_at: Date;
}

export interface AnalyticsPending {
  organization: string;
  environment: string;
  kind: string;
  id: string;
  at: ColumnType<Date, Date | undefined, Date>;
}

export interface AnalyticsRebuilds {
  organization: string;
  environment: string;
  starts: number;
  ends: number;
  done: number;
  sources: ColumnType<number, number | undefined, number>;
  requested_by: string;
  requested_at: Date;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface AnalyticsReports {
  organization: string;
  environment: string;
  id: string;
  definition: string;
  principal: string;
  agents: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  next_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_error: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Date;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  stopped_reason: ColumnType<string | null, string | null | undefined, string | null>;
  stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface AnalyticsUnmerged {
  organization: string;
  environment: string;
  family: string;
  grain: "quarter" | "hour" | "day";
  bucket: number;
}

export interface AnalyticsValues {
  organization: string;
  environment: string;
  dimension: string;
  number: number;
  value: string;
}

export interface ApprovalAbsences {
  organization: string;
  environment: string;
  id: string;
  from_member: string;
  to_member: string;
  starts_at: Date;
  ends_at: Date;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  author: string;
  accountable: string[];
  personal: boolean;
  created_at: Date;
}

export interface ApprovalActivity {
  organization: string;
  environment: string;
  approval_id: string;
  id: string;
  kind: "claimed" | "released" | "extended" | "withdrawn";
  member: string;
  until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Date;
}

export interface ApprovalComments {
  organization: string;
  environment: string;
  id: string;
  approval_id: string;
  task_id: string;
  author: string;
  text: string;
  mentions: string[];
  created_at: Date;
}

export interface ApprovalDelegations {
  organization: string;
  environment: string;
  approval_id: string;
  from_member: string;
  to_member: string;
  reason: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  accountable: ColumnType<string[], string[] | undefined, string[]>;
}

export interface ApprovalRuleVersions {
  organization: string;
  environment: string;
  name: string;
  version: number;
  title: string;
  definition: string;
  author: string;
  created_at: Date;
}

export interface ApprovalRules {
  organization: string;
  environment: string;
  name: string;
  version: number;
  title: string;
  definition: string;
  author: string;
  created_at: Date;
  retired_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  retired_by: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface ApprovalVotes {
  organization: string;
  environment: string;
  approval_id: string;
  voter: string;
  vote: "approve" | "reject";
  action_digest: string;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: ColumnType<Date, Date | undefined, Date>;
  on_behalf_of: ColumnType<string | null, string | null | undefined, string | null>;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  accountable: ColumnType<string[], string[] | undefined, string[]>;
  personal: ColumnType<boolean, boolean | undefined, boolean>;
  voter_email: ColumnType<string | null, string | null | undefined, string | null>;
  delegation_id: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface Approvals {
  organization: string;
  environment: string;
  id: string;
  task_id: string;
  agent: string;
  version_id: string;
  version_number: number;
  skill: string;
  tool: ColumnType<string | null, string | null | undefined, string | null>;
  arguments: ColumnType<string | null, string | null | undefined, string | null>;
  status: ColumnType<"pending" | "approved" | "rejected" | "changes_requested" | "expired" | "cancelled" | "superseded" | "consumed" | "stale", "pending" | "approved" | "rejected" | "changes_requested" | "expired" | "cancelled" | "superseded" | "consumed" | "stale" | undefined, "pending" | "approved" | "rejected" | "changes_requested" | "expired" | "cancelled" | "superseded" | "consumed" | "stale">;
  action_digest: string;
  nonce: string;
  risk_level: string;
  summary: string;
  reasons: string;
  approvers: number;
  requester_allowed: boolean;
  requester: string;
  revision: ColumnType<number, number | undefined, number>;
  expires_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  decided_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  decided_by: ColumnType<string | null, string | null | undefined, string | null>;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  consumed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  created_at: ColumnType<Date, Date | undefined, Date>;
  round: ColumnType<number, number | undefined, number>;
  previous_id: ColumnType<string | null, string | null | undefined, string | null>;
  edited_by: ColumnType<string | null, string | null | undefined, string | null>;
  trust: ColumnType<string | null, string | null | undefined, string | null>;
  on_expiry: ColumnType<"reject" | "escalate" | null, "reject" | "escalate" | null | undefined, "reject" | "escalate" | null>;
  reminded_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  escalated_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  escalated_by: ColumnType<string | null, string | null | undefined, string | null>;
  requester_accountable: ColumnType<string[], string[] | undefined, string[]>;
  editor_accountable: ColumnType<string[], string[] | undefined, string[]>;
  title: ColumnType<string | null, string | null | undefined, string | null>;
  policies: ColumnType<string[], string[] | undefined, string[]>;
  requesters: ColumnType<unknown | null, string | null | undefined, string | null>;
  claimed_by: ColumnType<string | null, string | null | undefined, string | null>;
  claimed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  claimed_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  extended_seconds: ColumnType<number, number | undefined, number>;
  demanded: ColumnType<string, string | undefined, string>;
  asks: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
}

export interface AuditClosedLogs {
  organization: string;
  environment: string;
  epoch: number;
  origin: string;
  first_leaf: number;
  tree_size: number;
  checkpoint: string;
  verifier_key: string;
  adoption: string;
  closed_at: Date;
  mac: Buffer;
}

export interface AuditErasures {
  organization: string;
  environment: string;
  salt_id: string;
  audit_ref: string;
}

export interface AuditExportParts {
  organization: string;
  environment: string;
  export_id: string;
  n: number;
  rows: number;
  data: Buffer;
}

export interface AuditExports {
  organization: string;
  environment: string;
  id: string;
  format: "jsonl" | "csv" | "ocsf";
  filter: ColumnType<unknown, string, string>;
  tree_size: number;
  state: ColumnType<"queued" | "running" | "completed" | "failed", "queued" | "running" | "completed" | "failed" | undefined, "queued" | "running" | "completed" | "failed">;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  attempt: ColumnType<number, number | undefined, number>;
  rows: ColumnType<number | null, number | null | undefined, number | null>;
  bytes: ColumnType<number | null, number | null | undefined, number | null>;
  digest: ColumnType<string | null, string | null | undefined, string | null>;
  manifest: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  principal: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  faults: ColumnType<number, number | undefined, number>;
  fault: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface AuditKeyCounters {
  organization: string;
  environment: string;
  key_id: string;
  seq: number;
}

export interface AuditLeaves {
  organization: string;
  environment: string;
  record_id: string;
  leaf_index: number;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  key_seq: ColumnType<number | null, number | null | undefined, number | null>;
  principal: string;
  operation: string;
  object: ColumnType<string | null, string | null | undefined, string | null>;
  task_id: ColumnType<string | null, string | null | undefined, string | null>;
  approval_id: ColumnType<string | null, string | null | undefined, string | null>;
  decision: string;
  stage: ColumnType<string | null, string | null | undefined, string | null>;
  status: number;
}

export interface AuditLogs {
  organization: string;
  environment: string;
  origin: string;
  tree_size: number;
  root: Buffer;
  checkpoint: string;
  last_xid: string;
  last_n: number;
  event_sequence: number;
  event_xid: string;
  event_n: number;
  updated_at: Date;
  epoch: ColumnType<number, number | undefined, number>;
  first_leaf: ColumnType<number, number | undefined, number>;
  closes: ColumnType<string | null, string | null | undefined, string | null>;
  opening: ColumnType<string | null, string | null | undefined, string | null>;
  mac: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
}

export interface AuditRecords {
  organization: string;
  environment: string;
  id: string;
  xid: ColumnType<string, string | undefined, string>;
  n: number;
  body: string;
  context: ColumnType<string | null, string | null | undefined, string | null>;
  salt_id: ColumnType<string | null, string | null | undefined, string | null>;
  writer: ColumnType<string | null, string | null | undefined, string | null>;
  number: ColumnType<number | null, number | null | undefined, number | null>;
  mac: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
}

export interface AuditRefusedRecords {
  organization: string;
  environment: string;
  record_id: string;
  adoption: string;
  mac: Buffer;
}

export interface AuditSalts {
  organization: string;
  environment: string;
  subject: string;
  salt: Buffer;
  id: string;
}

export interface AuditSinks {
  organization: string;
  environment: string;
  id: string;
  name: string;
  kind: "webhook" | "splunk_hec" | "syslog" | "otlp" | "s3";
  target: ColumnType<unknown, string, string>;
  filter: ColumnType<unknown, string, string>;
  format: "json" | "ocsf";
  credentials: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  previous_credentials: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  previous_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  state: ColumnType<"active" | "paused", "active" | "paused" | undefined, "active" | "paused">;
  created_by: string;
  actor: ColumnType<unknown, string, string>;
  stopped_reason: ColumnType<string | null, string | null | undefined, string | null>;
  stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  epoch: number;
  since_leaf: number;
  next_leaf: number;
  range_from: number;
  sending_to: ColumnType<number | null, number | null | undefined, number | null>;
  not_sent: ColumnType<unknown, string | undefined, string>;
  sent_records: ColumnType<number, number | undefined, number>;
  last_sent_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  checkpoint: ColumnType<string | null, string | null | undefined, string | null>;
  attempt: ColumnType<number, number | undefined, number>;
  faults: ColumnType<number, number | undefined, number>;
  failing_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
  told_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_error: ColumnType<unknown | null, string | null | undefined, string | null>;
  next_at: Date;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  revision: ColumnType<number, number | undefined, number>;
  created_at: Date;
  updated_at: Date;
}

export interface AuditStops {
  organization: string;
  environment: string;
  reason: string;
  detail: string;
  since: Date;
}

export interface AuditTiles {
  organization: string;
  environment: string;
  level: number;
  index: number;
  data: Buffer;
  epoch: ColumnType<number, number | undefined, number>;
}

export interface AuditWitnesses {
  organization: string;
  environment: string;
  witness: string;
  origin: string;
  checkpoint: ColumnType<string | null, string | null | undefined, string | null>;
  cosignatures: ColumnType<string | null, string | null | undefined, string | null>;
  tree_size: ColumnType<number | null, number | null | undefined, number | null>;
  cosigned_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  conflict: ColumnType<"rollback" | "fork" | null, "rollback" | "fork" | null | undefined, "rollback" | "fork" | null>;
  conflict_detail: ColumnType<string | null, string | null | undefined, string | null>;
  conflict_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface AuditWordPlaces {
  organization: string;
  environment: string;
  leaf_index: number;
}

export interface AuditWords {
  organization: string;
  environment: string;
  task_id: string;
  words: string;
  task_updated_at: Date;
}

export interface BaseEmbeddings {
  organization: string;
  environment: string;
  base: string;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  failures: ColumnType<number, number | undefined, number>;
  retry_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  error: ColumnType<unknown | null, string | null | undefined, string | null>;
  dimensions: ColumnType<number | null, number | null | undefined, number | null>;
  tokens: ColumnType<number, number | undefined, number>;
  usd: ColumnType<number, number | undefined, number>;
}

export interface BudgetGrants {
  organization: string;
  environment: string;
  scope: string;
  unit: string;
  period: string;
  starts_at: Date;
  holder: string;
  amount: number;
  expires_at: Date;
}

export interface BudgetUse {
  organization: string;
  environment: string;
  scope: string;
  unit: string;
  period: string;
  starts_at: Date;
  used: ColumnType<number, number | undefined, number>;
  granted: ColumnType<number, number | undefined, number>;
  recalled_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  warned_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  exhausted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface Budgets {
  organization: string;
  environment: string;
  scope: string;
  unit: "usd" | "tokens" | "tasks" | "steps";
  period: "hour" | "day" | "month" | "total";
  hard: ColumnType<number | null, number | null | undefined, number | null>;
  warn: ColumnType<number | null, number | null | undefined, number | null>;
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface ChatChannelMessages {
  organization: string;
  environment: string;
  channel: string;
  external_id: string;
  conversation: string;
  message: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface ChatChannels {
  organization: string;
  environment: string;
  name: string;
  kind: "web" | "email" | "slack";
  agent: string;
  enabled: ColumnType<boolean, boolean | undefined, boolean>;
  config: ColumnType<unknown, string, string>;
  secret: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  reader: ColumnType<unknown, string | undefined, string>;
  last_error: ColumnType<string | null, string | null | undefined, string | null>;
  last_read_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  next_read_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  revision: ColumnType<number, number | undefined, number>;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  stopped_reason: ColumnType<string | null, string | null | undefined, string | null>;
  stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface ChatConversations {
  organization: string;
  environment: string;
  id: string;
  agent: string;
  version_id: ColumnType<string | null, string | null | undefined, string | null>;
  version_number: ColumnType<number | null, number | null | undefined, number | null>;
  repin_seconds: ColumnType<number, number | undefined, number>;
  state: ColumnType<"open" | "closed", "open" | "closed" | undefined, "open" | "closed">;
  handler: ColumnType<string | null, string | null | undefined, string | null>;
  handler_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
  handoff: ColumnType<unknown | null, string | null | undefined, string | null>;
  end_user: ColumnType<string | null, string | null | undefined, string | null>;
  channel: ColumnType<string, string | undefined, string>;
  external_key: ColumnType<string | null, string | null | undefined, string | null>;
  title: ColumnType<string | null, string | null | undefined, string | null>;
  labels: ColumnType<string[], string[] | undefined, string[]>;
  language: ColumnType<string | null, string | null | undefined, string | null>;
  context: ColumnType<string, string | undefined, string>;
  principal: string;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  forked_from: ColumnType<unknown | null, string | null | undefined, string | null>;
  disclosure: ColumnType<string | null, string | null | undefined, string | null>;
  disclosed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  sequence: ColumnType<number, number | undefined, number>;
  messages: ColumnType<number, number | undefined, number>;
  revision: ColumnType<number, number | undefined, number>;
  audit_ref: string;
  created_at: Date;
  updated_at: Date;
  last_message_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  closed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  erase_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface ChatDeliveries {
  organization: string;
  environment: string;
  conversation: string;
  message: string;
  channel: string;
  state: ColumnType<"waiting" | "sent" | "failed", "waiting" | "sent" | "failed" | undefined, "waiting" | "sent" | "failed">;
  attempts: ColumnType<number, number | undefined, number>;
  next_at: Date;
  last_error: ColumnType<string | null, string | null | undefined, string | null>;
  sent_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  told: ColumnType<string[], string[] | undefined, string[]>;
  asked: ColumnType<number, number | undefined, number>;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface ChatEvents {
  organization: string;
  environment: string;
  conversation: string;
  sequence: number;
  type: string;
  data: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface ChatFiles {
  organization: string;
  environment: string;
  conversation: string;
  id: string;
  name: string;
  media_type: string;
  size: number;
  sha256: string;
  content: Buffer;
  text: ColumnType<string | null, string | null | undefined, string | null>;
  author: ColumnType<string | null, string | null | undefined, string | null>;
  audit_ref: string;
  created_at: Date;
}

export interface ChatHandovers {
  organization: string;
  environment: string;
  id: string;
  conversation: ColumnType<string | null, string | null | undefined, string | null>;
  agent: string;
  channel: string;
  team: ColumnType<string | null, string | null | undefined, string | null>;
  cause: string;
  requested_at: Date;
  waiting_due_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  answer_due_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  member: ColumnType<string | null, string | null | undefined, string | null>;
  assigned_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  taken_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  answered_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  ended_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  waiting_breached_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  answer_breached_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface ChatMemories {
  organization: string;
  environment: string;
  id: string;
  end_user: ColumnType<string | null, string | null | undefined, string | null>;
  conversation: ColumnType<string | null, string | null | undefined, string | null>;
  text: string;
  source_message: ColumnType<string | null, string | null | undefined, string | null>;
  generated: ColumnType<boolean, boolean | undefined, boolean>;
  author: string;
  audit_ref: string;
  created_at: Date;
}

export interface ChatMessages {
  organization: string;
  environment: string;
  conversation: string;
  id: string;
  number: number;
  role: "user" | "agent" | "person" | "system";
  author: ColumnType<string | null, string | null | undefined, string | null>;
  author_name: ColumnType<string | null, string | null | undefined, string | null>;
  turn: ColumnType<string | null, string | null | undefined, string | null>;
  task: ColumnType<string | null, string | null | undefined, string | null>;
  status: "queued" | "streaming" | "waiting" | "complete" | "stopped" | "failed" | "retracted";
  parts: ColumnType<string, string | undefined, string>;
  part_steps: ColumnType<number[] | null, number[] | null | undefined, number[] | null>;
  body: ColumnType<string, string | undefined, string>;
  generated: ColumnType<boolean, boolean | undefined, boolean>;
  imported: ColumnType<boolean, boolean | undefined, boolean>;
  covers_from: ColumnType<number | null, number | null | undefined, number | null>;
  covers_to: ColumnType<number | null, number | null | undefined, number | null>;
  replaces: ColumnType<string | null, string | null | undefined, string | null>;
  replaced_by: ColumnType<string | null, string | null | undefined, string | null>;
  trust_score: ColumnType<number | null, number | null | undefined, number | null>;
  audit_ref: string;
  created_at: Date;
  completed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface ChatNotes {
  organization: string;
  environment: string;
  id: string;
  conversation: string;
  author: string;
  text: string;
  audit_ref: string;
  created_at: Date;
}

export interface ChatThreads {
  organization: string;
  environment: string;
  conversation: string;
  channel: string;
  key: string;
  address: ColumnType<unknown, string, string>;
}

export interface ChatTurns {
  organization: string;
  environment: string;
  conversation: string;
  id: string;
  number: number;
  message: string;
  reply: ColumnType<string | null, string | null | undefined, string | null>;
  task: ColumnType<string | null, string | null | undefined, string | null>;
  state: "queued" | "running" | "awaiting_approval" | "input_required" | "completed" | "failed" | "blocked" | "stopped";
  principal: string;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Date;
  started_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  options: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface ChunkIndexes {
  organization: string;
  environment: string;
  base: string;
  generation: number;
  chunks: ColumnType<number, number | undefined, number>;
  stems: ColumnType<number, number | undefined, number>;
  loose: ColumnType<number, number | undefined, number>;
  languages: ColumnType<string[], string[] | undefined, string[]>;
}

export interface ChunkPostings {
  organization: string;
  environment: string;
  base: string;
  generation: number;
  term: string;
  impact: number;
  id: ColumnType<number, number | undefined, number>;
  lowest_impact: number;
  first_place: number;
  last_place: number;
  postings: number;
  data: Buffer;
}

export interface ChunkTerms {
  organization: string;
  environment: string;
  base: string;
  generation: number;
  term: string;
  chunks: number;
  trigrams: string[];
}

export interface ChunkVectors {
  organization: string;
  environment: string;
  base: string;
  place: number;
  generation: number;
  dimensions: number;
  vector: number[];
  signs: string;
}

export interface Chunks {
  organization: string;
  environment: string;
  base: string;
  document: string;
  number: number;
  title: string;
  text: string;
  lexemes: string;
  place: ColumnType<number, number | undefined, number>;
  generation: ColumnType<number, number | undefined, number>;
  version: ColumnType<number, number | undefined, number>;
  revision: ColumnType<number, number | undefined, number>;
  kind: ColumnType<"text" | "table" | "code" | "record", "text" | "table" | "code" | "record" | undefined, "text" | "table" | "code" | "record">;
  headings: ColumnType<string[], string[] | undefined, string[]>;
  first_page: ColumnType<number | null, number | null | undefined, number | null>;
  last_page: ColumnType<number | null, number | null | undefined, number | null>;
  starts_at: ColumnType<number | null, number | null | undefined, number | null>;
  ends_at: ColumnType<number | null, number | null | undefined, number | null>;
  disabled: ColumnType<boolean, boolean | undefined, boolean>;
  data_classes: ColumnType<string[], string[] | undefined, string[]>;
  stems: number;
  corrected_from: ColumnType<string | null, string | null | undefined, string | null>;
  language: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface Confirmations {
  organization: string;
  environment: string;
  id: string;
  object: string;
  digest: string;
  how: "confirmed" | "deployed" | "published";
  confirmed_by: string;
  session_id: ColumnType<string | null, string | null | undefined, string | null>;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Date;
}

export interface Connections {
  organization: string;
  environment: "development" | "staging" | "production";
  name: string;
  kind: "anthropic" | "openai" | "openai-compatible" | "http";
  base_url: ColumnType<string | null, string | null | undefined, string | null>;
  scheme: ColumnType<"bearer" | "basic" | "header" | null, "bearer" | "basic" | "header" | null | undefined, "bearer" | "basic" | "header" | null>;
  header: ColumnType<string | null, string | null | undefined, string | null>;
  secret: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  last_four: ColumnType<string | null, string | null | undefined, string | null>;
  created_by: string;
  created_at: Date;
  changed_at: Date;
  test: ColumnType<string | null, string | null | undefined, string | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
  digest: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface DatasetItems {
  organization: string;
  dataset_id: string;
  name: string;
  since: number;
  until: ColumnType<number | null, number | null | undefined, number | null>;
  place: number;
  input: string;
  expected: string;
  must_pass: ColumnType<boolean, boolean | undefined, boolean>;
  cluster: ColumnType<string | null, string | null | undefined, string | null>;
  labels: ColumnType<string[], string[] | undefined, string[]>;
  source_environment: ColumnType<string | null, string | null | undefined, string | null>;
  source_task: ColumnType<string | null, string | null | undefined, string | null>;
  subject: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface DatasetVersions {
  organization: string;
  dataset_id: string;
  version: number;
  note: ColumnType<string, string | undefined, string>;
  added: number;
  replaced: number;
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
  digest: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface Datasets {
  organization: string;
  id: string;
  name: string;
  agent: string;
  skill: string;
  description: ColumnType<string, string | undefined, string>;
  tags: ColumnType<string[], string[] | undefined, string[]>;
  version: number;
  coverage: ColumnType<unknown, string, string>;
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface DeletedBases {
  organization: string;
  environment: string;
  id: string;
  name: string;
  readers: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  documents: number;
  chunks: number;
  deleted_by: string;
  deleted_at: Date;
  emptied_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface DeletedDocuments {
  organization: string;
  environment: string;
  id: string;
  base: string;
  digest: ColumnType<string | null, string | null | undefined, string | null>;
  chunks: number;
  deleted_by: string;
  deleted_at: Date;
  base_name: ColumnType<string, string | undefined, string>;
  readers: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  base_readers: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface Deliveries {
  organization: string;
  environment: string;
  webhook_id: string;
  id: string;
  event_id: string;
  sequence: ColumnType<number | null, number | null | undefined, number | null>;
  type: string;
  audit_id: ColumnType<string | null, string | null | undefined, string | null>;
  body: ColumnType<string | null, string | null | undefined, string | null>;
  state: ColumnType<"pending" | "delivered" | "failed" | "cancelled", "pending" | "delivered" | "failed" | "cancelled" | undefined, "pending" | "delivered" | "failed" | "cancelled">;
  attempts: ColumnType<number, number | undefined, number>;
  step: ColumnType<number, number | undefined, number>;
  next_at: Date;
  claimed_by: ColumnType<string | null, string | null | undefined, string | null>;
  last_status: ColumnType<number | null, number | null | undefined, number | null>;
  last_error: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Date;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface DeliveryAttempts {
  organization: string;
  environment: string;
  delivery_id: string;
  number: number;
  started_at: Date;
  latency_ms: ColumnType<number | null, number | null | undefined, number | null>;
  url: string;
  format: string;
  signature: string;
  status: ColumnType<number | null, number | null | undefined, number | null>;
  error: ColumnType<string | null, string | null | undefined, string | null>;
  detail: ColumnType<string | null, string | null | undefined, string | null>;
  excerpt: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface DeploymentLooks {
  organization: string;
  environment: string;
  deployment: string;
  look: number;
  judged: number;
  body: string;
  created_at: Date;
}

export interface Deployments {
  organization: string;
  environment: string;
  id: string;
  agent: string;
  version_number: number;
  state: "live" | "canary" | "shadow" | "replaced" | "ended";
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  kind: ColumnType<"deploy" | "rollback", "deploy" | "rollback" | undefined, "deploy" | "rollback">;
  note: ColumnType<string, string | undefined, string>;
  gate: ColumnType<string | null, string | null | undefined, string | null>;
  ended_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  ended_by: ColumnType<string | null, string | null | undefined, string | null>;
  ended_for: ColumnType<string | null, string | null | undefined, string | null>;
  abandoned: ColumnType<boolean, boolean | undefined, boolean>;
  labels: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  mode: ColumnType<"whole" | "canary" | "shadow", "whole" | "canary" | "shadow" | undefined, "whole" | "canary" | "shadow">;
  share: ColumnType<number | null, number | null | undefined, number | null>;
  rule: ColumnType<string | null, string | null | undefined, string | null>;
  stable: ColumnType<string | null, string | null | undefined, string | null>;
  stages: ColumnType<string | null, string | null | undefined, string | null>;
  outcome: ColumnType<"promoted" | "aborted" | "ended" | null, "promoted" | "aborted" | "ended" | null | undefined, "promoted" | "aborted" | "ended" | null>;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  revision: ColumnType<number, number | undefined, number>;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
  stopped_reason: ColumnType<string | null, string | null | undefined, string | null>;
  stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface DocumentFiles {
  organization: string;
  environment: string;
  document: string;
  version: number;
  part: number;
  data: Buffer;
}

export interface DocumentUsage {
  organization: string;
  environment: string;
  document: string;
  retrievals: number;
  last_retrieved_at: Date;
}

export interface DocumentVersions {
  organization: string;
  environment: string;
  document: string;
  version: number;
  title: string;
  text: ColumnType<string | null, string | null | undefined, string | null>;
  fields: ColumnType<unknown | null, string | null | undefined, string | null>;
  digest: ColumnType<string | null, string | null | undefined, string | null>;
  source: string;
  file_name: ColumnType<string | null, string | null | undefined, string | null>;
  media_type: ColumnType<string | null, string | null | undefined, string | null>;
  size: ColumnType<number | null, number | null | undefined, number | null>;
  file_digest: ColumnType<string | null, string | null | undefined, string | null>;
  url: ColumnType<string | null, string | null | undefined, string | null>;
  pages: ColumnType<number | null, number | null | undefined, number | null>;
  author: string;
  created_at: Date;
  replaced_at: Date;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface Documents {
  organization: string;
  environment: string;
  id: string;
  base: string;
  external_id: ColumnType<string | null, string | null | undefined, string | null>;
  fields: ColumnType<unknown | null, string | null | undefined, string | null>;
  created_at: ColumnType<Date, Date | undefined, Date>;
  title: ColumnType<string, string | undefined, string>;
  text: ColumnType<string | null, string | null | undefined, string | null>;
  digest: ColumnType<string | null, string | null | undefined, string | null>;
  author: ColumnType<string, string | undefined, string>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
  state: ColumnType<"queued" | "parsing" | "indexing" | "indexed" | "failed", "queued" | "parsing" | "indexing" | "indexed" | "failed" | undefined, "queued" | "parsing" | "indexing" | "indexed" | "failed">;
  progress: ColumnType<number, number | undefined, number>;
  error: ColumnType<unknown | null, string | null | undefined, string | null>;
  attempt: ColumnType<number, number | undefined, number>;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  version: ColumnType<number, number | undefined, number>;
  source: ColumnType<"text" | "file" | "url" | "connector", "text" | "file" | "url" | "connector" | undefined, "text" | "file" | "url" | "connector">;
  file_name: ColumnType<string | null, string | null | undefined, string | null>;
  media_type: ColumnType<string | null, string | null | undefined, string | null>;
  size: ColumnType<number | null, number | null | undefined, number | null>;
  file_digest: ColumnType<string | null, string | null | undefined, string | null>;
  url: ColumnType<string | null, string | null | undefined, string | null>;
  pages: ColumnType<number | null, number | null | undefined, number | null>;
  metadata: ColumnType<unknown, string | undefined, string>;
  readers: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  data_classes: ColumnType<string[], string[] | undefined, string[]>;
  review_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  parent: ColumnType<string | null, string | null | undefined, string | null>;
  connector: ColumnType<string | null, string | null | undefined, string | null>;
  reviewed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  reviewed_by: ColumnType<string | null, string | null | undefined, string | null>;
  pending: ColumnType<unknown | null, string | null | undefined, string | null>;
  row_counts: ColumnType<unknown | null, string | null | undefined, string | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
  language: ColumnType<string | null, string | null | undefined, string | null>;
  found_language: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface Effects {
  organization: string;
  environment: string;
  key: string;
  origin: string;
  action: string;
  asked: ColumnType<string | null, string | null | undefined, string | null>;
  tool: string;
  target: ColumnType<string | null, string | null | undefined, string | null>;
  outcome: "none" | "unknown" | "done" | "refused";
  before: "none" | "unknown" | "done" | "refused";
  closed: ColumnType<boolean, boolean | undefined, boolean>;
  task_id: string;
  step_id: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface EmbeddingQueue {
  organization: string;
  environment: string;
  base: string;
  place: number;
  error: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface EvaluationResults {
  organization: string;
  environment: string;
  run_id: string;
  item: string;
  repeat: number;
  output: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  scores: string;
  steps: number;
  tokens: number;
  cost_usd: number;
  ms: number;
  finished_at: ColumnType<Date, Date | undefined, Date>;
  signals: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface EvaluationRuns {
  organization: string;
  environment: string;
  id: string;
  agent: string;
  skill: string;
  version_id: string;
  version_number: number;
  dataset_id: string;
  dataset_name: string;
  dataset_version: number;
  scorers: ColumnType<unknown, string, string>;
  repeats: number;
  seed: number;
  total: number;
  budget_items: ColumnType<number | null, number | null | undefined, number | null>;
  budget_usd: ColumnType<number | null, number | null | undefined, number | null>;
  note: ColumnType<string, string | undefined, string>;
  state: ColumnType<"queued" | "running" | "completed" | "failed", "queued" | "running" | "completed" | "failed" | undefined, "queued" | "running" | "completed" | "failed">;
  look: ColumnType<number, number | undefined, number>;
  attempt: ColumnType<number, number | undefined, number>;
  tries: ColumnType<number, number | undefined, number>;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  stopped_by: ColumnType<"items" | "usd" | null, "items" | "usd" | null | undefined, "items" | "usd" | null>;
  whole: ColumnType<boolean, boolean | undefined, boolean>;
  quiet: ColumnType<boolean, boolean | undefined, boolean>;
  verdict: ColumnType<"open" | "failed" | "inconclusive" | null, "open" | "failed" | "inconclusive" | null | undefined, "open" | "failed" | "inconclusive" | null>;
  decision: ColumnType<string | null, string | null | undefined, string | null>;
  waits_for: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  principal: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  started_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  measured_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  announced: ColumnType<boolean, boolean | undefined, boolean>;
  result_ref: ColumnType<string | null, string | null | undefined, string | null>;
  result_seal: ColumnType<string | null, string | null | undefined, string | null>;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  faults: ColumnType<number, number | undefined, number>;
  fault: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface EventPositions {
  organization: string;
  environment: string;
  event_id: string;
  sequence: number;
  type: string;
  task_id: ColumnType<string | null, string | null | undefined, string | null>;
  audit_id: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface Events {
  organization: string;
  environment: string;
  id: string;
  xid: ColumnType<string, string | undefined, string>;
  n: number;
  type: string;
  task_id: ColumnType<string | null, string | null | undefined, string | null>;
  task_sequence: ColumnType<number | null, number | null | undefined, number | null>;
  audit_id: ColumnType<string | null, string | null | undefined, string | null>;
  body: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface FactEpochs {
  topic: string;
  epoch: ColumnType<number, number | undefined, number>;
}

export interface FormerChunks {
  organization: string;
  environment: string;
  base: string;
  document: string;
  version: number;
  generation: number;
  number: number;
  revision: number;
  title: string;
  text: string;
  kind: string;
  headings: string[];
  first_page: ColumnType<number | null, number | null | undefined, number | null>;
  last_page: ColumnType<number | null, number | null | undefined, number | null>;
  starts_at: ColumnType<number | null, number | null | undefined, number | null>;
  ends_at: ColumnType<number | null, number | null | undefined, number | null>;
  data_classes: string[];
  replaced_at: Date;
  disabled: ColumnType<boolean, boolean | undefined, boolean>;
  corrected_from: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface GateVerdicts {
  organization: string;
  environment: string;
  version_id: string;
  verdict: "open" | "failed" | "inconclusive";
  reasons: ColumnType<string[], string[] | undefined, string[]>;
  run_id: ColumnType<string | null, string | null | undefined, string | null>;
  decided_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
  agent: ColumnType<string | null, string | null | undefined, string | null>;
  gate_revision: ColumnType<number | null, number | null | undefined, number | null>;
  run_ids: ColumnType<string[], string[] | undefined, string[]>;
  decision: ColumnType<string | null, string | null | undefined, string | null>;
  against: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface Gates {
  organization: string;
  environment: string;
  agent: string;
  definition: ColumnType<unknown, string, string>;
  revision: ColumnType<number, number | undefined, number>;
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface IdempotencyKeys {
  organization: string;
  environment: string;
  id: string;
  hash: string;
  body_digest: string;
  status: number;
  answer: Buffer;
  headers: string;
}

export interface Installation {
  id: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface Invitations {
  organization: string;
  environment: "development" | "staging" | "production";
  id: string;
  token_hash: Buffer;
  member_id: string;
  created_at: Date;
  expires_at: Date;
  used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface Keys {
  organization: string;
  environment: "development" | "staging" | "production";
  id: string;
  secret_hash: Buffer;
  secret_start: string;
  secret_last_four: string;
  name: string;
  member_id: string;
  role: string;
  scopes: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  agents: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  addresses: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  rate_per_second: ColumnType<number | null, number | null | undefined, number | null>;
  created_by: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  revoked_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  issuers: ColumnType<string[], string[] | undefined, string[]>;
  expiry_told_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  personal: ColumnType<boolean, boolean | undefined, boolean>;
  personal_email: ColumnType<string | null, string | null | undefined, string | null>;
  replaced_by: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface KillSwitches {
  organization: string;
  environment: string;
  id: string;
  kind: "all" | "environment" | "agent" | "version" | "skill" | "tool" | "model" | "workflow";
  target: ColumnType<string | null, string | null | undefined, string | null>;
  mode: "pause" | "drain" | "stop";
  critical: boolean;
  reason: string;
  engaged_by: string;
  engaged_at: ColumnType<Date, Date | undefined, Date>;
  release_requested_by: ColumnType<string | null, string | null | undefined, string | null>;
  release_requested_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  release_requested_to: ColumnType<"pause" | "released" | null, "pause" | "released" | null | undefined, "pause" | "released" | null>;
  release_reason: ColumnType<string | null, string | null | undefined, string | null>;
  released_by: ColumnType<string | null, string | null | undefined, string | null>;
  released_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  release_requested_key: ColumnType<string | null, string | null | undefined, string | null>;
  release_requested_accountable: ColumnType<string[], string[] | undefined, string[]>;
  release_requested_personal: ColumnType<boolean, boolean | undefined, boolean>;
  release_requested_email: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface KnowledgeBases {
  organization: string;
  environment: string;
  id: string;
  name: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  description: ColumnType<string, string | undefined, string>;
  language: ColumnType<string, string | undefined, string>;
  author: ColumnType<string, string | undefined, string>;
  readers: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  settings: ColumnType<unknown, string | undefined, string>;
  review_days: ColumnType<number | null, number | null | undefined, number | null>;
  version_days: ColumnType<number | null, number | null | undefined, number | null>;
  revision: ColumnType<number, number | undefined, number>;
  generation: ColumnType<number, number | undefined, number>;
  next_generation: ColumnType<number | null, number | null | undefined, number | null>;
  next_language: ColumnType<string | null, string | null | undefined, string | null>;
  reindex_attempt: ColumnType<number, number | undefined, number>;
  reindex_lease: ColumnType<Date | null, Date | null | undefined, Date | null>;
  reindex_tries: ColumnType<number, number | undefined, number>;
  reindex_done: ColumnType<number, number | undefined, number>;
  reindex_total: ColumnType<number, number | undefined, number>;
  reindex_after: ColumnType<string, string | undefined, string>;
  reindex_generation: ColumnType<number | null, number | null | undefined, number | null>;
  embedding: ColumnType<unknown | null, string | null | undefined, string | null>;
  reranker: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface KnowledgeConnectors {
  organization: string;
  environment: string;
  id: string;
  base: string;
  name: string;
  kind: "folder" | "website" | "s3" | "postgres" | "feed" | "git" | "json-api";
  source: ColumnType<unknown, string, string>;
  connection: ColumnType<string | null, string | null | undefined, string | null>;
  credentials: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  schedule: ColumnType<string | null, string | null | undefined, string | null>;
  time_zone: ColumnType<string | null, string | null | undefined, string | null>;
  next_run_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  readers: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  keep_removed: ColumnType<boolean, boolean | undefined, boolean>;
  state: ColumnType<"active" | "paused" | "removing", "active" | "paused" | "removing" | undefined, "active" | "paused" | "removing">;
  failures: ColumnType<number, number | undefined, number>;
  memory: ColumnType<unknown | null, string | null | undefined, string | null>;
  revision: ColumnType<number, number | undefined, number>;
  author: string;
  created_at: Date;
  updated_at: Date;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  stopped_reason: ColumnType<string | null, string | null | undefined, string | null>;
  stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface KnowledgeItems {
  organization: string;
  environment: string;
  connector: string;
  item: string;
  fingerprint: string;
  detail: ColumnType<unknown | null, string | null | undefined, string | null>;
  document: string;
  seen_in: string;
}

export interface KnowledgeQuestions {
  organization: string;
  environment: string;
  id: string;
  base: string;
  query: string;
  asked_by: string;
  agent: ColumnType<string | null, string | null | undefined, string | null>;
  at: Date;
  best_score: number;
  coverage: number;
  answered: boolean;
  results: number;
  readers: ColumnType<unknown, string | undefined, string>;
  outcome: ColumnType<"answered" | "unsure" | "nothing", "answered" | "unsure" | "nothing" | undefined, "answered" | "unsure" | "nothing">;
  probability: ColumnType<number | null, number | null | undefined, number | null>;
  task: ColumnType<string | null, string | null | undefined, string | null>;
  rated: ColumnType<boolean | null, boolean | null | undefined, boolean | null>;
}

export interface KnowledgeSyncFailures {
  organization: string;
  environment: string;
  sync: string;
  item: string;
  code: string;
  detail: string;
}

export interface KnowledgeSyncs {
  organization: string;
  environment: string;
  id: string;
  base: string;
  connector: string;
  connector_name: string;
  trigger: "manual" | "schedule";
  author: string;
  confirm_removals: ColumnType<boolean, boolean | undefined, boolean>;
  state: ColumnType<"queued" | "running" | "completed" | "failed", "queued" | "running" | "completed" | "failed" | undefined, "queued" | "running" | "completed" | "failed">;
  attempt: ColumnType<number, number | undefined, number>;
  tries: ColumnType<number, number | undefined, number>;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  added: ColumnType<number, number | undefined, number>;
  changed: ColumnType<number, number | undefined, number>;
  removed: ColumnType<number, number | undefined, number>;
  unchanged: ColumnType<number, number | undefined, number>;
  partial: ColumnType<string | null, string | null | undefined, string | null>;
  error: ColumnType<unknown | null, string | null | undefined, string | null>;
  created_at: Date;
  started_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  faults: ColumnType<number, number | undefined, number>;
  fault: ColumnType<string | null, string | null | undefined, string | null>;
  left_out: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface LedgerEntries {
  organization: string;
  environment: string;
  id: string;
  at: Date;
  operation: string;
  object: ColumnType<string | null, string | null | undefined, string | null>;
  agent: ColumnType<string | null, string | null | undefined, string | null>;
  principal: string;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  task_id: ColumnType<string | null, string | null | undefined, string | null>;
  step_id: ColumnType<string | null, string | null | undefined, string | null>;
  reserved: number;
  spent: number;
  released: number;
  tokens: ColumnType<number, number | undefined, number>;
  price: ColumnType<string | null, string | null | undefined, string | null>;
  counted: ColumnType<boolean, boolean | undefined, boolean>;
}

export interface MarketplaceInstalls {
  organization: string;
  environment: string;
  id: string;
  listing_id: string;
  version: string;
  digest: string;
  suffix: string;
  agent: ColumnType<string | null, string | null | undefined, string | null>;
  state: "installing" | "installed" | "incomplete" | "removed";
  parts: string;
  consent: string;
  batch: ColumnType<string | null, string | null | undefined, string | null>;
  revision: ColumnType<number, number | undefined, number>;
  installed_by: string;
  created_at: Date;
  updated_at: Date;
}

export interface MarketplaceListings {
  organization: string;
  id: string;
  publisher_id: string;
  name: string;
  kind: "agent" | "workflow" | "tool_set" | "policy_pack" | "dataset" | "scorer";
  origin: "own" | "imported" | "starter";
  visibility: "private" | "public";
  business_function: ColumnType<string | null, string | null | undefined, string | null>;
  state: "submitted" | "approved" | "rejected" | "quarantined" | "recalled" | "withdrawn";
  shown: string;
  withdrawn_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  reviewed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  revision: ColumnType<number, number | undefined, number>;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

export interface MarketplacePublishers {
  organization: string;
  id: string;
  name: string;
  own: ColumnType<boolean, boolean | undefined, boolean>;
  publisher: string;
  key_id: string;
  pinned_key: ColumnType<string | null, string | null | undefined, string | null>;
  sealed_key: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  pinned_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  pinned_by: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Date;
}

export interface MarketplaceRatings {
  organization: string;
  listing_id: string;
  member: string;
  stars: number;
  body: ColumnType<string | null, string | null | undefined, string | null>;
  version: string;
  installed: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface MarketplaceRecalls {
  organization: string;
  id: string;
  kind: "quarantine" | "recall";
  listing_id: string;
  versions: string[];
  reason: string;
  by: string;
  at: Date;
  lifted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  done_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface MarketplaceReports {
  organization: string;
  id: string;
  listing_id: string;
  version: string;
  kind: "malicious" | "misleading" | "personal_data" | "copyright" | "broken" | "other";
  detail: string;
  reported_by: string;
  created_at: Date;
}

export interface MarketplaceStops {
  organization: string;
  environment: string;
  recall_id: string;
  install_id: string;
  kind: "agent" | "workflow" | "tool";
  target: string;
  kill_switch_id: string;
  at: Date;
}

export interface MarketplaceVersions {
  organization: string;
  listing_id: string;
  version: string;
  numbers: number[];
  digest: string;
  state: "submitted" | "approved" | "rejected" | "quarantined" | "recalled" | "withdrawn";
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  changes: ColumnType<string | null, string | null | undefined, string | null>;
  note: ColumnType<string | null, string | null | undefined, string | null>;
  manifest: string;
  permissions: string;
  permissions_digest: string;
  scorecard: ColumnType<string | null, string | null | undefined, string | null>;
  files: string;
  readme: ColumnType<string | null, string | null | undefined, string | null>;
  scan_counts: string;
  scan: string;
  scanned_at: Date;
  file: string;
  bytes: number;
  key_id: string;
  signed_at: Date;
  submitted_by: string;
  submitters: string;
  reviewed_by: ColumnType<string | null, string | null | undefined, string | null>;
  reviewed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  review_strict: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: Date;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface Members {
  organization: string;
  id: string;
  kind: "person" | "service_account";
  name: string;
  email: ColumnType<string | null, string | null | undefined, string | null>;
  roles: ColumnType<unknown, string, string>;
  created_at: ColumnType<Date, Date | undefined, Date>;
  removed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  invited_by: ColumnType<string | null, string | null | undefined, string | null>;
  invited_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface MissionDecisions {
  organization: string;
  environment: string;
  id: string;
  mission: string;
  kind: "question" | "failure" | "budget" | "deadline";
  question: string;
  options: ColumnType<unknown, string | undefined, string>;
  context: ColumnType<unknown, string | undefined, string>;
  blocks: ColumnType<boolean, boolean | undefined, boolean>;
  asked_by: ColumnType<string | null, string | null | undefined, string | null>;
  asked_at: Date;
  answer: ColumnType<string | null, string | null | undefined, string | null>;
  comment: ColumnType<string | null, string | null | undefined, string | null>;
  answered_by: ColumnType<string | null, string | null | undefined, string | null>;
  answered_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  withdrawn_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface MissionEvents {
  organization: string;
  environment: string;
  id: string;
  mission: string;
  kind: string;
  text: string;
  actor: ColumnType<string | null, string | null | undefined, string | null>;
  step: ColumnType<string | null, string | null | undefined, string | null>;
  run_id: ColumnType<string | null, string | null | undefined, string | null>;
  at: Date;
}

export interface MissionPlans {
  organization: string;
  environment: string;
  mission: string;
  number: number;
  plan: ColumnType<unknown, string, string>;
  origin: "template" | "model" | "person" | "replan";
  note: ColumnType<string, string | undefined, string>;
  author: string;
  created_at: Date;
  accepted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  accepted_by: ColumnType<string | null, string | null | undefined, string | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface MissionTemplates {
  organization: string;
  name: string;
  description: ColumnType<string, string | undefined, string>;
  mission: ColumnType<unknown, string, string>;
  steps: ColumnType<unknown, string, string>;
  author: string;
  created_at: Date;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface Missions {
  organization: string;
  environment: string;
  id: string;
  goal: string;
  measure: ColumnType<unknown, string, string>;
  agents: string[];
  budget_usd: number;
  budget_tasks: number;
  deadline: ColumnType<Date | null, Date | null | undefined, Date | null>;
  autonomy: "propose" | "approve_writes" | "within_limits";
  inputs: ColumnType<string, string | undefined, string>;
  labels: ColumnType<string[], string[] | undefined, string[]>;
  status: ColumnType<"draft" | "ready" | "running" | "paused" | "blocked" | "finished" | "completed" | "cancelled", "draft" | "ready" | "running" | "paused" | "blocked" | "finished" | "completed" | "cancelled" | undefined, "draft" | "ready" | "running" | "paused" | "blocked" | "finished" | "completed" | "cancelled">;
  plan_number: ColumnType<number | null, number | null | undefined, number | null>;
  run_id: ColumnType<string | null, string | null | undefined, string | null>;
  replans: ColumnType<number, number | undefined, number>;
  outcome: ColumnType<unknown | null, string | null | undefined, string | null>;
  cloned_from: ColumnType<string | null, string | null | undefined, string | null>;
  revision: ColumnType<number, number | undefined, number>;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  started_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface Organizations {
  organization: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface PartitionedTables {
  parent: string;
  id_prefix: string;
}

export interface Passkeys {
  organization: string;
  id: string;
  member_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  voided_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface Policies {
  organization: string;
  environment: string;
  id: string;
  version: number;
  state: "draft" | "shadow" | "active" | "retired";
  definition: ColumnType<unknown, string, string>;
  effective_from: ColumnType<Date | null, Date | null | undefined, Date | null>;
  effective_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  name: ColumnType<string, string | undefined, string>;
  note: ColumnType<string, string | undefined, string>;
  report: ColumnType<string | null, string | null | undefined, string | null>;
  report_digest: ColumnType<string | null, string | null | undefined, string | null>;
  activated_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  retired_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  retired_by: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface ProviderAccounts {
  organization: string;
  issuer: string;
  subject: string;
  member_id: string;
  created_at: Date;
  voided_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface ReviewMonitors {
  organization: string;
  environment: string;
  id: string;
  agent: string;
  skill: ColumnType<string | null, string | null | undefined, string | null>;
  share: number;
  double_review_share: number;
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  drawn_to: number;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  stopped_reason: ColumnType<string | null, string | null | undefined, string | null>;
  stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface RuleChanges {
  organization: string;
  environment: string;
  id: string;
  object: string;
  text: string;
  changed_by: string;
  accountable: string[];
}

export interface SchemaMigrations {
  name: string;
  checksum: string;
  applied_at: ColumnType<Date, Date | undefined, Date>;
}

export interface Scorers {
  organization: string;
  name: string;
  version: number;
  definition: ColumnType<unknown, string, string>;
  description: ColumnType<string, string | undefined, string>;
  samples: ColumnType<unknown, string, string>;
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface Secrets {
  name: string;
  ciphertext: Buffer;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface Sessions {
  organization: string;
  environment: "development" | "staging" | "production";
  id: string;
  secret_hash: Buffer;
  csrf: string;
  member_id: string;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  method: "key" | "link" | "oidc" | "passkey";
  created_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
  ended_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  passkey_id: ColumnType<string | null, string | null | undefined, string | null>;
  address: ColumnType<string | null, string | null | undefined, string | null>;
  user_agent: ColumnType<string | null, string | null | undefined, string | null>;
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface Settings {
  organization: string;
  environment: string;
  settings: ColumnType<unknown, string | undefined, string>;
  revision: ColumnType<number, number | undefined, number>;
  author: string;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface ShadowRuns {
  organization: string;
  environment: string;
  id: string;
  deployment_id: string;
  agent: string;
  task_id: string;
  skill: string;
  version_id: string;
  state: ColumnType<"queued" | "running" | "compared" | "skipped", "queued" | "running" | "compared" | "skipped" | undefined, "queued" | "running" | "compared" | "skipped">;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  tries: ColumnType<number, number | undefined, number>;
  live: ColumnType<string | null, string | null | undefined, string | null>;
  shadow: ColumnType<string | null, string | null | undefined, string | null>;
  comparison: ColumnType<string | null, string | null | undefined, string | null>;
  same: ColumnType<boolean | null, boolean | null | undefined, boolean | null>;
  live_cost_usd: ColumnType<number, number | undefined, number>;
  cost_usd: ColumnType<number, number | undefined, number>;
  live_ms: ColumnType<number, number | undefined, number>;
  ms: ColumnType<number, number | undefined, number>;
  created_at: Date;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  faults: ColumnType<number, number | undefined, number>;
  fault: ColumnType<string | null, string | null | undefined, string | null>;
  attempt: ColumnType<number, number | undefined, number>;
}

export interface SignInLinks {
  organization: string;
  environment: "development" | "staging" | "production";
  id: string;
  token_hash: Buffer;
  member_id: string;
  created_by: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
  used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface SkillModels {
  organization: string;
  version_id: string;
  skill: string;
  digest: string;
  artifact: Buffer;
  report: ColumnType<unknown, string, string>;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface SkillPrints {
  organization: string;
  version_id: string;
  skill: string;
  agent: string;
  number: number;
  model: string;
  behaviour: string;
}

export interface Steps {
  organization: string;
  environment: string;
  id: string;
  task_id: string;
  attempt: number;
  number: number;
  kind: "model" | "tool";
  name: string;
  state: "started" | "finished" | "failed" | "unknown";
  input: string;
  output: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  verdict: ColumnType<string | null, string | null | undefined, string | null>;
  cost_usd: ColumnType<number, number | undefined, number>;
  started_at: ColumnType<Date, Date | undefined, Date>;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  tokens: ColumnType<number, number | undefined, number>;
  edit_approval_id: ColumnType<string | null, string | null | undefined, string | null>;
  action: ColumnType<string | null, string | null | undefined, string | null>;
  asked: ColumnType<string | null, string | null | undefined, string | null>;
  reused_from: ColumnType<string | null, string | null | undefined, string | null>;
  seal: ColumnType<string | null, string | null | undefined, string | null>;
  read: ColumnType<unknown | null, string | null | undefined, string | null>;
  effect: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface TaskComments {
  organization: string;
  environment: string;
  task_id: string;
  id: string;
  text: string;
  for_agent: boolean;
  author: string;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
  audit_ref: string;
  created_at: Date;
}

export interface TaskFeedback {
  organization: string;
  environment: string;
  task_id: string;
  id: string;
  agent: string;
  skill: string;
  version_id: string;
  accepted: ColumnType<boolean | null, boolean | null | undefined, boolean | null>;
  rating: ColumnType<number | null, number | null | undefined, number | null>;
  correction: ColumnType<string | null, string | null | undefined, string | null>;
  comment: ColumnType<string | null, string | null | undefined, string | null>;
  trains: boolean;
  outcome: number;
  author: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface TaskRedactions {
  organization: string;
  environment: string;
  task_id: string;
  placeholder: string;
  value: Buffer;
}

export interface TaskReviewVerdicts {
  organization: string;
  environment: string;
  review_id: string;
  reviewer: string;
  accountable: string[];
  accepted: boolean;
  comment: ColumnType<string | null, string | null | undefined, string | null>;
  submitted_at: ColumnType<Date, Date | undefined, Date>;
}

export interface TaskReviews {
  organization: string;
  environment: string;
  id: string;
  monitor_id: string;
  task_id: string;
  agent: string;
  skill: string;
  verdicts_required: number;
  open: ColumnType<boolean, boolean | undefined, boolean>;
  sampled_at: ColumnType<Date, Date | undefined, Date>;
}

export interface Tasks {
  organization: string;
  environment: string;
  id: string;
  agent: string;
  version_id: string;
  version_number: number;
  skill: string;
  status: ColumnType<"queued" | "awaiting_approval" | "running" | "input_required" | "completed" | "failed" | "rejected" | "expired" | "blocked" | "cancelled", "queued" | "awaiting_approval" | "running" | "input_required" | "completed" | "failed" | "rejected" | "expired" | "blocked" | "cancelled" | undefined, "queued" | "awaiting_approval" | "running" | "input_required" | "completed" | "failed" | "rejected" | "expired" | "blocked" | "cancelled">;
  input: string;
  require_approval: ColumnType<boolean, boolean | undefined, boolean>;
  priority: ColumnType<number, number | undefined, number>;
  deadline: ColumnType<Date | null, Date | null | undefined, Date | null>;
  labels: ColumnType<string[], string[] | undefined, string[]>;
  tags: ColumnType<string[], string[] | undefined, string[]>;
  trust_score: number;
  trust: string;
  risk_level: string;
  risk: string;
  audit_ref: string;
  approval_id: ColumnType<string | null, string | null | undefined, string | null>;
  principal: string;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  subject: string;
  attempt: ColumnType<number, number | undefined, number>;
  event_count: number;
  lease_owner: ColumnType<string | null, string | null | undefined, string | null>;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  cancel_requested_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  output: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  cost_usd: ColumnType<number, number | undefined, number>;
  idempotency_hash: ColumnType<string | null, string | null | undefined, string | null>;
  request_digest: ColumnType<string | null, string | null | undefined, string | null>;
  answer: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: ColumnType<Date, Date | undefined, Date>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
  started_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  not_before: ColumnType<Date | null, Date | null | undefined, Date | null>;
  batch_id: ColumnType<string | null, string | null | undefined, string | null>;
  run_limits: ColumnType<string | null, string | null | undefined, string | null>;
  kill_switch_id: ColumnType<string | null, string | null | undefined, string | null>;
  tokens: ColumnType<number, number | undefined, number>;
  question: ColumnType<string | null, string | null | undefined, string | null>;
  run_approval_id: ColumnType<string | null, string | null | undefined, string | null>;
  call_approval: ColumnType<boolean, boolean | undefined, boolean>;
  claimed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  ran_ms: ColumnType<number, number | undefined, number>;
  retry_step: ColumnType<number | null, number | null | undefined, number | null>;
  retried_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  attempts_before: ColumnType<number, number | undefined, number>;
  tokens_before: ColumnType<number, number | undefined, number>;
  cost_before_usd: ColumnType<number, number | undefined, number>;
  traceparent: ColumnType<string | null, string | null | undefined, string | null>;
  result_ref: ColumnType<string | null, string | null | undefined, string | null>;
  result_seal: ColumnType<string | null, string | null | undefined, string | null>;
  predictions: ColumnType<string | null, string | null | undefined, string | null>;
  title: ColumnType<string | null, string | null | undefined, string | null>;
  run_id: ColumnType<string | null, string | null | undefined, string | null>;
  run_step: ColumnType<string | null, string | null | undefined, string | null>;
  run_workflow: ColumnType<string | null, string | null | undefined, string | null>;
  covered_by: ColumnType<string | null, string | null | undefined, string | null>;
  run_key: ColumnType<string | null, string | null | undefined, string | null>;
  conversation: ColumnType<string | null, string | null | undefined, string | null>;
  experiment: ColumnType<string | null, string | null | undefined, string | null>;
  sticky: ColumnType<string | null, string | null | undefined, string | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
  run_again: ColumnType<boolean, boolean | undefined, boolean>;
  paused_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  paused_by: ColumnType<string | null, string | null | undefined, string | null>;
  pause_reason: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface Teams {
  organization: string;
  environment: string;
  name: string;
  title: string;
  members: ColumnType<string[], string[] | undefined, string[]>;
  settings: ColumnType<unknown, string, string>;
  revision: ColumnType<number, number | undefined, number>;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

export interface TrainingJobs {
  organization: string;
  environment: string;
  id: string;
  agent: string;
  skill: string;
  base_version_id: string;
  base_number: number;
  method: "model" | "demonstrations";
  request: string;
  examples: string;
  state: ColumnType<"queued" | "running" | "completed" | "failed" | "cancelled", "queued" | "running" | "completed" | "failed" | "cancelled" | undefined, "queued" | "running" | "completed" | "failed" | "cancelled">;
  phase: ColumnType<string, string | undefined, string>;
  progress: ColumnType<number, number | undefined, number>;
  attempt: ColumnType<number, number | undefined, number>;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  artifact: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  artifact_digest: ColumnType<string | null, string | null | undefined, string | null>;
  report: ColumnType<string | null, string | null | undefined, string | null>;
  version_id: ColumnType<string | null, string | null | undefined, string | null>;
  version_number: ColumnType<number | null, number | null | undefined, number | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  note: string;
  principal: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  faults: ColumnType<number, number | undefined, number>;
  fault: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface TrainingResults {
  organization: string;
  environment: string;
  job_id: string;
  version_id: string;
  item: number;
  correct: number;
  cost_usd: number;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface TrustDays {
  organization: string;
  environment: string;
  agent: string;
  skill: string;
  version_id: string;
  day: string;
  score: number;
  low: number;
  high: number;
  labels: number;
}

export interface TrustFits {
  organization: string;
  environment: string;
  agent: string;
  skill: string;
  version_id: string;
  digest: string;
  basis: "trained" | "told" | "none";
  fit: string;
  reliability: string;
  current: boolean;
  fitted_at: ColumnType<Date, Date | undefined, Date>;
}

export interface TrustJudgements {
  organization: string;
  environment: string;
  agent: string;
  skill: string;
  id: string;
  version_id: string;
  source: "evaluation" | "approval" | "run" | "feedback" | "review";
  origin: "evaluation" | "random" | "volunteered";
  outcome: number;
  weight: ColumnType<number, number | undefined, number>;
  signals: ColumnType<string, string | undefined, string>;
  observed_at: Date;
  judged_at: ColumnType<Date, Date | undefined, Date>;
  experiment: ColumnType<string | null, string | null | undefined, string | null>;
  sticky: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface TrustRefits {
  organization: string;
  environment: string;
  n: ColumnType<number, number | undefined, number>;
  agent: string;
  skill: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

export interface UsedChallenges {
  hash: Buffer;
  expires_at: Date;
}

export interface Violations {
  organization: string;
  environment: string;
  id: string;
  source: string;
  source_version: ColumnType<number | null, number | null | undefined, number | null>;
  kind: "blocked" | "would_block" | "would_wait" | "warned";
  reason_code: string;
  message: string;
  operation: string;
  action: string;
  agent: ColumnType<string | null, string | null | undefined, string | null>;
  task_id: ColumnType<string | null, string | null | undefined, string | null>;
  principal: string;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  status: ColumnType<"open" | "resolved", "open" | "resolved" | undefined, "open" | "resolved">;
  owner: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface WebhookCursors {
  organization: string;
  environment: string;
  sequence: number;
}

export interface WebhookHealth {
  organization: string;
  environment: string;
  webhook_id: string;
  last_success_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  failing_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_failure_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_status: ColumnType<number | null, number | null | undefined, number | null>;
  last_error: ColumnType<string | null, string | null | undefined, string | null>;
  paced_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface Webhooks {
  organization: string;
  environment: "development" | "staging" | "production";
  id: string;
  url: string;
  description: ColumnType<string, string | undefined, string>;
  events: string[];
  agents: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  risks: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  format: "flat" | "standard" | "cloudevents";
  rate_per_second: ColumnType<number | null, number | null | undefined, number | null>;
  withheld: ColumnType<string[], string[] | undefined, string[]>;
  state: ColumnType<"enabled" | "paused" | "disabled", "enabled" | "paused" | "disabled" | undefined, "enabled" | "paused" | "disabled">;
  state_since: Date;
  disabled_reason: ColumnType<"gone" | "failing" | "stopped" | null, "gone" | "failing" | "stopped" | null | undefined, "gone" | "failing" | "stopped" | null>;
  missed_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
  secret: Buffer;
  starts_after: number;
  recover_after: ColumnType<number | null, number | null | undefined, number | null>;
  recover_to: ColumnType<number | null, number | null | undefined, number | null>;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  removed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  previous_secrets: ColumnType<Buffer[], Buffer[] | undefined, Buffer[]>;
  previous_untils: ColumnType<Date[], Date[] | undefined, Date[]>;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  stopped_reason: ColumnType<string | null, string | null | undefined, string | null>;
  stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  sight: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  sight_of: ColumnType<string, string | undefined, string>;
  forgotten_before: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface WorkerGaps {
  started_at: Date;
  ended_at: Date;
}

export interface WorkerPools {
  id: string;
  beats: number;
}

export interface WorkerPresence {
  one: ColumnType<boolean, boolean | undefined, boolean>;
  alive_at: Date;
}

export interface WorkflowAttempts {
  organization: string;
  environment: string;
  run_id: string;
  step: string;
  attempt: number;
  status: string;
  task_id: ColumnType<string | null, string | null | undefined, string | null>;
  child_run: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  started_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface WorkflowDeadLetters {
  organization: string;
  environment: string;
  run_id: string;
  workflow: string;
  reason: string;
  at: Date;
  settled_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  settled_by: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface WorkflowEventHeads {
  organization: string;
  environment: string;
  sequence: number;
}

export interface WorkflowFirings {
  organization: string;
  environment: string;
  trigger_id: string;
  occasion: string;
  workflow: string;
  at: Date;
  event: ColumnType<string | null, string | null | undefined, string | null>;
  not_before: Date;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface WorkflowHookCalls {
  organization: string;
  environment: string;
  hook: string;
  webhook_id: string;
  audit_ref: string;
  at: Date;
}

export interface WorkflowHooks {
  organization: string;
  environment: string;
  name: string;
  description: ColumnType<string, string | undefined, string>;
  secret: Buffer;
  previous_secrets: ColumnType<Buffer[], Buffer[] | undefined, Buffer[]>;
  previous_untils: ColumnType<Date[], Date[] | undefined, Date[]>;
  author: string;
  created_at: Date;
  updated_at: Date;
  secret_deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
  previous_deciders: ColumnType<unknown, string | undefined, string>;
}

export interface WorkflowItems {
  organization: string;
  environment: string;
  run_id: string;
  step: string;
  attempt: number;
  number: number;
  item: string;
  status: ColumnType<string, string | undefined, string>;
  task_id: ColumnType<string | null, string | null | undefined, string | null>;
  child_run: ColumnType<string | null, string | null | undefined, string | null>;
  output: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  cost_usd: ColumnType<number | null, number | null | undefined, number | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface WorkflowPauses {
  organization: string;
  environment: string;
  workflow: string;
  reason: ColumnType<string, string | undefined, string>;
  author: string;
  created_at: Date;
}

export interface WorkflowReleases {
  organization: string;
  environment: string;
  id: string;
  workflow: string;
  version_number: number;
  kind: "publish" | "rollback";
  note: ColumnType<string, string | undefined, string>;
  author: string;
  created_at: Date;
  ended_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface WorkflowRuns {
  organization: string;
  environment: string;
  id: string;
  workflow: string;
  version_number: number;
  version_id: string;
  status: "queued" | "running" | "waiting" | "paused" | "compensating" | "compensated" | "compensation_failed" | "completed" | "failed" | "cancelled";
  input: string;
  output: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  event: ColumnType<string | null, string | null | undefined, string | null>;
  trigger: "manual" | "schedule" | "event" | "hook" | "workflow" | "mission" | "retry";
  trigger_id: ColumnType<string | null, string | null | undefined, string | null>;
  business_key: ColumnType<string | null, string | null | undefined, string | null>;
  concurrency_key: ColumnType<string | null, string | null | undefined, string | null>;
  parent_run: ColumnType<string | null, string | null | undefined, string | null>;
  parent_step: ColumnType<string | null, string | null | undefined, string | null>;
  depth: ColumnType<number, number | undefined, number>;
  cost_limit_usd: ColumnType<number | null, number | null | undefined, number | null>;
  mission: ColumnType<string | null, string | null | undefined, string | null>;
  principal: string;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  audit_ref: string;
  labels: ColumnType<string[], string[] | undefined, string[]>;
  journal: ColumnType<string, string | undefined, string>;
  intervention: ColumnType<string | null, string | null | undefined, string | null>;
  revision: ColumnType<number, number | undefined, number>;
  cost_usd: ColumnType<number, number | undefined, number>;
  tokens: ColumnType<number, number | undefined, number>;
  wake_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  created_at: Date;
  started_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  updated_at: Date;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  idempotency_hash: ColumnType<string | null, string | null | undefined, string | null>;
  traceparent: ColumnType<string | null, string | null | undefined, string | null>;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  input_deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
  event_deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
  output_deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
  origin: ColumnType<string | null, string | null | undefined, string | null>;
  cause_task: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface WorkflowSteps {
  organization: string;
  environment: string;
  run_id: string;
  step: string;
  kind: string;
  status: string;
  attempt: number;
  changed_as: number;
  action: ColumnType<string | null, string | null | undefined, string | null>;
  output: ColumnType<string | null, string | null | undefined, string | null>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  task_id: ColumnType<string | null, string | null | undefined, string | null>;
  child_run: ColumnType<string | null, string | null | undefined, string | null>;
  trust_score: ColumnType<number | null, number | null | undefined, number | null>;
  trust_low: ColumnType<number | null, number | null | undefined, number | null>;
  cost_usd: ColumnType<number | null, number | null | undefined, number | null>;
  completed_as: ColumnType<number | null, number | null | undefined, number | null>;
  tolerated: ColumnType<boolean, boolean | undefined, boolean>;
  timed_out: ColumnType<boolean, boolean | undefined, boolean>;
  undo: ColumnType<"running" | "done" | "failed" | null, "running" | "done" | "failed" | null | undefined, "running" | "done" | "failed" | null>;
  undo_task: ColumnType<string | null, string | null | undefined, string | null>;
  undo_action: ColumnType<string | null, string | null | undefined, string | null>;
  refusal: ColumnType<string | null, string | null | undefined, string | null>;
  attempts_before: ColumnType<number, number | undefined, number>;
  edited: ColumnType<string | null, string | null | undefined, string | null>;
  held: ColumnType<string | null, string | null | undefined, string | null>;
  taken_back: ColumnType<boolean, boolean | undefined, boolean>;
  items: ColumnType<number | null, number | null | undefined, number | null>;
  items_begun: ColumnType<number, number | undefined, number>;
  items_completed: ColumnType<number, number | undefined, number>;
  items_failed: ColumnType<number, number | undefined, number>;
  items_cost_usd: ColumnType<number, number | undefined, number>;
  result: ColumnType<string | null, string | null | undefined, string | null>;
  wake_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  started_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface WorkflowTriggers {
  organization: string;
  environment: string;
  id: string;
  workflow: string;
  kind: "schedule" | "event" | "hook";
  definition: ColumnType<unknown, string, string>;
  origin: "version" | "added";
  event_type: ColumnType<string | null, string | null | undefined, string | null>;
  hook: ColumnType<string | null, string | null | undefined, string | null>;
  next_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_run: ColumnType<string | null, string | null | undefined, string | null>;
  last_error: ColumnType<string | null, string | null | undefined, string | null>;
  last_error_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  principal: string;
  created_at: Date;
  actor: ColumnType<unknown | null, string | null | undefined, string | null>;
  stopped_reason: ColumnType<string | null, string | null | undefined, string | null>;
  stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface WorkflowVersions {
  organization: string;
  workflow: string;
  number: number;
  id: string;
  definition: ColumnType<unknown, string, string>;
  source: ColumnType<string | null, string | null | undefined, string | null>;
  digest: string;
  note: ColumnType<string, string | undefined, string>;
  pinned: ColumnType<unknown, string | undefined, string>;
  agents: ColumnType<string[], string[] | undefined, string[]>;
  author: string;
  created_at: Date;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface WorkflowWaits {
  organization: string;
  environment: string;
  event_type: string;
  run_id: string;
  step: string;
  attempt: number;
  since: Date;
  looked: ColumnType<number, number | undefined, number>;
  behind: ColumnType<boolean, boolean | undefined, boolean>;
  matched: ColumnType<number | null, number | null | undefined, number | null>;
  body: ColumnType<string | null, string | null | undefined, string | null>;
  deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

export interface Workflows {
  organization: string;
  name: string;
  description: ColumnType<string, string | undefined, string>;
  owner: string;
  draft: ColumnType<unknown, string, string>;
  source: ColumnType<string | null, string | null | undefined, string | null>;
  agents: ColumnType<string[], string[] | undefined, string[]>;
  hidden: ColumnType<boolean, boolean | undefined, boolean>;
  revision: ColumnType<number, number | undefined, number>;
  created_at: Date;
  updated_at: Date;
  updated_by: string;
  archived_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  archived_by: ColumnType<string | null, string | null | undefined, string | null>;
  archived_for: ColumnType<string | null, string | null | undefined, string | null>;
  draft_deciders: ColumnType<unknown | null, string | null | undefined, string | null>;
}

/** Every table by its name. */
export interface Tables {
  agent_pauses: AgentPauses;
  agent_schedule_runs: AgentScheduleRuns;
  agent_schedules: AgentSchedules;
  agent_versions: AgentVersions;
  agents: Agents;
  analytics_alert_changes: AnalyticsAlertChanges;
  analytics_alerts: AnalyticsAlerts;
  analytics_blocks: AnalyticsBlocks;
  analytics_facts: AnalyticsFacts;
  analytics_issues: AnalyticsIssues;
  analytics_pending: AnalyticsPending;
  analytics_rebuilds: AnalyticsRebuilds;
  analytics_reports: AnalyticsReports;
  analytics_unmerged: AnalyticsUnmerged;
  analytics_values: AnalyticsValues;
  approval_absences: ApprovalAbsences;
  approval_activity: ApprovalActivity;
  approval_comments: ApprovalComments;
  approval_delegations: ApprovalDelegations;
  approval_rule_versions: ApprovalRuleVersions;
  approval_rules: ApprovalRules;
  approval_votes: ApprovalVotes;
  approvals: Approvals;
  audit_closed_logs: AuditClosedLogs;
  audit_erasures: AuditErasures;
  audit_export_parts: AuditExportParts;
  audit_exports: AuditExports;
  audit_key_counters: AuditKeyCounters;
  audit_leaves: AuditLeaves;
  audit_logs: AuditLogs;
  audit_records: AuditRecords;
  audit_refused_records: AuditRefusedRecords;
  audit_salts: AuditSalts;
  audit_sinks: AuditSinks;
  audit_stops: AuditStops;
  audit_tiles: AuditTiles;
  audit_witnesses: AuditWitnesses;
  audit_word_places: AuditWordPlaces;
  audit_words: AuditWords;
  base_embeddings: BaseEmbeddings;
  budget_grants: BudgetGrants;
  budget_use: BudgetUse;
  budgets: Budgets;
  chat_channel_messages: ChatChannelMessages;
  chat_channels: ChatChannels;
  chat_conversations: ChatConversations;
  chat_deliveries: ChatDeliveries;
  chat_events: ChatEvents;
  chat_files: ChatFiles;
  chat_handovers: ChatHandovers;
  chat_memories: ChatMemories;
  chat_messages: ChatMessages;
  chat_notes: ChatNotes;
  chat_threads: ChatThreads;
  chat_turns: ChatTurns;
  chunk_indexes: ChunkIndexes;
  chunk_postings: ChunkPostings;
  chunk_terms: ChunkTerms;
  chunk_vectors: ChunkVectors;
  chunks: Chunks;
  confirmations: Confirmations;
  connections: Connections;
  dataset_items: DatasetItems;
  dataset_versions: DatasetVersions;
  datasets: Datasets;
  deleted_bases: DeletedBases;
  deleted_documents: DeletedDocuments;
  deliveries: Deliveries;
  delivery_attempts: DeliveryAttempts;
  deployment_looks: DeploymentLooks;
  deployments: Deployments;
  document_files: DocumentFiles;
  document_usage: DocumentUsage;
  document_versions: DocumentVersions;
  documents: Documents;
  effects: Effects;
  embedding_queue: EmbeddingQueue;
  evaluation_results: EvaluationResults;
  evaluation_runs: EvaluationRuns;
  event_positions: EventPositions;
  events: Events;
  fact_epochs: FactEpochs;
  former_chunks: FormerChunks;
  gate_verdicts: GateVerdicts;
  gates: Gates;
  idempotency_keys: IdempotencyKeys;
  installation: Installation;
  invitations: Invitations;
  keys: Keys;
  kill_switches: KillSwitches;
  knowledge_bases: KnowledgeBases;
  knowledge_connectors: KnowledgeConnectors;
  knowledge_items: KnowledgeItems;
  knowledge_questions: KnowledgeQuestions;
  knowledge_sync_failures: KnowledgeSyncFailures;
  knowledge_syncs: KnowledgeSyncs;
  ledger_entries: LedgerEntries;
  marketplace_installs: MarketplaceInstalls;
  marketplace_listings: MarketplaceListings;
  marketplace_publishers: MarketplacePublishers;
  marketplace_ratings: MarketplaceRatings;
  marketplace_recalls: MarketplaceRecalls;
  marketplace_reports: MarketplaceReports;
  marketplace_stops: MarketplaceStops;
  marketplace_versions: MarketplaceVersions;
  members: Members;
  mission_decisions: MissionDecisions;
  mission_events: MissionEvents;
  mission_plans: MissionPlans;
  mission_templates: MissionTemplates;
  missions: Missions;
  organizations: Organizations;
  partitioned_tables: PartitionedTables;
  passkeys: Passkeys;
  policies: Policies;
  provider_accounts: ProviderAccounts;
  review_monitors: ReviewMonitors;
  rule_changes: RuleChanges;
  schema_migrations: SchemaMigrations;
  scorers: Scorers;
  secrets: Secrets;
  sessions: Sessions;
  settings: Settings;
  shadow_runs: ShadowRuns;
  sign_in_links: SignInLinks;
  skill_models: SkillModels;
  skill_prints: SkillPrints;
  steps: Steps;
  task_comments: TaskComments;
  task_feedback: TaskFeedback;
  task_redactions: TaskRedactions;
  task_review_verdicts: TaskReviewVerdicts;
  task_reviews: TaskReviews;
  tasks: Tasks;
  teams: Teams;
  training_jobs: TrainingJobs;
  training_results: TrainingResults;
  trust_days: TrustDays;
  trust_fits: TrustFits;
  trust_judgements: TrustJudgements;
  trust_refits: TrustRefits;
  used_challenges: UsedChallenges;
  violations: Violations;
  webhook_cursors: WebhookCursors;
  webhook_health: WebhookHealth;
  webhooks: Webhooks;
  worker_gaps: WorkerGaps;
  worker_pools: WorkerPools;
  worker_presence: WorkerPresence;
  workflow_attempts: WorkflowAttempts;
  workflow_dead_letters: WorkflowDeadLetters;
  workflow_event_heads: WorkflowEventHeads;
  workflow_firings: WorkflowFirings;
  workflow_hook_calls: WorkflowHookCalls;
  workflow_hooks: WorkflowHooks;
  workflow_items: WorkflowItems;
  workflow_pauses: WorkflowPauses;
  workflow_releases: WorkflowReleases;
  workflow_runs: WorkflowRuns;
  workflow_steps: WorkflowSteps;
  workflow_triggers: WorkflowTriggers;
  workflow_versions: WorkflowVersions;
  workflow_waits: WorkflowWaits;
  workflows: Workflows;
}

/** Tables that all environments of an organization share: they have no column for the environment. */
export const sharedByEnvironments: ReadonlySet<string> = new Set([
  "agent_versions",
  "agents",
  "dataset_items",
  "dataset_versions",
  "datasets",
  "marketplace_listings",
  "marketplace_publishers",
  "marketplace_ratings",
  "marketplace_recalls",
  "marketplace_reports",
  "marketplace_versions",
  "members",
  "mission_templates",
  "organizations",
  "passkeys",
  "provider_accounts",
  "scorers",
  "skill_models",
  "skill_prints",
  "workflow_versions",
  "workflows",
]);
