import { getRouteApi, Link } from "@tanstack/react-router";
import type { InstallSummary } from "../../api/installs.ts";
import { usePrefetched } from "../../api/queries.ts";
import { visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Chips } from "../../ui/field.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { installsOf } from "./install-loaders.ts";
import { driftWords, stateWords } from "./install-words.ts";
import { Rooms } from "./rooms.tsx";
import { kindWords } from "./words.ts";

const route = getRouteApi("/shell/marketplace/installs");

/** What is installed in this environment. */
export function InstallsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(installsOf(search), { every: 10_000 });
  return (
    <>
      <PageHead title="Installs" lead="What came from the marketplace into this environment, and how it stands." />
      <Rooms />
      <Chips
        label="Filter installs"
        options={[["yes", "Removed ones, too"]]}
        chosen={search.removed ? [search.removed] : []}
        onChange={([removed]) => void navigate({ search: removed === "yes" ? { removed } : {} })}
      />
      <div className="mt-4 overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <Nothing />
        ) : (
          <Table label="Installs" columns={columns} rows={data.data} rowKey={({ install_id }) => install_id} />
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

function Nothing() {
  return (
    <EmptyState
      title="Nothing is installed here"
      action={
        <Link to="/marketplace" search={{}} className={buttonClass("primary")}>
          Browse the catalogue
        </Link>
      }
    >
      The catalogue has agents, workflows and datasets that work without a connection or a model provider. An install
      makes drafts only: nothing runs before you train, measure and deploy it.
    </EmptyState>
  );
}

const columns: readonly Column<InstallSummary>[] = [
  {
    name: "Install",
    cell: ({ install_id: install, title, kind, name, suffix }) => (
      <span className="grid gap-0.5">
        <Link
          to="/marketplace/installs/$install"
          params={{ install }}
          search={{}}
          className="font-medium hover:underline"
        >
          {visible(title)}
        </Link>
        <span className="text-xs text-muted">
          {kindWords[kind]}, <code className="id">{`${name}${suffix}`}</code>
        </span>
      </span>
    ),
  },
  { name: "Version", cell: (install) => <VersionOf install={install} /> },
  { name: "State", cell: (install) => <StateOf install={install} /> },
  {
    name: "Drift",
    cell: ({ drift, state }) =>
      state === "removed" ? "–" : <Badge tone={driftWords[drift][1]}>{driftWords[drift][0]}</Badge>,
  },
  {
    name: "Changed",
    cell: ({ updated_at }) => <RelativeTime time={updated_at} className="text-muted" />,
    wideOnly: true,
  },
];

function VersionOf({ install: { version, update, install_id: install, state } }: { readonly install: InstallSummary }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5 tabular-nums">
      {version}
      {update === null || state === "removed" ? null : (
        <Link to="/marketplace/installs/$install" params={{ install }} search={{ update: "yes" }}>
          <Badge tone={update.asks_more ? "warn" : "info"}>
            {update.version} available{update.asks_more ? ", asks for more" : ""}
          </Badge>
        </Link>
      )}
    </span>
  );
}

/** Its state, and the recall that holds it. */
export function StateOf({
  install: { state, recall },
}: {
  readonly install: Pick<InstallSummary, "state" | "recall">;
}) {
  const [word, tone] = stateWords[state];
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Badge tone={tone}>{word}</Badge>
      {recall === null ? null : <Badge tone="bad">{recall.kind === "recall" ? "Recalled" : "Quarantined"}</Badge>}
    </span>
  );
}
