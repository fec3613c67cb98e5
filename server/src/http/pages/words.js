// What the page says, in people's words. Every text from outside becomes a text node, never markup.

/** The state of an approval, and how it is meant. */
const states = {
  pending: ["Waiting for a decision", "waiting"],
  approved: ["Approved", "good"],
  consumed: ["Approved", "good"],
  rejected: ["Rejected", "bad"],
  changes_requested: ["Sent back for changes", "waiting"],
  expired: ["Expired", "bad"],
  cancelled: ["Cancelled", "bad"],
  superseded: ["Replaced by a newer request", "bad"],
  stale: ["Not carried out: the action had changed", "bad"],
};

/** The same, where people approved and the task has ended. */
const ends = {
  completed: ["Approved and carried out", "good"],
  failed: ["Approved, but the task failed", "bad"],
  blocked: ["Approved, but the task was blocked", "bad"],
  cancelled: ["Approved, but the task was cancelled", "bad"],
  expired: ["Approved, but the task expired", "bad"],
  rejected: ["Approved, but a later step was rejected", "bad"],
};

/** How it stands, in a few words and a kind (waiting, good or bad): by the task as well, since approving is not carrying out. */
export function standing({ status, task_status: task }) {
  return ((status === "approved" || status === "consumed") && ends[task]) || states[status];
}

/** Whether there is more to come: people decided, and the task has not ended. */
export function goesOn({ status, task_status: task }) {
  return status !== "pending" && !(task in ends);
}

/** What became of the task, once people decided. */
const outcomes = {
  awaiting_approval: "The task waits for another approval; reload the page to see it.",
  input_required: "The task waits for more input.",
  queued: "The task is queued and runs as soon as a worker is free.",
  running: "The task is running.",
  completed: "The task has completed.",
  failed: "The task has failed.",
  rejected: "The task has ended. Nothing was carried out.",
  cancelled: "The task was cancelled.",
  blocked: "The task was blocked.",
  expired: "The task has expired.",
};

/** The same, where what was approved had been started. */
const outcomesOfStarted = {
  completed: "Carried out; the task has completed.",
  failed: "The task was started and has failed.",
  rejected: "The task was started and ended when a later step was rejected.",
  cancelled: "The task was started, then cancelled.",
  blocked: "The task was started, then blocked.",
  expired: "The task was started, then expired.",
};

function outcome({ status, task_status: task }) {
  if (status === "changes_requested" && task === "awaiting_approval") return "Nothing runs: the task waits until its input was changed.";
  return (status === "consumed" && outcomesOfStarted[task]) || outcomes[task];
}

/** What is special about this round: a number from the second one on, who edited it, who handed it to the admins. Empty: nothing. */
export function roundText({ round, edited_by: editor, escalated_at: at, escalated_by: by }) {
  return [
    round > 1 && `Round ${round}: it was asked for before.`,
    editor && `Edited by ${editor.name}.`,
    at && `Handed to the admins${by.kind === "system" ? ", because nobody decided in time" : ` by ${by.name}`}, ${when(at)}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** What the caller's own vote came to. */
export function afterVote(approval) {
  if (approval.status === "pending") {
    const missing = approval.approvers - approval.approvals;
    return `Your approval is recorded. ${missing} more ${missing === 1 ? "person has" : "people have"} to approve before anything happens.`;
  }
  return `${states[approval.status][0]}. ${outcome(approval) ?? ""}`.trim();
}

/** How an approval that is over came to be so. */
export function decidedText(approval) {
  const by = approval.decided_by ? ` by ${approval.decided_by.name}` : "";
  const at = approval.decided_at ? `, ${when(approval.decided_at)}` : "";
  const stale = approval.status === "stale";
  const decision = `${states[stale ? "approved" : approval.status][0]}${by}${at}.`;
  const result = stale ? `${states.stale[0]}.` : outcome(approval);
  return [decision, result, approval.reason && `“${approval.reason}”`].filter(Boolean).join(" ");
}

/** The decisions that have to be explained: what the form says, the button that opens it, and the member of the body that carries the text. */
export const withReason = {
  reject: {
    button: "reject",
    member: "reason",
    label: "Why not?",
    send: "Reject",
    missing: "Say why: without a reason nobody can do better next time.",
  },
  "request-changes": {
    button: "change",
    member: "note",
    label: "What has to change?",
    send: "Send back",
    missing: "Say what has to change: without it nobody knows what to do.",
  },
};

/** Why signing in or reading did not work. */
export function readFault(status, problem) {
  if (status === 0) return "The service did not answer. Check your connection and try again.";
  if (status === 401) return "This key was not accepted. It may be mistyped, expired or revoked.";
  if (status === 404) {
    return "With this key there is no such approval. A key belongs to one environment: use the key of the environment that the request came from.";
  }
  if (status === 429) return "Too many attempts in a short time. Wait a moment and try again.";
  if (status >= 500) return "The service cannot answer right now. Try again in a moment.";
  return problem?.detail ?? "The service refused this.";
}

/** Why a vote was not taken. The second: whether what is shown has to be read again. */
export function voteFault(status, problem) {
  if (status === 0) return ["The answer did not arrive, so it is not known whether your decision was recorded.", true];
  if (status === 401) return ["Your key is no longer accepted. Nothing was decided.", false];
  if (status === 403 && problem?.stage === "permissions") return [`Nothing was decided. ${problem.detail}`, true];
  if (problem?.code === "already_decided") return ["Somebody was faster: this was decided before your vote, which changed nothing.", true];
  if (problem?.code === "digest_mismatch") {
    return ["What is proposed is no longer what you were shown. Nothing was decided. Look at it again.", true];
  }
  if (status === 429 || status >= 500)
    return ["The service could not record this right now. Nothing was decided. Try again in a moment.", false];
  return [`Nothing was decided. ${problem?.detail ?? ""}`.trim(), status === 409];
}

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A time as people of this place write it. */
export function when(text) {
  return format.format(new Date(text));
}
