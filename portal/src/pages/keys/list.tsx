import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { usePrefetched } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { spoken } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Chips } from "../../ui/field.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { IssueKey } from "./issue.tsx";
import { keysOf } from "./loaders.ts";
import { RevokeKey } from "./revoke.tsx";

type Key = Schema<"Key">;

const route = getRouteApi("/shell/keys");
const states = [
  ["active", "Active"],
  ["expired", "Expired"],
  ["revoked", "Revoked"],
] as const;

/** Who may call in this environment, and what; new keys are made and old ones ended here. */
export function KeysPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(keysOf(search), { every: 15_000 });
  const [issuing, setIssuing] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  useShortcuts("Keys", [{ keys: "n", label: "New key", run: () => setIssuing(true) }]);
  const { state = "active" } = search;
  return (
    <>
      <PageHead
        title="Keys"
        lead="Each key has one environment and one role, and can be narrowed further. It is shown only once, when it is created."
        actions={
          <Button
            kind="primary"
            icon={<Plus className="size-4" aria-hidden="true" />}
            shortcut="n"
            onClick={() => setIssuing(true)}
          >
            New key
          </Button>
        }
      />
      <Chips
        label="Filter keys"
        options={states}
        chosen={[state]}
        onChange={(next) =>
          void navigate({ search: { state: states.find(([word]) => word !== state && next.includes(word))?.[0] } })
        }
      />
      <div className="mt-4 overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <Nothing state={state} />
        ) : (
          <Table label="Keys" columns={columnsOf(setRevoking)} rows={data.data} rowKey={({ key_id }) => key_id} />
        )}
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
        />
      </div>
      <IssueKey open={issuing} onClose={() => setIssuing(false)} />
      <RevokeKey of={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

const columnsOf = (revoke: (key: Key) => void): readonly Column<Key>[] => [
  {
    name: "Key",
    cell: (key) => (
      <span className="grid">
        <span className="font-medium">{key.name}</span>
        <code className="id text-muted">
          {key.start}…{key.last_four}
        </code>
      </span>
    ),
  },
  { name: "Acts for", cell: (key) => <Holder holder={key} /> },
  { name: "Role", cell: (key) => <Rights holder={key} /> },
  { name: "Last used", cell: (key) => <RelativeTime time={key.last_used_at} className="text-muted" /> },
  {
    name: "Ends",
    cell: (key) =>
      key.revoked_at ? (
        <span className="grid justify-items-start gap-1">
          <StatusBadge status="revoked" />
          <RelativeTime time={key.revoked_at} className="text-muted" />
        </span>
      ) : (
        <RelativeTime time={key.expires_at} className="text-muted" />
      ),
  },
  {
    name: "Change",
    right: true,
    cell: (key) =>
      key.state === "active" ? (
        <Button size="small" aria-label={`Revoke ${key.name}`} onClick={() => revoke(key)}>
          Revoke
        </Button>
      ) : null,
  },
];

function Holder({ holder }: { readonly holder: Key }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {holder.member_name}
      {holder.member_kind === "service_account" ? <Badge>service account</Badge> : null}
    </span>
  );
}

/** The role, and what narrows it. */
function Rights({ holder }: { readonly holder: Key }) {
  const bounds = [holder.scopes, holder.agents, holder.addresses].flatMap((bound) => (bound ? [bound.join(", ")] : []));
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone={holder.role === "admin" ? "accent" : "neutral"}>{spoken(holder.role)}</Badge>
      {bounds.map((bound) => (
        <code key={bound} className="id text-muted">
          {bound}
        </code>
      ))}
      {holder.rate_per_second ? (
        <span className="text-xs text-muted">{holder.rate_per_second} calls a second</span>
      ) : null}
    </span>
  );
}

function Nothing({ state }: { readonly state: string }) {
  if (state !== "active")
    return (
      <EmptyState title={`No ${state} keys`}>
        Expired and revoked keys stay listed because audit records refer to them.
      </EmptyState>
    );
  return (
    <EmptyState title="No active keys" command="bin/aos keys create --environment production --role operator">
      Create one with an admin key of this environment, or on the host:
    </EmptyState>
  );
}
