import type { InboxSource } from "../../kernel/inbox.ts";

/** Questions of tasks, those of conversations too. */
export const taskQuestions: InboxSource = {
  kind: "question",
  reads: "tasks:read",
  acts: "tasks:write",
  sql: `select t.id, coalesce(t.title, t.skill), t.question::json ->> 'text', t.agent, t.risk_level, coalesce((t.question::json ->> 'asked_at')::timestamptz, t.updated_at),
      t.deadline, t.id, t.run_id, t.run_workflow, null::text, true, coalesce('/conversations/' || t.conversation, '/tasks/' || t.id)
    from tasks t
    where t.organization = $1 and t.environment = $2 and t.status = 'input_required' and t.question is not null and ($3::text[] is null or t.agent = any($3))`,
};
