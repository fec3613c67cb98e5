import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useChange, usePrefetched } from "../../../api/queries.ts";
import { useMay } from "../../../api/rights.ts";
import { listTeams, removeTeam, type Team } from "../../../api/teams.ts";
import { counted, duration, visible } from "../../../lib/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card, Facts, PageHead } from "../../../ui/card.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { useShortcuts } from "../../../ui/shortcuts.ts";
import { EmptyState } from "../../../ui/states.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { days } from "./draft.ts";
import { EditTeam } from "./edit.tsx";

/** Teams that take conversations over, with members and opening hours. */
export function TeamsPage() {
  const { data } = usePrefetched(listTeams(), { every: 30_000 });
  const [adding, setAdding] = useState(false);
  const mayChange = useMay("admin:write");
  useShortcuts("Teams", mayChange ? [{ keys: "n", label: "New team", run: () => setAdding(true) }] : []);
  const add = mayChange ? (
    <Button
      kind="primary"
      icon={<Plus className="size-4" aria-hidden="true" />}
      shortcut="n"
      onClick={() => setAdding(true)}
    >
      New team
    </Button>
  ) : undefined;
  return (
    <>
      <PageHead
        title="Teams"
        lead="Queues of people who take conversations over from agents, and readers of documents."
        above={
          <Link to="/conversations" search={{}}>
            Conversations
          </Link>
        }
        actions={data.data.length === 0 ? null : add}
      />
      {data.data.length === 0 ? (
        <div className="rounded-lg border border-line bg-surface shadow-card">
          <EmptyState title="No teams yet" action={add}>
            Without one, conversations wait for anybody who may answer, at all hours.
          </EmptyState>
        </div>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
          {data.data
            .toSorted((a, b) => a.title.localeCompare(b.title))
            .map((team) => (
              <TeamCard key={team.team} team={team} mayChange={mayChange} />
            ))}
        </div>
      )}
      {adding ? <EditTeam team={null} onClose={() => setAdding(false)} /> : null}
    </>
  );
}

function TeamCard({ team, mayChange }: { readonly team: Team; readonly mayChange: boolean }) {
  const [asked, setAsked] = useState<"change" | "remove" | null>(null);
  return (
    <Card
      title={visible(team.title)}
      aside={
        <Badge tone={team.open ? "good" : "neutral"}>
          <span>
            {team.open ? "Open" : "Closed"}
            {team.opens_at === null ? null : (
              <>
                , opens <RelativeTime time={team.opens_at} />
              </>
            )}
          </span>
        </Badge>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Facts facts={factsOf(team)} />
        {mayChange ? (
          <div className="flex flex-wrap gap-2">
            <Button size="small" kind="primary" onClick={() => setAsked("change")}>
              Change…
            </Button>
            <Button size="small" onClick={() => setAsked("remove")}>
              Remove…
            </Button>
          </div>
        ) : null}
      </div>
      {asked === "change" ? <EditTeam team={team.team} onClose={() => setAsked(null)} /> : null}
      {asked === "remove" ? <Remove team={team} onClose={() => setAsked(null)} /> : null}
    </Card>
  );
}

const assignmentWords: Readonly<Record<Team["assignment"], string>> = {
  claim: "members take what waits",
  round_robin: "in turn",
  least_loaded: "to whoever has the fewest",
};

function factsOf(team: Team): Parameters<typeof Facts>[0]["facts"] {
  const { members, hours, outside, assignment, targets, saved_replies } = team;
  const silent = members.filter(({ answers }) => !answers).length;
  const goals = [
    targets.waiting_seconds !== undefined && `taken within ${duration(targets.waiting_seconds * 1000)}`,
    targets.first_answer_seconds !== undefined && `answered within ${duration(targets.first_answer_seconds * 1000)}`,
  ].filter((goal) => goal !== false);
  const languages = Object.keys(outside);
  return [
    [
      "Name",
      <code key="name" className="id">
        {team.team}
      </code>,
    ],
    [
      "Members",
      <span key="members" className="wrap-anywhere">
        {members.length === 0 ? "nobody" : members.map(({ name }) => visible(name)).join(", ")}
        {silent > 0 ? <span className="text-muted">; {counted(silent, "role")} may not answer</span> : null}
      </span>,
    ],
    ["Hours", hours === null ? "always open" : <Hours key="hours" hours={hours} />],
    hours !== null && [
      "Outside them",
      languages.length === 0 ? "a sentence of the service" : `own text in ${languages.join(", ")}`,
    ],
    ["Assignment", assignmentWords[assignment]],
    goals.length > 0 && ["Service levels", goals.join(", ")],
    saved_replies.length > 0 && ["Saved replies", counted(saved_replies.length, "reply", "replies")],
    [
      "Conversations",
      <Link
        key="conversations"
        to="/conversations"
        search={{ team: team.team, view: "all" }}
        className="text-accent underline underline-offset-2"
      >
        of this team
      </Link>,
    ],
  ];
}

/** The week in few lines: days with the same times together. */
function Hours({ hours }: { readonly hours: NonNullable<Team["hours"]> }) {
  const lines: { first: string; last: string; times: string }[] = [];
  for (const [day, name] of days) {
    const times = (hours.weekly[day] ?? []).map(({ from, to }) => `${from}–${to}`).join(", ");
    const before = lines.at(-1);
    if (before?.times === times) before.last = name;
    else lines.push({ first: name, last: name, times });
  }
  return (
    <ul>
      {lines
        .filter(({ times }) => times !== "")
        .map(({ first, last, times }) => (
          <li key={first}>
            {first === last ? first : `${first} to ${last}`}: <span className="tabular-nums">{times}</span>
          </li>
        ))}
      <li className="text-muted">
        {hours.time_zone}
        {hours.holidays === undefined || hours.holidays.length === 0
          ? ""
          : `, ${counted(hours.holidays.length, "holiday")}`}
      </li>
    </ul>
  );
}

function Remove({ team: { team, title }, onClose }: { readonly team: Team; readonly onClose: () => void }) {
  const change = useChange(removeTeam, ["/v1/admin/teams", "/v1/chat/queues"]);
  const submit = (): void =>
    change.mutate(team, {
      onSuccess: () => {
        toast(`${title} is removed.`);
        onClose();
      },
    });
  return (
    <FormDialog
      title={`Remove ${title}`}
      word="Remove"
      kind="danger"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>Documents that name it as a reader are hidden from its members at once. Its conversations are kept.</p>
    </FormDialog>
  );
}
