import { createRoute, redirect } from "@tanstack/react-router";
import { lazyPage as page, lazyPart as part } from "./layouts/lazy-page.ts";
import * as agents from "./pages/agents/loaders.ts";
import * as analytics from "./pages/analytics/search.ts";
import * as approvals from "./pages/approvals/loaders.ts";
import { auditSearch } from "./pages/audit/search.ts";
import * as conversations from "./pages/conversations/search.ts";
import * as home from "./pages/home/loaders.ts";
import * as keys from "./pages/keys/loaders.ts";
import * as knowledge from "./pages/knowledge/search.ts";
import * as installs from "./pages/marketplace/install-search.ts";
import * as marketplace from "./pages/marketplace/search.ts";
import * as missions from "./pages/missions/search.ts";
import * as policies from "./pages/policies/loaders.ts";
import * as reviews from "./pages/reviews/loaders.ts";
import * as sessions from "./pages/sessions/loaders.ts";
import { signInSearch } from "./pages/sign-in/search.ts";
import * as tasks from "./pages/tasks/loaders.ts";
import * as webhooks from "./pages/webhooks/loaders.ts";
import * as workflows from "./pages/workflows/search.ts";
import { root, shell, within } from "./shell-route.tsx";

// Every room of the portal, one route each. A room is a folder of `pages/`: `loaders.ts` says what its pages need before they are shown and which filters their
// addresses carry, and the pages themselves come with the first visit.

const homeRoute = createRoute({
  ...within,
  path: "/",
  validateSearch: home.homeSearch,
  loader: ({ context }) => home.load(context),
  component: page(() => import("./pages/home/home.tsx"), "HomePage"),
});

const approvalsRoute = createRoute({
  ...within,
  path: "/approvals",
  validateSearch: approvals.listSearch,
  // Which one stands open beside the list asks for no other list.
  loaderDeps: ({ search: { open: _, ...filter } }) => filter,
  loader: ({ context, deps }) => approvals.loadList(context, deps),
  component: page(() => import("./pages/approvals/inbox.tsx"), "InboxPage"),
});
const approvalRoute = createRoute({
  ...within,
  path: "/approvals/$task",
  loader: ({ context, params }) => approvals.loadOne(context, params.task),
  component: page(() => import("./pages/approvals/approval.tsx"), "ApprovalPage"),
});

const tasksRoute = createRoute({
  ...within,
  path: "/tasks",
  validateSearch: tasks.listSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => tasks.loadList(context, deps),
  component: page(() => import("./pages/tasks/list.tsx"), "TasksPage"),
});
const taskRoute = createRoute({
  ...within,
  path: "/tasks/$task",
  validateSearch: tasks.oneSearch,
  loader: ({ context, params }) => tasks.loadOne(context, params.task),
  component: page(() => import("./pages/tasks/task.tsx"), "TaskPage"),
});

const agentsRoute = createRoute({
  ...within,
  path: "/agents",
  validateSearch: agents.listSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => agents.loadList(context, deps),
  component: page(() => import("./pages/agents/list.tsx"), "AgentsPage"),
});
const agentRoute = createRoute({
  ...within,
  path: "/agents/$agent",
  validateSearch: agents.oneSearch,
  loader: ({ context, params }) => agents.loadOne(context, params.agent),
  component: page(() => import("./pages/agents/agent.tsx"), "AgentPage"),
});

// A large room: what its pages read comes with the first visit, too.
const knowledgeLoaders = () => part(() => import("./pages/knowledge/loaders.ts"));
const knowledgeRoute = createRoute({
  ...within,
  path: "/knowledge",
  validateSearch: knowledge.basesSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => (await knowledgeLoaders()).loadBases(context, deps),
  component: page(() => import("./pages/knowledge/bases.tsx"), "BasesPage"),
});
const knowledgeSearchRoute = createRoute({
  ...within,
  path: "/knowledge/search",
  validateSearch: knowledge.questionSearch,
  loader: async ({ context }) => (await knowledgeLoaders()).loadSearch(context),
  component: page(() => import("./pages/knowledge/search-page.tsx"), "SearchPage"),
});
const knowledgeBaseRoute = createRoute({
  ...within,
  path: "/knowledge/bases/$base",
  validateSearch: knowledge.baseSearch,
  loaderDeps: ({ search: { sync: _, ...search } }) => search,
  loader: async ({ context, params, deps }) => (await knowledgeLoaders()).loadBase(context, params.base, deps),
  component: page(() => import("./pages/knowledge/base.tsx"), "BasePage"),
});
const knowledgeDocumentRoute = createRoute({
  ...within,
  path: "/knowledge/bases/$base/documents/$document",
  validateSearch: knowledge.documentSearch,
  loader: async ({ context, params }) => (await knowledgeLoaders()).loadDocument(context, params),
  component: page(() => import("./pages/knowledge/document.tsx"), "DocumentPage"),
});
const citationRoute = createRoute({
  ...within,
  path: "/knowledge/citations/$citation",
  loader: async ({ context, params }) => (await knowledgeLoaders()).loadCitation(context, params.citation),
  component: page(() => import("./pages/knowledge/citation.tsx"), "CitationPage"),
});

