import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { readAgent } from "../../api/agents.ts";
import { usePrefetched } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { PageHead } from "../../ui/card.tsx";
import { EmptyState, Notice, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { AgentFile } from "./file.tsx";
import { StateOf } from "./list.tsx";
import { Overview } from "./overview.tsx";
import { PauseResume } from "./pause.tsx";
import { Trust } from "./trust.tsx";
import { TryIt } from "./try-it.tsx";
import { Versions } from "./versions.tsx";

const AgentChat = lazy(async () => ({ default: (await import("../conversations/public.tsx")).AgentChat }));
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
      {agent.paused ? (
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
          { id: "try", title: "Try it", content: () => <TryIt agent={agent} /> },
          { id: "versions", title: "Versions", content: () => <Versions agent={agent} /> },
          { id: "trust", title: "Trust", content: () => <Trust agent={agent.agent} /> },
          { id: "file", title: "File", content: () => <AgentFile agent={agent.agent} /> },
        ]}
      />
    </>
  );
}

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
