import { getRouteApi } from "@tanstack/react-router";
import { revokeSession } from "../../api/admin.ts";
import type { Answer } from "../../api/client.ts";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { sessionsOf } from "./loaders.ts";
import { Passkeys } from "./passkeys.tsx";

type Listed = Answer<"/v1/admin/sessions">["data"][number];

const route = getRouteApi("/shell/sessions");
const methods = { key: "Key", link: "Link", oidc: "OpenID Connect", passkey: "Passkey" } as const;

/** Where one is signed in, and by what; for admins everybody's sessions. */
export function SessionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(sessionsOf(search), { every: 15_000 });
  const change = useChange(revokeSession, ["/v1/admin/sessions"]);
  const end = ({ session_id }: Listed): void =>
    void change.mutateAsync(session_id).then(() => toast("Session ended."), toastProblem);
  return (
    <>
      <PageHead title="Sessions and passkeys" lead="Your sessions and passkeys. Admins see everyone's sessions." />
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        <Table label="Sessions" columns={columnsOf(end)} rows={data.data} rowKey={({ session_id }) => session_id} />
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { cursor } })}
        />
      </div>
      <Passkeys />
    </>
  );
}

const columnsOf = (end: (session: Listed) => void): readonly Column<Listed>[] => [
  {
    name: "Person",
    cell: (session) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <span className="font-medium">{session.member_name}</span>
        {session.current ? <Badge tone="accent">this session</Badge> : null}
      </span>
    ),
  },
  {
    name: "Where",
    cell: ({ browser, address }) => (
      <span className="grid">
        <span>{browserName(browser)}</span>
        <code className="id text-muted">{address ?? "unknown address"}</code>
      </span>
    ),
  },
  { name: "Signed in by", cell: ({ method }) => methods[method] },
  { name: "Last used", cell: ({ last_used_at }) => <RelativeTime time={last_used_at} className="text-muted" /> },
  { name: "Ends", cell: ({ expires_at }) => <RelativeTime time={expires_at} className="text-muted" /> },
  {
    name: "Change",
    right: true,
    cell: (session) =>
      session.current ? null : (
        <Button size="small" aria-label={`End the session of ${session.member_name}`} onClick={() => end(session)}>
          End
        </Button>
      ),
  },
];

/** The name of a browser and its system, as far as people know them by one. */
function browserName(agent: string | null): string {
  if (agent === null) return "No browser";
  const browser = [/Edg\//, /Firefox\//, /Chrome\//, /Safari\//].findIndex((pattern) => pattern.test(agent));
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent)?.[1];
  const name = ["Edge", "Firefox", "Chrome", "Safari"][browser] ?? agent.split("/")[0] ?? agent;
  return system ? `${name} on ${system === "Mac OS X" ? "macOS" : system}` : name;
}
