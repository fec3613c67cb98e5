import type { TaskState } from "./schemas.ts";

/** A task as it is stored. */
export interface TaskRow {
  id: string;
  agent: string;
  version_id: string;
  version_number: number;
  skill: string;
  /** What it is about; null: its skill has no template for that. */
  title: string | null;
  status: TaskState;
  input: string;
  require_approval: boolean;
  priority: number;
  deadline: Date | null;
  labels: string[];
  tags: string[];
  trust_score: number;
  trust: string;
  risk_level: string;
  risk: string;
  audit_ref: string;
  approval_id: string | null;
  principal: string;
  /** The key of its dispatch; null: the service itself made it. */
  key_id: string | null;
  subject: string;
  attempt: number;
  event_count: number;
  lease_owner: string | null;
  lease_until: Date | null;
  cancel_requested_at: Date | null;
  output: string | null;
  /** JSON of what the model held possible for fields of the output; null: it did not say. */
  predictions: string | null;
  failure: string | null;
  cost_usd: number;
  /** Of the models that it asked, as far as they told. */
  tokens: number;
  /** It is not started earlier; null: at once. */
  not_before: Date | null;
  /** The batch that it came with, `bat_…`. */
  batch_id: string | null;
  /** JSON of the limits that policies set to this run (`RunLimits`); null where none does. */
  run_limits: string | null;
  /** The stop that ended it, `ksw_…`. */
  kill_switch_id: string | null;
  /** JSON of what its run waits to be told (`Asked`); null: nothing. */
  question: string | null;
  /** The approval of the task as a whole, while `approval_id` is that of one of its calls. */
  run_approval_id: string | null;
  /** `approval_id` is that of one call of a tool. */
  call_approval: boolean;
  /** How long earlier claims of the present run ran, in milliseconds. */
  ran_ms: number;
  /** As it was tried again: what it had used before. */
  attempts_before: number;
  tokens_before: number;
  cost_before_usd: number;
  /** From which step on its run is made, because it was tried again there; null: from the first. */
  retry_step: number | null;
  /** The record of the call that ended it, `aud_…`, and the seal over what it ended with (`result.ts`); null: it has not ended. */
  result_ref: string | null;
  result_seal: string | null;
  updated_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}
