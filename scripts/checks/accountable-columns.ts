// What columns that name somebody mean for the question who is accountable for a call: docs/decisions/0064.

/**
 * `acts`: something is done later in this name. Its row stores the whole actor, not a name.
 * `decides`: gave bytes that can reach an agent's work. Those accountable for them are stored beside them.
 * `tells`: is shown or counted; nothing acts by it, and nobody is asked whose id it is.
 */
export type Meaning = "acts" | "decides" | "tells";

export interface AccountableColumn {
  readonly is: Meaning | readonly Meaning[];
  readonly why: string;
  /** `table.column` with the actor or the deciders; by default `actor`, or `deciders`, of the same table. */
  readonly stored?: string;
}

const acts = (why: string): AccountableColumn => ({ is: "acts", why });
const tells = (why: string): AccountableColumn => ({ is: "tells", why });
const decides = (why: string, stored?: string): AccountableColumn => ({
  is: "decides",
  why,
  ...(stored !== undefined && { stored }),
});
const rule = tells("a rule (D): never counts");
const record = tells("a record of what happened");
const ended = tells("ends something; starts nothing");
const holder = tells("whose it is; nothing acts by it");

/** Tables with something that acts and no column `actor`, with what keeps the actor in its place. */
export const actorsKeptOtherwise: Readonly<Record<string, readonly string[]>> = {
  // Its owner and key, whose issuers memory has, and everybody else.
  tasks: ["principal", "key_id", "deciders"],
  // Whoever got a secret that still counts; the sender is none of the members.
  workflow_hooks: ["secret_deciders", "previous_deciders"],
};

/** By table and column. */
export const accountableColumns: Readonly<Record<string, Readonly<Record<string, AccountableColumn>>>> = {
  agent_pauses: { author: rule },
  agent_schedules: {
    principal: acts("dispatches tasks"),
    author: tells("who made it; those who set it are persons of its actor"),
    paused_by: ended,
  },
  agent_versions: { author: decides("prompt, tools and skills") },
  agents: { owner: holder, archived_by: ended },
  analytics_alerts: { created_by: acts("goes on telling") },
  analytics_rebuilds: { requested_by: record },
  analytics_reports: { principal: acts("goes on telling") },
  approval_absences: { author: tells("who had somebody stand in; those accountable for it count with each vote") },
  approval_comments: { author: tells("who wrote it; people read it, and no agent") },
  approval_rule_versions: { author: rule },
  approval_rules: { author: rule, retired_by: record },
  approval_votes: { key_id: tells("by which key was voted; its accountable persons are stored with the vote") },
  approvals: {
    claimed_by: tells("who works on it; it keeps nobody from deciding"),
    decided_by: record,
    edited_by: decides("edited arguments", "tasks.deciders"),
    escalated_by: record,
  },
  audit_exports: { principal: acts("reads the log for its file") },
  audit_key_counters: { key_id: record },
  audit_leaves: { key_id: record, principal: record },
  audit_sinks: { created_by: acts("goes on sending the log") },
  budgets: { author: rule },
  chat_channels: { created_by: acts("answers what arrives by it") },
  chat_conversations: { principal: holder, key_id: holder },
  chat_files: { author: decides("a file that the agent reads", "chat_conversations.deciders") },
  chat_memories: { author: decides("what the agent remembers", "chat_conversations.deciders") },
  chat_notes: { author: tells("who wrote it; people read it, and no agent") },
  chat_messages: {
    author: decides("words that the agent reads", "chat_conversations.deciders"),
    replaced_by: tells("another message"),
  },
  chat_turns: { principal: acts("answers a message"), key_id: acts("answers a message") },
  confirmations: { confirmed_by: tells("a second person's look"), key_id: tells("a second person's look") },
  connections: { created_by: decides("address, secret and provider") },
  dataset_versions: { author: decides("what an agent is trained on") },
  datasets: { author: tells("who made it; each version has its deciders") },
  deleted_bases: { deleted_by: record },
  deleted_documents: { deleted_by: record },
  deliveries: { claimed_by: tells("a worker of the service") },
  deployments: {
    author: { is: ["acts", "decides"], why: "decides the live version; a canary goes on by it" },
    ended_by: ended,
  },
  document_versions: { author: decides("a text that agents read") },
  documents: { author: decides("a text that agents read"), reviewed_by: tells("a second person's look") },
  evaluation_runs: { stopped_by: ended, principal: acts("runs agents, whose writes are withheld") },
  gates: { author: rule },
  keys: {
    created_by: tells("who issued it; stored with all issuers in `issuers`"),
    replaced_by: tells("another key"),
  },
  kill_switches: { engaged_by: rule, release_requested_by: rule, released_by: rule },
  knowledge_bases: { author: tells("who made it; each document has its deciders") },
  knowledge_connectors: { author: acts("brings documents") },
  knowledge_questions: { asked_by: record },
  knowledge_syncs: { author: tells("who asked for it; it brings documents by the connector's actor") },
  marketplace_installs: { installed_by: tells("an install's calls are those of whoever installs") },
  marketplace_listings: { created_by: holder },
  marketplace_publishers: { key_id: tells("a key that signs bundles"), pinned_by: rule },
  marketplace_reports: { reported_by: record },
  marketplace_versions: {
    key_id: tells("a key that signs bundles"),
    submitted_by: decides("what an install brings"),
    reviewed_by: tells("a second person's look"),
  },
  ledger_entries: { principal: record, key_id: record },
  members: { invited_by: record },
  mission_decisions: { asked_by: record, answered_by: decides("what the mission does next", "missions.deciders") },
  mission_plans: { author: decides("the plan"), accepted_by: decides("the plan") },
  mission_templates: { author: decides("plans made from it") },
  missions: { created_by: { is: ["acts", "decides"], why: "starts its steps; gave goal and inputs" } },
  policies: { author: rule, retired_by: rule },
  review_monitors: { author: acts("judges samples") },
  rule_changes: { changed_by: rule },
  scorers: { author: rule },
  sessions: { key_id: tells("a session opened with a key keeps its issuers") },
  settings: { author: rule },
  sign_in_links: { created_by: tells("who made it is an issuer of the session that it opens") },
  task_comments: { author: decides("words that the agent reads") },
  task_feedback: { author: decides("a result that an agent is trained on") },
  tasks: { principal: acts("runs"), key_id: acts("runs"), covered_by: tells("an approval"), paused_by: ended },
  teams: { created_by: tells("who made it; it says who answers and who reads") },
  training_jobs: { principal: acts("makes a version of an agent") },
  violations: { principal: record, key_id: record, owner: record },
  webhooks: { created_by: acts("goes on telling") },
  workflow_dead_letters: { settled_by: record },
  workflow_hooks: { author: acts("lets in whoever has a secret") },
  workflow_pauses: { author: rule },
  workflow_releases: { author: decides("the version that runs use") },
  workflow_runs: { principal: acts("dispatches its steps"), key_id: acts("dispatches its steps") },
  workflow_triggers: { principal: acts("starts runs") },
  workflow_versions: { author: decides("steps") },
  workflows: { owner: holder, updated_by: decides("the draft", "workflows.draft_deciders"), archived_by: ended },
};
