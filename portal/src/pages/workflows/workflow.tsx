import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Workflow } from "../../api/workflow-types.ts";
import { readWorkflow, resumeWorkflow } from "../../api/workflows.ts";
import { counted, percent } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Notice } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { Design } from "./design/design.tsx";
import { Archive, Pause, Publish, RollBack } from "./dialogs.tsx";
import { StateOf } from "./list.tsx";
import { runsOf } from "./loaders.ts";
import { Runs } from "./runs.tsx";
import type { WorkflowSearch } from "./search.ts";
import { StartRun } from "./start.tsx";
import { Triggers } from "./triggers.tsx";
import { Versions } from "./versions.tsx";

const route = getRouteApi("/shell/workflows/$workflow");

type Asked = "run" | "publish" | "pause" | "rollback" | "archive";

/** One workflow: its draft as text and picture, its runs, versions and triggers. */
export function WorkflowPage() {
  const { workflow: name } = route.useParams();
  const { tab = "design" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: of } = usePrefetched(readWorkflow(name), { every: 10_000 });
  const workflow = of.value;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  return (
    <>
      <PageHead
        title={workflow.name}
        lead={workflow.description}
        above={
          <>
            <Link to="/workflows">Workflows</Link>
            <StateOf workflow={workflow} />
            <Success workflow={workflow} />
          </>
        }
        actions={<Actions workflow={workflow} onAsk={setAsked} />}
      />
      {workflow.pause ? (
        <div className="mb-4">
          <Notice tone="warn">
            Its triggers are off since <RelativeTime time={workflow.pause.since} />: {workflow.pause.reason}
          </Notice>
        </div>
      ) : null}
      <Tabs
        label="Workflow sections"
        current={tab}
        onChange={(next) => void navigate({ search: { tab: next as WorkflowSearch["tab"] }, resetScroll: false })}
        tabs={[
          { id: "design", title: "Design", content: () => <Design of={of} onPublish={() => setAsked("publish")} /> },
          { id: "runs", title: "Runs", content: () => <RunsOf workflow={name} /> },
          { id: "versions", title: "Versions", content: () => <Versions workflow={workflow} /> },
          { id: "triggers", title: "Triggers", content: () => <Triggers workflow={workflow} /> },
        ]}
      />
      {asked === "run" ? <StartRun workflow={workflow} onClose={close} /> : null}
      {asked === "publish" ? <Publish workflow={workflow} onClose={close} /> : null}
      {asked === "pause" ? <Pause workflow={workflow} onClose={close} /> : null}
      {asked === "rollback" ? <RollBack workflow={workflow} onClose={close} /> : null}
      {asked === "archive" ? <Archive workflow={workflow} onClose={close} /> : null}
    </>
  );
}

function Success({ workflow: { success_rate: success } }: { readonly workflow: Workflow }) {
  if (success === null) return null;
  return (
    <span>
      {percent(success.rate)} of {counted(success.runs, "run")} completed ({percent(success.low)} to{" "}
      {percent(success.high)})
    </span>
  );
}

interface ActionsProps {
  readonly workflow: Workflow;
  readonly onAsk: (asked: Asked) => void;
}

function Actions({ workflow, onAsk }: ActionsProps) {
  const mayWrite = useMay("workflows:write");
  const mayRun = useMay("workflows:run");
  const resume = useChange(resumeWorkflow, ["/v1/workflows", "/v1/workflows/{workflow}"]);
  const onResume = (): void =>
    resume.mutate(
      { workflow: workflow.name },
      { onSuccess: () => toast("Its triggers start runs again."), onError: toastProblem },
    );
  const live = workflow.live_version !== null;
  if (workflow.status === "archived") return null;
  return (
    <>
      {mayWrite ? <Button onClick={() => onAsk("archive")}>Archive…</Button> : null}
      {mayWrite && live && (workflow.latest_version ?? 1) > 1 ? (
        <Button onClick={() => onAsk("rollback")}>Roll back…</Button>
      ) : null}
      {mayWrite && live && !workflow.paused ? <Button onClick={() => onAsk("pause")}>Pause triggers…</Button> : null}
      {mayWrite && workflow.paused ? (
        <Button busy={resume.isPending} onClick={onResume}>
          Resume triggers
        </Button>
      ) : null}
      {mayRun && live ? (
        <Button kind="primary" onClick={() => onAsk("run")}>
          Run…
        </Button>
      ) : null}
    </>
  );
}

function RunsOf({ workflow }: { readonly workflow: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(runsOf(workflow, search), { every: 3000 });
  return (
    <Runs
      page={data}
      workflow={workflow}
      status={search.status}
      cursor={search.cursor}
      onFilter={(status) => void navigate({ search: { ...search, status, cursor: undefined }, replace: true })}
      onPage={(cursor) => void navigate({ search: { ...search, cursor } })}
    />
  );
}
