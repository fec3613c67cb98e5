import { getRouteApi, Link } from "@tanstack/react-router";
import { Check, OctagonX, Send } from "lucide-react";
import type { Recall } from "../../api/installs.ts";
import { usePrefetched } from "../../api/queries.ts";
import { counted, visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { CopyText } from "../../ui/code.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Moment, Timeline } from "../../ui/timeline.tsx";
import { recallsOf } from "./install-loaders.ts";
import { Person } from "./install-person.tsx";
import { StoppedOne } from "./install-recall.tsx";
import { recallWords } from "./install-words.ts";
import { Rooms } from "./rooms.tsx";

const route = getRouteApi("/shell/marketplace/recalls");
const link = "font-medium text-accent underline underline-offset-2";

/** What was stopped everywhere, why, and how fast. */
export function RecallsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(recallsOf(search), { every: 5000 });
  return (
    <>
      <PageHead title="Recalls" lead="Quarantines and recalls of listings, each with what it stopped." />
      <Rooms />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {data.data.length === 0 ? (
          <Card>
            <EmptyState title="Nothing was recalled">
              Whoever reviews listings can quarantine or recall one, on the review page. What is installed of it is then
              stopped in every environment within a minute.
            </EmptyState>
          </Card>
        ) : (
          data.data.map((recall) => <RecallCard key={recall.recall_id} recall={recall} />)
        )}
      </div>
      <div className="mt-4">
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { cursor } })}
        />
      </div>
    </>
  );
}

function RecallCard({ recall }: { readonly recall: Recall }) {
  const { kind, listing_id: listing, title, versions, reason, installs, stopped, lifted_at, recall_id } = recall;
  const over = kind === "quarantine" && lifted_at !== null;
  const named = versions.map(({ version }) => version).join(", ");
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={over ? "neutral" : "bad"}>{over ? "Quarantine, ended" : recallWords[kind]}</Badge>
          <Link
            to="/marketplace/listings/$listing"
            params={{ listing }}
            search={{}}
            className="text-base hover:underline"
          >
            {visible(title)}
          </Link>
          <span className="font-normal text-muted">
            {versions.length === 1 ? "version" : "versions"} {named}
          </span>
        </span>
      }
      aside={<CopyText text={recall_id} label="recall" short />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="max-w-prose text-sm wrap-anywhere">“{visible(reason)}”</p>
        <p className="text-sm text-muted">{reachText(installs, stopped.length)}</p>
        <Timeline label={`What happened in the ${kind} of ${title}`} moments={momentsOf(recall)} />
        {stopped.length > 0 && over ? (
          <p className="text-sm">
            Kill switches outlast a quarantine: those that nobody released are listed at{" "}
            <Link to="/" className={link}>
              Home
            </Link>
            .
          </p>
        ) : null}
      </div>
    </Card>
  );
}

const reachText = (installs: number, stopped: number): string =>
  installs === 0
    ? "It was not installed anywhere: only new installs are refused."
    : `${counted(installs, "install")} reached, ${counted(stopped, "kill switch", "kill switches")} engaged.`;

function momentsOf({ kind, by, at, stopped, done, lifted_at }: Recall): Moment[] {
  return [
    {
      key: "decided",
      time: at,
      tone: "bad" as const,
      icon: <Send className="size-3.5" aria-hidden="true" />,
      title: (
        <>
          {recallWords[kind]} decided by <Person member={by} />
        </>
      ),
    },
    ...stopped.map((stop) => ({
      key: `${stop.environment} ${stop.kind} ${stop.target}`,
      time: stop.at,
      tone: "bad" as const,
      icon: <OctagonX className="size-3.5" aria-hidden="true" />,
      title: <StoppedOne stop={stop} />,
    })),
    ...(done ? [] : [{ key: "going", time: null, tone: "warn" as const, title: "Installs are still being reached" }]),
    ...(lifted_at === null
      ? []
      : [
          {
            key: "lifted",
            time: lifted_at,
            tone: "good" as const,
            title: "Approved again: it can be installed",
            icon: <Check className="size-3.5" aria-hidden="true" />,
          },
        ]),
  ];
}
