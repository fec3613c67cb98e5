import type { FeedbackBody } from "../tasks/schemas.ts";
import type { ChatFeedbackBody } from "./schemas.ts";

/** Feedback on a reply as feedback on its task: a corrected text takes the place of the one in the task's output. */
export function taskFeedback({ correction, ...rest }: ChatFeedbackBody, output: string | null): FeedbackBody {
  if (correction === undefined) return rest;
  return { ...rest, correction: { [textMember(output)]: correction } };
}

/** The member in which a task of a conversation answers its text. */
function textMember(output: string | null): string {
  const value: unknown = output === null ? null : JSON.parse(output);
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return members.find(([, text]) => typeof text === "string")?.[0] ?? "text";
}
