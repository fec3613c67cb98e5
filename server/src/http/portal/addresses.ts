/**
 * The addresses of the portal's pages: each answers the same text, and what is shown there the browser asks of the interface. Every other path is a call, and is
 * judged as one. A test holds them against the portal's own routes.
 */
export const portalAddresses = [
  "/",
  "/sign-in",
  "/approvals",
  "/approvals/:task",
  "/tasks",
  "/tasks/:task",
  "/agents",
  "/agents/:agent",
  "/workflows",
  "/workflows/:workflow",
  "/workflows/:workflow/runs/:run",
  "/analytics",
  "/analytics/:view",
  "/analytics/agents/:agent",
  "/analytics/reports/:report",
  "/missions",
  "/missions/:mission",
  "/conversations",
  "/conversations/search",
  "/conversations/channels",
  "/conversations/teams",
  "/conversations/:conversation",
  "/knowledge",
  "/knowledge/search",
  "/knowledge/bases/:base",
  "/knowledge/bases/:base/documents/:document",
  "/knowledge/citations/:citation",
  "/marketplace",
  "/marketplace/listings/:listing",
  "/marketplace/publish",
  "/marketplace/installs",
  "/marketplace/installs/:install",
  "/marketplace/recalls",
  "/marketplace/review",
  "/audit",
  "/policies",
  "/policies/:policy",
  "/keys",
  "/webhooks",
  "/webhooks/:webhook",
  "/reviews",
  "/sessions",
  "/invitation",
] as const;

/** The script that pages of others load. */
export const chatWidget = "/chat/widget.js";

/** Files of the portal whose names do not change with their content. */
export const portalFiles = ["/theme.js", "/mark.svg"] as const;