const workflowLoaders = () => part(() => import("./pages/workflows/loaders.ts"));
const workflowsRoute = createRoute({
  ...within,
  path: "/workflows",
  validateSearch: workflows.listSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => (await workflowLoaders()).loadList(context, deps),
  component: page(() => import("./pages/workflows/list.tsx"), "WorkflowsPage"),
});
const workflowRoute = createRoute({
  ...within,
  path: "/workflows/$workflow",
  validateSearch: workflows.workflowSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => (await workflowLoaders()).loadWorkflow(context, params.workflow, deps),
  component: page(() => import("./pages/workflows/workflow.tsx"), "WorkflowPage"),
});
const runRoute = createRoute({
  ...within,
  path: "/workflows/$workflow/runs/$run",
  validateSearch: workflows.runSearch,
  loader: async ({ context, params }) => (await workflowLoaders()).loadRun(context, params),
  component: page(() => import("./pages/workflows/run/page.tsx"), "RunPage"),
});

const missionLoaders = () => part(() => import("./pages/missions/loaders.ts"));
const missionsRoute = createRoute({
  ...within,
  path: "/missions",
  validateSearch: missions.listSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => (await missionLoaders()).loadList(context, deps),
  component: page(() => import("./pages/missions/list.tsx"), "MissionsPage"),
});
const missionRoute = createRoute({
  ...within,
  path: "/missions/$mission",
  validateSearch: missions.missionSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => (await missionLoaders()).loadMission(context, params.mission, deps),
  component: page(() => import("./pages/missions/mission.tsx"), "MissionPage"),
});

const conversationLoaders = () => part(() => import("./pages/conversations/loaders.ts"));
const conversationsRoute = createRoute({
  ...within,
  path: "/conversations",
  validateSearch: conversations.listSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => (await conversationLoaders()).loadList(context, deps),
  component: page(() => import("./pages/conversations/list.tsx"), "ConversationsPage"),
});
const conversationSearchRoute = createRoute({
  ...within,
  path: "/conversations/search",
  validateSearch: conversations.findSearch,
  component: page(() => import("./pages/conversations/find.tsx"), "FindPage"),
});
const channelsRoute = createRoute({
  ...within,
  path: "/conversations/channels",
  loader: async ({ context }) => (await conversationLoaders()).loadChannels(context),
  component: page(() => import("./pages/conversations/channels/page.tsx"), "ChannelsPage"),
});
const teamsRoute = createRoute({
  ...within,
  path: "/conversations/teams",
  loader: async ({ context }) => (await conversationLoaders()).loadTeams(context),
  component: page(() => import("./pages/conversations/teams/page.tsx"), "TeamsPage"),
});
const conversationRoute = createRoute({
  ...within,
  path: "/conversations/$conversation",
  loader: async ({ context, params }) => (await conversationLoaders()).loadOne(context, params.conversation),
  component: page(() => import("./pages/conversations/conversation.tsx"), "ConversationPage"),
});

const analyticsLoaders = () => part(() => import("./pages/analytics/loaders.ts"));
const analyticsRoute = createRoute({
  ...within,
  path: "/analytics",
  beforeLoad: () => {
    throw redirect({ to: "/analytics/$view", params: { view: "overview" } });
  },
});
const analyticsViewRoute = createRoute({
  ...within,
  path: "/analytics/$view",
  validateSearch: analytics.analyticsSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => (await analyticsLoaders()).loadView(context, params.view, deps),
  component: page(() => import("./pages/analytics/page.tsx"), "AnalyticsPage"),
});
const agentFiguresRoute = createRoute({
  ...within,
  path: "/analytics/agents/$agent",
  validateSearch: analytics.analyticsSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => (await analyticsLoaders()).loadAgentFigures(context, params.agent, deps),
  component: page(() => import("./pages/analytics/agent-figures.tsx"), "AgentFiguresPage"),
});
const reportRoute = createRoute({
  ...within,
  path: "/analytics/reports/$report",
  validateSearch: analytics.reportSearch,
  // Another issue of the same list asks for nothing else.
  loaderDeps: ({ search: { cursor } }) => ({ cursor }),
  loader: async ({ context, params, deps }) =>
    (await analyticsLoaders()).loadReport(context, params.report, deps.cursor),
  component: page(() => import("./pages/analytics/reports/page.tsx"), "ReportPage"),
});

