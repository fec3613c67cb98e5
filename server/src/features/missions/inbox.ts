import type { InboxSource } from "../../kernel/inbox.ts";

/** Questions that missions put to people. */
export const missionQuestions: InboxSource = {
  kind: "question",
  reads: "missions:read",
  acts: "missions:run",
  sql: `select d.id, m.goal, d.question, null::text, null::text, d.asked_at, m.deadline, null::text, null::text, null::text, null::text, true, '/missions/' || m.id
    from mission_decisions d join missions m on m.organization = d.organization and m.environment = d.environment and m.id = d.mission
    where d.organization = $1 and d.environment = $2 and d.answered_at is null and d.withdrawn_at is null and ($3::text[] is null or m.agents <@ $3)`,
};
