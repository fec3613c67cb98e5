import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { useInvalidate, usePrefetched } from "../../../api/queries.ts";
import type { RunDetail } from "../../../api/workflow-types.ts";
import { hearRun, readRun, readVersion } from "../../../api/workflows.ts";
import { counted, spoken, usd } from "../../../lib/words.ts";
import { Badge, StatusBadge } from "../../../ui/badge.tsx";
import { Card, PageHead } from "../../../ui/card.tsx";
import { CopyText } from "../../../ui/code.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useDocumentTitle } from "../../../ui/document-title.ts";
import { HeldNotice } from "../../../ui/held.tsx";
import { useMedia } from "../../../ui/media.ts";
import { Progress } from "../../../ui/progress.tsx";
import { Notice } from "../../../ui/states.tsx";
import { StepList } from "../graph/list.tsx";
import { type Graph, graphOf } from "../graph/model.ts";
import { Picture } from "../graph/picture.tsx";
import { wideEnough } from "../search.ts";
import { Controls } from "./controls.tsx";
import { RunFacts } from "./facts.tsx";
import { StepDetails } from "./step.tsx";
import { isOpen, lookOf } from "./words.ts";

const route = getRouteApi("/shell/workflows/$workflow/runs/$run");
const touched = ["/v1/workflows/{workflow}/runs/{run}"] as const;

/** One run, step by step as it happens: the picture, what a step did, decisions that it waits for, and what people can do about it. */
export function RunPage() {
  const { workflow, run: id } = route.useParams();
  const [lost, setLost] = useState(false);
  // By the stream at once; by asking in turns where a stream is not to be had.
  const every = (known: RunDetail | undefined): number | false => (known && isOpen(known) ? 3000 : false);
  const { data: run } = usePrefetched(readRun(workflow, id), { every });
  const { data: version } = usePrefetched(readVersion(workflow, run.version));
  const graph = useMemo(() => graphOf(version.definition), [version.definition]);
  const live = isOpen(run);
  useDocumentTitle(`${workflow}: ${spoken(run.status)}`);
  const invalidate = useInvalidate(touched);
  useEffect(
    () => (live ? hearRun({ workflow, run_id: id }, invalidate, setLost) : undefined),
    [workflow, id, live, invalidate],
  );
  return (
    <>
      <PageHead
        title={run.mission === null ? workflow : "Plan of a mission"}
        lead={
          <>
            Version {run.version} <CopyText text={run.run_id} />
          </>
        }
        above={
          <>
            {run.mission === null ? (
              <Link to="/workflows/$workflow" params={{ workflow }} search={{ tab: "runs" }}>
                Runs of {workflow}
              </Link>
            ) : (
              <Link to="/missions/$mission" params={{ mission: run.mission }}>
                The mission
              </Link>
            )}
            <StatusBadge status={run.status} />
            {run.asked && live && !(run.asked === "pause" && run.status === "paused") ? (
              <Badge tone="warn">{askedWords[run.asked]}</Badge>
            ) : null}
            {live && lost ? <Badge tone="warn">the live view is being taken up again</Badge> : null}
          </>
        }
        actions={<Controls run={run} undoable={graph.nodes.some(({ undo }) => undo)} />}
      />
      <Standing run={run} />
      <Steps run={run} graph={graph} />
    </>
  );
}

const askedWords: Readonly<Record<NonNullable<RunDetail["asked"]>, string>> = {
  pause: "pausing",
  cancel: "cancelling",
  cancel_and_compensate: "cancelling and compensating",
  compensate: "compensating",
};

/** Why it failed, and how far it is. */
function Standing({ run }: { readonly run: RunDetail }) {
  const { steps, completed, failed, running, waiting } = run.progress;
  const figures = [
    `${completed} of ${counted(steps, "step")} done`,
    running > 0 && `${running} running`,
    waiting > 0 && `${waiting} waiting`,
    failed > 0 && `${failed} failed`,
    run.cost_usd > 0 && usd(run.cost_usd),
  ].filter(Boolean);
  return (
    <div className="mb-4 grid grid-cols-[minmax(0,1fr)] gap-3">
      <HeldNotice held={run.held_by} />
      {run.failure ? (
        <Notice tone="bad">
          <code className="id font-semibold">{run.failure.code}</code> {run.failure.detail}
        </Notice>
      ) : null}
      {run.steps
        .filter(({ undo }) => undo === "failed")
        .map(({ step, failure }) => (
          <Notice key={step} tone="bad">
            <span className="font-semibold">{step} could not be compensated.</span> {failure?.detail}
          </Notice>
        ))}
      <div className="grid gap-1.5">
        <Progress
          value={steps === 0 ? 1 : completed / steps}
          label="Steps done"
          tone={failed > 0 ? "bad" : isOpen(run) ? "accent" : "good"}
        />
        <p className="text-sm text-muted">{figures.join(" · ")}</p>
      </div>
    </div>
  );
}

function Steps({ run, graph }: { readonly run: RunDetail; readonly graph: Graph }) {
  const { step: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const wide = useMedia(wideEnough);
  const byId = useMemo(() => new Map(run.steps.map((step) => [step.step, step])), [run.steps]);
  const selected = chosen !== undefined && graph.nodes.some(({ id }) => id === chosen) ? chosen : null;
  const onSelect = (id: string): void =>
    void navigate({ search: { step: id === selected ? undefined : id }, replace: true, resetScroll: false });
  const parts = { graph, lookOf: (id: string) => lookOf(byId.get(id)), selected, onSelect };
  const node = graph.nodes.find(({ id }) => id === selected);
  const details = node && <StepDetails key={node.id} run={run} step={byId.get(node.id) ?? null} node={node} />;
  const list = (
    <Card title="Steps" flush>
      <div className="max-h-160 overflow-auto">
        <StepList {...parts} />
      </div>
    </Card>
  );
  if (wide) {
    return (
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid min-w-0 gap-4">
          <Picture {...parts} most={78} />
          {list}
        </div>
        <div className="grid min-w-0 gap-4">{details ?? <RunFacts run={run} />}</div>
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      <Picture {...parts} most={22} overview />
      {list}
      <RunFacts run={run} />
      <Dialog open={node !== undefined} onClose={() => node && onSelect(node.id)} title={node?.title ?? ""} wide>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{details}</div>
      </Dialog>
    </div>
  );
}