const marketplaceLoaders = () => part(() => import("./pages/marketplace/loaders.ts"));
const catalogueRoute = createRoute({
  ...within,
  path: "/marketplace",
  validateSearch: marketplace.catalogueSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => (await marketplaceLoaders()).loadCatalogue(context, deps),
  component: page(() => import("./pages/marketplace/catalogue.tsx"), "CataloguePage"),
});
const listingRoute = createRoute({
  ...within,
  path: "/marketplace/listings/$listing",
  validateSearch: marketplace.listingSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => (await marketplaceLoaders()).loadListing(context, params.listing, deps),
  component: page(() => import("./pages/marketplace/listing.tsx"), "ListingPage"),
});
const publishRoute = createRoute({
  ...within,
  path: "/marketplace/publish",
  validateSearch: marketplace.publishSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => (await marketplaceLoaders()).loadPublish(context, deps),
  component: page(() => import("./pages/marketplace/publish.tsx"), "PublishPage"),
});
const installLoaders = () => part(() => import("./pages/marketplace/install-loaders.ts"));
const installsRoute = createRoute({
  ...within,
  path: "/marketplace/installs",
  validateSearch: installs.installsSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => (await installLoaders()).loadInstalls(context, deps),
  component: page(() => import("./pages/marketplace/installs.tsx"), "InstallsPage"),
});
const installRoute = createRoute({
  ...within,
  path: "/marketplace/installs/$install",
  validateSearch: installs.installSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => (await installLoaders()).loadInstall(context, params.install, deps),
  component: page(() => import("./pages/marketplace/install.tsx"), "InstallPage"),
});
const recallsRoute = createRoute({
  ...within,
  path: "/marketplace/recalls",
  validateSearch: installs.recallsSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => (await installLoaders()).loadRecalls(context, deps),
  component: page(() => import("./pages/marketplace/recalls.tsx"), "RecallsPage"),
});
const listingReviewRoute = createRoute({
  ...within,
  path: "/marketplace/review",
  validateSearch: installs.reviewSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => (await installLoaders()).loadReview(context, deps),
  component: page(() => import("./pages/marketplace/review.tsx"), "ReviewPage"),
});

const policiesRoute = createRoute({
  ...within,
  path: "/policies",
  validateSearch: policies.listSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => policies.loadList(context, deps),
  component: page(() => import("./pages/policies/list.tsx"), "PoliciesPage"),
});
const policyRoute = createRoute({
  ...within,
  path: "/policies/$policy",
  validateSearch: policies.oneSearch,
  loader: ({ context, params }) => policies.loadOne(context, params.policy),
  component: page(() => import("./pages/policies/policy.tsx"), "PolicyPage"),
});

const keysRoute = createRoute({
  ...within,
  path: "/keys",
  validateSearch: keys.listSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => keys.loadList(context, deps),
  component: page(() => import("./pages/keys/list.tsx"), "KeysPage"),
});

const reviewsRoute = createRoute({
  ...within,
  path: "/reviews",
  loader: ({ context }) => reviews.load(context),
  component: page(() => import("./pages/reviews/reviews.tsx"), "ReviewsPage"),
});

const webhooksRoute = createRoute({
  ...within,
  path: "/webhooks",
  validateSearch: webhooks.listSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => webhooks.loadList(context, deps),
  component: page(() => import("./pages/webhooks/list.tsx"), "WebhooksPage"),
});
const webhookRoute = createRoute({
  ...within,
  path: "/webhooks/$webhook",
  validateSearch: webhooks.oneSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => webhooks.loadOne(context, params.webhook, deps),
  component: page(() => import("./pages/webhooks/webhook.tsx"), "WebhookPage"),
});

const auditRoute = createRoute({
  ...within,
  path: "/audit",
  validateSearch: auditSearch,
  component: page(() => import("./pages/audit/log.tsx"), "AuditPage"),
});

const sessionsRoute = createRoute({
  ...within,
  path: "/sessions",
  validateSearch: sessions.listSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => sessions.load(context, deps),
  component: page(() => import("./pages/sessions/sessions.tsx"), "SessionsPage"),
});

const invitationRoute = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: page(() => import("./pages/sign-in/invitation.tsx"), "InvitationPage"),
});
const signInRoute = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearch,
  component: page(() => import("./pages/sign-in/sign-in.tsx"), "SignInPage"),
});

export const routeTree = root.addChildren([
  shell.addChildren([
    homeRoute,
    approvalsRoute,
    approvalRoute,
    tasksRoute,
    taskRoute,
    agentsRoute,
    agentRoute,
    knowledgeRoute,
    knowledgeSearchRoute,
    knowledgeBaseRoute,
    knowledgeDocumentRoute,
    citationRoute,
    workflowsRoute,
    workflowRoute,
    runRoute,
    missionsRoute,
    missionRoute,
    conversationsRoute,
    conversationSearchRoute,
    channelsRoute,
    teamsRoute,
    analyticsRoute,
    analyticsViewRoute,
    agentFiguresRoute,
    reportRoute,
    conversationRoute,
    catalogueRoute,
    publishRoute,
    listingRoute,
    installsRoute,
    installRoute,
    recallsRoute,
    listingReviewRoute,
    auditRoute,
    policiesRoute,
    policyRoute,
    keysRoute,
    webhooksRoute,
    webhookRoute,
    reviewsRoute,
    sessionsRoute,
  ]),
  invitationRoute,
  signInRoute,
]);
