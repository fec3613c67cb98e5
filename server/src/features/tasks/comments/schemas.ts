import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";

export const CommentBody = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 2000, pattern: "\\S", description: "What to say." }),
    for_agent: Type.Optional(
      Type.Boolean({
        description:
          "Whether the agent reads it, at its next turn; default true. Who writes such a comment decides what the agent reads, and so does not approve alone what it asks for afterwards. False: only people read it.",
      }),
    ),
  },
  closed,
);
export type CommentBody = Static<typeof CommentBody>;

export const TaskComment = Type.Object({
  comment_id: Type.String({ description: "`cmt_…`" }),
  task_id: Type.String({ description: "`tsk_…`" }),
  text: nullable(Type.String(), "Null: it was erased with the contents of the task."),
  for_agent: Type.Boolean({ description: "Whether the agent reads it." }),
  author: Type.Object({
    id: Type.String({ description: "The member or service account, `mbr_…`." }),
    name: Type.String({ description: "Their name; the id if they were removed." }),
  }),
  read_at: nullable(
    Time,
    "When the agent first read it. Null: not yet, or never, such as where only people read it, where the run ended before its next turn, or where no model of a provider runs it.",
  ),
  audit_ref: Type.String({ description: "The audit record of the call that wrote it, `aud_…`." }),
  created_at: Time,
});
export type TaskComment = Static<typeof TaskComment>;
