import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { listMissionTasks, type Mission, readMission, readMissionBudget } from "../../api/missions.ts";
import { usePrefetched } from "../../api/queries.ts";
import { exactly } from "../../lib/time.ts";
import { counted, spoken } from "../../lib/words.ts";
import { PageHead } from "../../ui/card.tsx";
import { CopyText } from "../../ui/code.tsx";
import { useDocumentTitle } from "../../ui/document-title.ts";
import { HeldNotice } from "../../ui/held.tsx";
import { EmptyState, Notice } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { Actions, ProposeButton } from "./actions.tsx";
import { boardOf } from "./board.ts";
import { OpenDecision } from "./decisions.tsx";
import { StateOf } from "./list.tsx";
import { MeasureCard } from "./measure.tsx";
import { PlanBoard, StepDetails } from "./plan-board.tsx";
import { ProposedPlan } from "./proposed.tsx";
import { Report } from "./report.tsx";
import type { MissionSearch } from "./search.ts";
import { Settings } from "./settings.tsx";
import { SpendCard } from "./spend.tsx";
import { MissionTimeline } from "./timeline.tsx";

const route = getRouteApi("/shell/missions/$mission");
const going = new Set(["running", "blocked", "paused"]);

/** One mission: the goal and its measure, spend, decisions to answer, the plan as a board, what happened, and the report. */
export function MissionPage() {
  const { mission: id } = route.useParams();
  const { tab = "plan" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: mission } = usePrefetched(readMission(id), {
    every: (known) => (known && going.has(known.status) ? 3000 : 15_000),
  });
  useDocumentTitle(`${mission.goal.slice(0, 60)}: ${spoken(mission.status)}`);
  return (
    <>
      <PageHead
        title={<span className="line-clamp-3 text-xl sm:text-2xl">{mission.goal}</span>}
        lead={<Lead mission={mission} />}
        above={
          <>
            <Link to="/missions">Missions</Link>
            <StateOf mission={mission} />
          </>
        }
        actions={<Actions mission={mission} />}
      />
      <Attention mission={mission} />
      <div className="mb-5 grid items-stretch gap-4 lg:grid-cols-2 [&>*]:h-full">
        <MeasureCard measure={mission.measure} measured={mission.measured} />
        <SpendCard spend={mission.spend} />
      </div>
      <Tabs
        label="Mission sections"
        current={tab}
        onChange={(next) => void navigate({ search: { tab: next as MissionSearch["tab"] }, resetScroll: false })}
        tabs={[
          { id: "plan", title: "Plan", content: () => <PlanTab mission={mission} /> },
          { id: "timeline", title: "Timeline", content: () => <MissionTimeline mission={id} /> },
          { id: "report", title: "Report", content: () => <Report mission={id} /> },
          { id: "settings", title: "Settings", content: () => <Settings mission={mission} /> },
        ]}
      />
    </>
  );
}

const link = "font-medium text-accent underline underline-offset-2";

function Lead({ mission }: { readonly mission: Mission }) {
  const { agents, deadline, workflow, run_id: run } = mission;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>{agents.join(", ")}</span>
      {deadline === null ? null : (
        <span title={exactly(deadline)}>
          due <RelativeTime time={deadline} />
        </span>
      )}
      {workflow !== null && run !== null ? (
        <Link to="/workflows/$workflow/runs/$run" params={{ workflow, run }} className={link}>
          Its run, step by step
        </Link>
      ) : null}
      <CopyText text={mission.mission_id} />
    </span>
  );
}

/** What people have to see first: how it was closed, what keeps it from going on, the question that waits. */
function Attention({ mission }: { readonly mission: Mission }) {
  const { outcome, next_decision: decision, open_decisions: open } = mission;
  // Open decisions stand here themselves, to be answered; a plan is proposed and accepted below.
  const blockers = mission.blockers.filter(({ code }) => code !== "no_plan" && !code.startsWith("open_"));
  // The question that waits is answered right here.
  const held = decision === null || mission.held_by?.source !== decision.decision_id ? mission.held_by : null;
  if (outcome === null && blockers.length === 0 && decision === null && held === null) return null;
  return (
    <div className="mb-5 grid grid-cols-[minmax(0,1fr)] gap-3">
      {outcome === null ? null : (
        <Notice tone={outcome.result === "reached" ? "good" : "info"}>
          <span className="font-semibold">{spoken(outcome.result)}.</span> {outcome.note}
        </Notice>
      )}
      <HeldNotice held={held} />
      {blockers.map(({ code, detail, remedy }) => (
        <Notice key={code} tone="bad">
          <span className="font-semibold">{detail}</span> {remedy}
        </Notice>
      ))}
      {decision === null ? null : <OpenDecision key={decision.decision_id} decision={decision} />}
      {open > 1 ? <p className="text-sm text-muted">{counted(open - 1, "more decision")} after this one.</p> : null}
    </div>
  );
}

function PlanTab({ mission }: { readonly mission: Mission }) {
  const { step: selected = null } = route.useSearch();
  const navigate = route.useNavigate();
  const every = going.has(mission.status) ? 3000 : 15_000;
  const { data: tasks } = usePrefetched(listMissionTasks(mission.mission_id), { every });
  const { data: budget } = usePrefetched(readMissionBudget(mission.mission_id), { every });
  const { accepted_plan: plan, proposed_plan: proposed } = mission;
  const cards = useMemo(() => (plan === null ? [] : boardOf(plan, tasks.data, budget)), [plan, tasks.data, budget]);
  const card = cards.find(({ step }) => step.id === selected);
  const onSelect = (step: string): void =>
    void navigate({
      search: (before) => ({ ...before, step: step === selected ? undefined : step }),
      replace: true,
      resetScroll: false,
    });
  if (plan === null && proposed === null)
    return (
      <EmptyState title="No plan yet" action={<ProposeButton mission={mission} />}>
        A plan says which agent does what, for which inputs, at which expected cost and risk. Nothing runs before people
        have accepted one.
      </EmptyState>
    );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {proposed === null ? null : <ProposedPlan plan={proposed} />}
      {plan === null ? null : <PlanBoard cards={cards} selected={selected} onSelect={onSelect} />}
      {card ? <StepDetails card={card} /> : null}
      {tasks.has_more ? (
        <p className="text-sm text-muted">Only the first {tasks.data.length.toLocaleString("en")} tasks are counted.</p>
      ) : null}
    </div>
  );
}
