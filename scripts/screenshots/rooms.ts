import type { Furnished } from "./seed.ts";

/** One picture's place: an address of the portal, or more than one state of it. */
export interface Room {
  /** The beginning of its files' names. */
  readonly name: string;
  readonly title: string;
  readonly path: string;
  /** Nobody is signed in. */
  readonly outside?: boolean;
}

/** Every room, with what was furnished in it. */
export const roomsOf = ({
  approval,
  task,
  policy,
  webhook,
  run,
  mission,
  conversation,
}: Furnished): readonly Room[] => [
  { name: "sign-in", title: "Signing in", path: "/sign-in", outside: true },
  { name: "home", title: "Home", path: "/" },
  { name: "approvals", title: "Approvals", path: "/approvals" },
  { name: "approval", title: "One approval", path: `/approvals/${approval}` },
  { name: "tasks", title: "Tasks", path: "/tasks" },
  { name: "task", title: "One task", path: `/tasks/${task}` },
  { name: "agents", title: "Agents", path: "/agents" },
  { name: "agent", title: "One agent", path: "/agents/sales" },
  { name: "agent-tools", title: "Tools of an agent", path: "/agents/sales?tab=tools" },
  { name: "agent-schedules", title: "Schedules of an agent", path: "/agents/sales?tab=schedules" },
  { name: "agent-draft", title: "Trying the draft of an agent", path: "/agents/sales?tab=draft" },
  { name: "agent-memory", title: "Memory of an agent", path: "/agents/sales?tab=memory" },
  { name: "versions", title: "Versions of an agent, one of them trained", path: "/agents/sales?tab=versions" },
  { name: "knowledge", title: "Knowledge", path: "/knowledge" },
  { name: "knowledge-base", title: "One knowledge base", path: "/knowledge/bases/handbook" },
  { name: "knowledge-search", title: "Search", path: "/knowledge/search?q=how+long+may+goods+be+returned" },
  {
    name: "knowledge-document",
    title: "A document, its chunks beside its text",
    path: `/knowledge/bases/handbook/documents/returns.pdf?chunk=2`,
  },
  { name: "knowledge-gaps", title: "Questions that found nothing good", path: "/knowledge/bases/handbook?tab=gaps" },
  { name: "knowledge-connectors", title: "Connectors", path: "/knowledge/bases/handbook?tab=connectors" },
  { name: "knowledge-settings", title: "Settings of a knowledge base", path: "/knowledge/bases/handbook?tab=settings" },
  { name: "workflows", title: "Workflows", path: "/workflows" },
  { name: "workflow", title: "A workflow as text and picture", path: "/workflows/lead-intake" },
  { name: "workflow-draft", title: "A draft with findings", path: "/workflows/weekly-report" },
  { name: "workflow-versions", title: "Versions of a workflow", path: "/workflows/lead-intake?tab=versions" },
  { name: "workflow-triggers", title: "Triggers of a workflow", path: "/workflows/lead-intake?tab=triggers" },
  { name: "runs", title: "Runs of all workflows", path: "/workflows?tab=runs" },
  {
    name: "run",
    title: "A run that waits for a decision",
    path: `/workflows/lead-intake/runs/${run}?step=decide`,
  },
  { name: "missions", title: "Missions", path: "/missions" },
  { name: "mission", title: "One mission, its plan as a board", path: `/missions/${mission}` },
  { name: "mission-report", title: "The report of a mission", path: `/missions/${mission}?tab=report` },
  { name: "conversations", title: "Conversations", path: "/conversations" },
  { name: "conversation", title: "One conversation", path: `/conversations/${conversation}` },
  { name: "conversation-search", title: "Search in conversations", path: "/conversations/search?q=invoice" },
  { name: "channels", title: "Channels of conversations", path: "/conversations/channels" },
  { name: "agent-chat", title: "Chatting with an agent", path: "/agents/sales?tab=chat" },
  { name: "agent-canary", title: "A canary beside the live version", path: "/agents/sales?tab=canary" },
  { name: "analytics", title: "Analytics", path: "/analytics/overview?range=24h" },
  ...(
    ["usage", "costs", "tasks", "value", "quality", "approvals", "risk", "tools", "models", "knowledge"] as const
  ).map((view) => ({ name: `analytics-${view}`, title: `Analytics: ${view}`, path: `/analytics/${view}?range=24h` })),
  { name: "analytics-anomalies", title: "Analytics: anomalies", path: "/analytics/anomalies" },
  { name: "analytics-realtime", title: "Analytics: what runs now", path: "/analytics/realtime" },
  { name: "analytics-chargeback", title: "Analytics: a month's bill", path: "/analytics/chargeback?by=agent" },
  {
    name: "analytics-query",
    title: "Analytics: an own query",
    path: "/analytics/query?range=24h&measures=tasks,success_rate&dimensions=agent,skill",
  },
  { name: "analytics-alerts", title: "Analytics: alerts", path: "/analytics/alerts" },
  { name: "analytics-reports", title: "Analytics: reports", path: "/analytics/reports" },
  { name: "analytics-agent", title: "Figures of one agent", path: "/analytics/agents/sales?range=24h" },
  { name: "reviews", title: "Reviews", path: "/reviews" },
  { name: "marketplace", title: "The catalogue", path: "/marketplace" },
  { name: "marketplace-publish", title: "Publishing own work", path: "/marketplace/publish" },
  { name: "marketplace-installs", title: "Installs", path: "/marketplace/installs" },
  { name: "marketplace-recalls", title: "Recalls", path: "/marketplace/recalls" },
  { name: "marketplace-review", title: "Listings that wait for review", path: "/marketplace/review" },
  { name: "audit", title: "The audit log, searched by words", path: "/audit?text=acme" },
  { name: "policies", title: "Policies", path: "/policies" },
  { name: "policy", title: "One policy", path: `/policies/${policy}` },
  { name: "keys", title: "Keys", path: "/keys" },
  { name: "webhooks", title: "Webhooks", path: "/webhooks" },
  { name: "webhook", title: "One webhook", path: `/webhooks/${webhook}` },
];
