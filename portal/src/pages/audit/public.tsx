import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useChange } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { exactly } from "../../lib/time.ts";
import { spoken } from "../../lib/words.ts";
import type { Verified } from "../../proof/verify.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/card.tsx";
import { CopyText } from "../../ui/code.tsx";
import { ErrorState } from "../../ui/states.tsx";

interface RecordCheckProps {
  /** The record that was asked for: an honest record of another call proves nothing about it. */
  readonly auditRef: string;
  readonly record: Schema<"AuditRecord">;
}

/** What the stages decided about a call, and the check of its proof in this browser. */
export function RecordCheck({ auditRef, record }: RecordCheckProps) {
  const verify = useChange(async (of: Schema<"AuditRecord">) =>
    (await import("../../proof/verify.ts")).verifyRecord(of, auditRef),
  );
  const [shown, setShown] = useState(false);
  return (
    <>
      <Stages record={record} />
      <Button
        busy={verify.isPending}
        onClick={() => {
          setShown(true);
          verify.mutate(record);
        }}
      >
        Verify in this browser
      </Button>
      {verify.error ? <ErrorState error={verify.error} /> : null}
      {shown && verify.data ? <Verdict verdict={verify.data} /> : null}
    </>
  );
}

const look = { allow: "good", recorded: "good", deny: "bad" } as const;

/** What each stage decided. */
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

/** What came of the proof. */
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
