import { Link } from "@tanstack/react-router";
import type { RunDetail } from "../../../api/workflow-types.ts";
import { exactly } from "../../../lib/time.ts";
import { counted, usd } from "../../../lib/words.ts";
import { Card, Facts } from "../../../ui/card.tsx";
import { CopyText, ValueTable } from "../../../ui/code.tsx";
import { took, triggerWords } from "./words.ts";

/** What a run was started with, what it came to, and where it comes from. */
export function RunFacts({ run }: { readonly run: RunDetail }) {
  return (
    <>
      {run.output === null || run.output === undefined ? null : (
        <Card title="Output">
          <ValueTable value={run.output} label="Output" />
        </Card>
      )}
      <Card title="Input">
        <ValueTable value={run.input} label="Input" />
      </Card>
      <Card title="Details">
        <Facts facts={factsOf(run)} />
        <p className="mt-3 text-sm text-muted">Choose a step to see what it did.</p>
      </Card>
    </>
  );
}

const link = "font-medium text-accent underline underline-offset-2";

function factsOf(run: RunDetail): Parameters<typeof Facts>[0]["facts"] {
  const length = took(run.started_at, run.finished_at, Date.now());
  return [
    ["Trigger", triggerWords[run.trigger]],
    run.trigger_id !== null && ["Trigger id", <CopyText key="trigger" text={run.trigger_id} short />],
    run.parent !== null && ["Parent run", <CopyText key="parent" text={run.parent.run_id} short />],
    run.mission !== null && [
      "Mission",
      <Link key="mission" to="/missions/$mission" params={{ mission: run.mission }} className={link}>
        Open the mission
      </Link>,
    ],
    run.business_key !== null && ["Business key", run.business_key],
    run.concurrency_key !== null && ["Concurrency key", run.concurrency_key],
    ["Created", exactly(run.created_at)],
    run.started_at !== null && ["Started", exactly(run.started_at)],
    run.finished_at !== null && ["Ended", exactly(run.finished_at)],
    length !== null && [run.finished_at === null ? "Takes" : "Took", length],
    ["Cost", `${usd(run.cost_usd)}${run.tokens > 0 ? `, ${counted(run.tokens, "token")}` : ""}`],
    run.labels.length > 0 && ["Labels", run.labels.join(", ")],
    ["Started by", <CopyText key="by" text={run.started_by} short />],
    ["Audit record", <CopyText key="audit" text={run.audit_ref} short />],
  ];
}
