import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { readDecisionText, readRecord } from "../../api/audit.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { saveText } from "../../lib/csv.ts";
import { exactly } from "../../lib/time.ts";
import { spoken } from "../../lib/words.ts";
import type { Verified } from "../../proof/verify.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { CopyText } from "../../ui/code.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";

/** The record of a task's dispatch. Who may not read the log is shown its reference: to ask for the record would be a refused call, each time. */
export function Proof({ auditRef, task }: { readonly auditRef: string; readonly task: string }) {
  if (useMay("audit:read")) return <ReadProof auditRef={auditRef} task={task} />;
  return (
    <Card title="Record and proof">
      <div className="grid gap-3 text-sm">
        <CopyText text={auditRef} label="audit reference" />
        <p className="text-muted">
          Auditors can read and verify the record by this reference. Your role lacks the permission{" "}
          <code className="id">audit:read</code>.
        </p>
      </div>
    </Card>
  );
}

/** What each stage decided, and the proof of it, verified in this browser. */
function ReadProof({ auditRef, task }: { readonly auditRef: string; readonly task: string }) {
  const { data: record, error } = useLive(readRecord(auditRef));
  const verify = useChange(async (of: Schema<"AuditRecord">) =>
    (await import("../../proof/verify.ts")).verifyRecord(of, auditRef),
  );
  const saved = useChange(async () =>
    saveText(`${task}.decision.json`, await readDecisionText(task), "application/json"),
  );
  const [shown, setShown] = useState(false);
  return (
    <Card title="Record and proof">
      <div className="grid gap-3 text-sm">
        <CopyText text={auditRef} label="audit reference" />
        {error ? <ErrorState error={error} /> : null}
        {record ? null : error ? null : <Skeleton lines={3} />}
        {record ? <Stages record={record} /> : null}
        {record ? (
          <Button
            busy={verify.isPending}
            onClick={() => {
              setShown(true);
              verify.mutate(record);
            }}
          >
            Verify in this browser
          </Button>
        ) : null}
        {verify.error ? <ErrorState error={verify.error} /> : null}
        {shown && verify.data ? <Verdict verdict={verify.data} /> : null}
        <Button busy={saved.isPending} onClick={() => saved.mutate(undefined)}>
          Save the decision record
        </Button>
        <p className="text-muted">
          Who asked, which version ran, what policies and people decided, what it called, and every record with its
          proof: a file that <code className="id">aos audit verify</code> verifies without this service.
        </p>
        {saved.error ? <ErrorState error={saved.error} /> : null}
      </div>
    </Card>
  );
}

const look = { allow: "good", recorded: "good", deny: "bad" } as const;

function Stages({ record }: { readonly record: Schema<"AuditRecord"> }) {
  return (
    <ol className="grid gap-1.5" aria-label="Stage decisions">
      {record.stages.map(({ stage, verdict, reasons }) => (
        <li key={stage} className="flex flex-wrap items-baseline justify-between gap-x-3" title={reasons.join("; ")}>
          <span>{spoken(stage)}</span>
          <Badge tone={look[verdict as keyof typeof look] ?? "neutral"}>{spoken(verdict).toLowerCase()}</Badge>
        </li>
      ))}
    </ol>
  );
}

function Verdict({ verdict }: { readonly verdict: Verified }) {
  if (verdict.state === "refused") {
    return (
      <div role="alert" className="rounded-md border border-bad/40 bg-bad-soft p-3">
        <p className="flex items-center gap-2 font-semibold text-bad">
          <ShieldAlert className="size-4 shrink-0" aria-hidden="true" /> Not verified
        </p>
        <p className="mt-1">{verdict.reason}</p>
      </div>
    );
  }
  return (
    <div role="status" className="grid gap-2 rounded-md border border-good/40 bg-good-soft p-3">
      <p className="flex items-center gap-2 font-semibold text-good">
        <ShieldCheck className="size-4 shrink-0" aria-hidden="true" /> Verified in this browser
      </p>
      <p>Exactly this record stands in the log, which a signed checkpoint covers.</p>
      <Facts
        facts={[
          ["Record", `number ${verdict.index.toLocaleString("en")} of ${verdict.size.toLocaleString("en")}`],
          [
            "Log",
            <code key="log" className="id break-all">
              {verdict.log}
            </code>,
          ],
          ["Key known since", exactly(verdict.key.since)],
        ]}
      />
      <p className="text-muted">
        Compare this key once with the one from your operator:{" "}
        <CopyText text={verdict.key.text} label="key of the log" short />
      </p>
    </div>
  );
}
