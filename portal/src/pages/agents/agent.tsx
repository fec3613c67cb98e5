import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { listVersions, readAgent } from "../../api/agents.ts";
import { usePrefetched } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { PageHead } from "../../ui/card.tsx";
import { EmptyState, Notice, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { Canary } from "./canary/tab.tsx";
import { AgentFile } from "./file.tsx";
import { StateOf } from "./list.tsx";
import { Overview } from "./overview.tsx";
import { PauseResume } from "./pause.tsx";
import { TryDraft } from "./preview.tsx";
import { Trust } from "./trust.tsx";
import { TryIt } from "./try-it.tsx";
import { Versions } from "./versions.tsx";

const AgentChat = lazy(async () => ({ default: (await import("../conversations/public.tsx")).AgentChat }));
const Tools = lazy(async () => ({ default: (await import("./tools.tsx")).Tools }));
const Memory = lazy(async () => ({ default: (await import("./memory.tsx")).Memory }));
const Schedules = lazy(async () => ({ default: (await import("./schedules.tsx")).Schedules }));
const route = getRouteApi("/shell/agents/$agent");

/** One agent: what is at work, trying it, its versions, how far it can be trusted and why, and its file. */
export function AgentPage() {
  const { agent: name } = route.useParams();
  const { tab = "overview" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: agent } = usePrefetched(readAgent(name), { every: 5000 });
  return (
    <>
      <PageHead
        title={agent.agent}
        lead={agent.description}
        above={
          <>
            <Link to="/agents">Agents</Link>
            <StateOf agent={agent} />
          </>
        }
        actions={<PauseResume agent={agent} />}
      />
      {agent.status === "archived" ? (
        <div className="mb-4">
          <Notice>Archived: {agent.paused?.reason ?? "it takes no work."} Restore it below to use it again.</Notice>
        </div>
      ) : agent.paused ? (
        <div className="mb-4">
          <Notice tone="warn">
            Takes no work since <RelativeTime time={agent.paused.since} />: {agent.paused.reason}
          </Notice>
        </div>
      ) : null}
      <Tabs
        label="Agent sections"
        current={tab}
        onChange={(next) => void navigate({ search: { tab: next }, resetScroll: false })}
        tabs={[
          { id: "overview", title: "Overview", content: () => <Overview agent={agent} /> },
          { id: "chat", title: "Chat", content: () => <Chat agent={agent} /> },
          {
            title: "Try it",
            tabs: [
              { id: "try", title: "Live version", content: () => <TryIt agent={agent} /> },
              { id: "draft", title: "Draft", content: () => <TryDraft agent={agent} /> },
            ],
          },
          { id: "versions", title: "Versions", content: () => <Versions agent={agent} /> },
          { id: "canary", title: "Canary", content: () => <Canary agent={agent} /> },
          { id: "trust", title: "Trust", content: () => <TrustOf agent={agent.agent} /> },
          {
            title: "Set-up",
            tabs: [
              { id: "tools", title: "Tools", content: () => later(<Tools agent={agent} />) },
              { id: "schedules", title: "Schedules", content: () => later(<Schedules agent={agent} />) },
              { id: "memory", title: "Memory", content: () => later(<Memory agent={agent.agent} />) },
              { id: "file", title: "File", content: () => <AgentFile agent={agent.agent} /> },
            ],
          },
        ]}
      />
    </>
  );
}

/** Trust is of versions: a draft without one has none. */
function TrustOf({ agent }: { readonly agent: string }) {
  const { data: versions } = usePrefetched(listVersions(agent));
  if (versions.data.length > 0) return <Trust agent={agent} />;
  return (
    <EmptyState title="No version yet">Freeze the draft as a version; its outcomes then form its trust.</EmptyState>
  );
}

/** A part that comes with its first use. */
const later = (part: ReactNode): ReactNode => <Suspense fallback={<Skeleton lines={6} />}>{part}</Suspense>;

/** A conversation with the version that works here. */
function Chat({ agent: { agent, deployment } }: { readonly agent: Schema<"Agent"> }) {
  const { conversation } = route.useSearch();
  const navigate = route.useNavigate();
  if (deployment === null)
    return <EmptyState title="Nothing to talk to yet">Deploy a version first; then the agent answers.</EmptyState>;
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <AgentChat
        agent={agent}
        conversation={conversation}
        onConversation={(next) => void navigate({ search: { tab: "chat", conversation: next }, resetScroll: false })}
      />
    </Suspense>
  );
}
