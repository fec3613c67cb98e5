import { getRouteApi, Link } from "@tanstack/react-router";
import { whoami } from "../../api/admin.ts";
import { readTrust } from "../../api/agents.ts";
import { useLive, usePrefetched } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { counted } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Chips } from "../../ui/field.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState, NothingFits, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TrustMeter } from "../../ui/trust.tsx";
import { agentsOf } from "./loaders.ts";

type Agent = Schema<"Agent">;

const route = getRouteApi("/shell/agents");
const views = [
  ["deployed", "Live here"],
  ["draft", "Drafts"],
  ["archived", "Archived"],
] as const;

/** The agents, how far they can be trusted here, and what they can be asked for. */
export function AgentsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(agentsOf(search), { every: 10_000 });
  return (
    <>
      <PageHead title="Agents" lead="The agents of this environment with their live versions and trust scores." />
      <Chips
        label="Filter agents"
        options={views}
        chosen={search.status ? [search.status] : []}
        onChange={(next) =>
          void navigate({ search: { owner: search.owner, status: views.find(([word]) => next.at(-1) === word)?.[0] } })
        }
      />
      {search.owner ? (
        <p className="mt-3 text-sm text-muted">
          Owned by <span className="id break-all">{search.owner}</span>.{" "}
          <Link to="/agents" search={{ status: search.status }} className="underline underline-offset-2">
            All owners
          </Link>
        </p>
      ) : null}
      <div className="mt-4 overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <Nothing filtered={Object.values(search).some((value) => value !== undefined)} />
        ) : (
          <Table label="Agents" columns={columns} rows={data.data} rowKey={({ agent }) => agent} />
        )}
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
        />
      </div>
    </>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered)
    return (
      <NothingFits title="No matching agents">
        <Link to="/agents" search={{}}>
          All agents
        </Link>
      </NothingFits>
    );
  return (
    <EmptyState title="No agents yet" command={'bin/aos agents apply -f agent.yaml --note "First." --deploy'}>
      An agent is defined in a file. This command creates it, freezes a version and deploys that. The{" "}
      <a href="/docs/guide/first-agent" className="font-medium text-accent underline underline-offset-2">
        guide
      </a>{" "}
      has a file to start with.
    </EmptyState>
  );
}

function Owner({ owner }: { readonly owner: string }) {
  const { data } = useLive(whoami());
  const own = data?.principal.id === owner;
  return (
    <Link to="/agents" search={{ owner }} title="Agents of this owner" className="break-all hover:underline">
      {own ? "you" : <span className="id">{owner}</span>}
    </Link>
  );
}

const columns: readonly Column<Agent>[] = [
  {
    name: "Agent",
    cell: ({ agent, description }) => (
      <span className="grid gap-0.5">
        <Link to="/agents/$agent" params={{ agent }} className="font-medium hover:underline">
          {agent}
        </Link>
        <span className="text-muted">{description}</span>
      </span>
    ),
  },
  { name: "State", cell: (agent) => <StateOf agent={agent} /> },
  {
    name: "Trust",
    cell: (agent) => (agent.deployment ? <TrustOf agent={agent.agent} /> : <span className="text-muted">–</span>),
  },
  { name: "Owner", cell: ({ owner }) => <Owner owner={owner} />, wideOnly: true },
  {
    name: "Skills",
    cell: ({ agent, deployment, definition }) =>
      deployment ? <SkillsAtWork agent={agent} /> : <Skills names={definition.skills.map(({ name }) => name)} />,
  },
];

export function StateOf({ agent }: { readonly agent: Agent }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {agent.paused && agent.status !== "archived" ? (
        <StatusBadge status="paused" />
      ) : (
        <StatusBadge status={agent.deployment ? "live" : agent.status} />
      )}
      {agent.deployment ? <Badge>version {agent.deployment.version}</Badge> : null}
    </span>
  );
}

/** Skills of the version that works here: the draft may say others. */
function SkillsAtWork({ agent }: { readonly agent: string }) {
  const { data } = useLive(readTrust(agent));
  return data ? <Skills names={data.skills.map(({ skill }) => skill)} /> : <Skeleton className="h-4 w-40" />;
}

const Skills = ({ names }: { readonly names: readonly string[] }) => (
  <span className="text-muted">
    {counted(names.length, "skill")}: {names.join(", ")}
  </span>
);

function TrustOf({ agent }: { readonly agent: string }) {
  const { data } = useLive(readTrust(agent));
  return data ? <TrustMeter {...data} /> : <Skeleton className="h-4 w-24" />;
}
