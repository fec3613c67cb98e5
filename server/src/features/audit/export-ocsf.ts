import { type OcsfActivity, ocsfActivities } from "@aos/proof";

/** What an operation does, by the verb that its name begins with. */
const verbs: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ["create", "add", "issue", "dispatch", "freeze", "propose", "engage", "invite", "give"],
    ["read", "list", "whoami", "check", "simulate", "search", "test", "stream"],
    [
      "change",
      "set",
      "replace",
      "approve",
      "reject",
      "request",
      "delegate",
      "deploy",
      "rollback",
      "pause",
      "resume",
      "complete",
      "finish",
      "fail",
      "block",
      "requeue",
      "expire",
      "start",
      "cancel",
      "end",
      "retry",
      "calibrate",
      "recover",
      "rotate",
      "disable",
    ],
    ["delete", "archive", "retire", "revoke", "remove", "release"],
  ].flatMap((words, at) => words.map((word) => [word, at + 1])),
);

/** The activity of an operation by the verb of its name; a verb that is none of OCSF's activities is 99 with the verb as its name. */
export function activityOf(operation: string): OcsfActivity {
  const verb = /^[a-z]*/.exec(operation.slice(operation.indexOf(".") + 1))?.[0] ?? "";
  const id = verbs[verb] ?? 99;
  return { activity_id: id, activity_name: ocsfActivities[id] ?? (verb || operation) };
}
