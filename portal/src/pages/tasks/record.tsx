import { readDecisionText, readRecord } from "../../api/audit.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { saveText } from "../../lib/csv.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyText } from "../../ui/code.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RecordCheck } from "../audit/public.tsx";

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
  const saved = useChange(async () =>
    saveText(`${task}.decision.json`, await readDecisionText(task), "application/json"),
  );
  return (
    <Card title="Record and proof">
      <div className="grid gap-3 text-sm">
        <CopyText text={auditRef} label="audit reference" />
        {error ? <ErrorState error={error} /> : null}
        {record ? null : error ? null : <Skeleton lines={3} />}
        {record ? <RecordCheck auditRef={auditRef} record={record} /> : null}
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
