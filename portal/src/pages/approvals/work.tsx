import { Clock, Hand, Undo2 } from "lucide-react";
import { useState } from "react";
import { claim, extend, release, withdraw } from "../../api/approvals.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { ownRights, useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import type { Detail } from "./words.ts";

type Form = "extend" | "withdraw";
const stale = ["/v1/approvals", "/v1/approvals/{approval}", "/v1/approvals/{approval}/history"] as const;

/** Who works on it, more time for it, and taking it back; nothing where the reader can do none of these and nobody claimed it. */
export function Work({ approval }: { readonly approval: Detail }) {
  const { data: own } = useLive(ownRights());
  const mayWrite = useMay("tasks:write");
  const mayDecide = useMay("approvals:decide");
  const [form, setForm] = useState<Form | null>(null);
  if (approval.status !== "pending") return null;
  const self = own?.principal;
  const { claim: claimed, may_decide: may } = approval;
  const mine = claimed !== null && claimed.by.id === self?.id;
  const canClaim = may.allowed && (claimed === null || mine);
  const canRelease = claimed !== null && mayDecide && (mine || self?.role === "admin");
  const canExtend = may.allowed && approval.expires_at !== null;
  const canWithdraw = mayWrite && approval.requester.id === self?.id;
  if (claimed === null && !canClaim && !canExtend && !canWithdraw) return null;
  const picture = { className: "size-4", "aria-hidden": true };
  return (
    <Card title="Who works on it">
      <p className="mb-3 text-sm text-muted">
        {claimed === null ? (
          "Nobody has claimed it. A claim tells others, and keeps nobody from deciding."
        ) : (
          <>
            <span className="font-medium text-ink">{mine ? "You" : claimed.by.name}</span> claimed it; that lapses{" "}
            <RelativeTime time={claimed.until} />.
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Claiming approval={approval} canClaim={canClaim} canRelease={canRelease} mine={mine} />
        {canExtend ? (
          <Button icon={<Clock {...picture} />} onClick={() => setForm("extend")}>
            More time…
          </Button>
        ) : null}
        {canWithdraw ? (
          <Button icon={<Undo2 {...picture} />} onClick={() => setForm("withdraw")}>
            Withdraw…
          </Button>
        ) : null}
      </div>
      {form === "extend" ? <Extend approval={approval} onClose={() => setForm(null)} /> : null}
      {form === "withdraw" ? <Withdraw approval={approval} onClose={() => setForm(null)} /> : null}
    </Card>
  );
}

interface ClaimingProps {
  readonly approval: Detail;
  readonly canClaim: boolean;
  readonly canRelease: boolean;
  readonly mine: boolean;
}

function Claiming({ approval: { approval_id: id }, canClaim, canRelease, mine }: ClaimingProps) {
  const claiming = useChange(claim, stale);
  const releasing = useChange(release, stale);
  const onError = toastProblem;
  return (
    <>
      {canClaim && !mine ? (
        <Button
          icon={<Hand className="size-4" aria-hidden="true" />}
          busy={claiming.isPending}
          onClick={() => claiming.mutate({ approval: id }, { onError })}
        >
          Claim
        </Button>
      ) : null}
      {canRelease ? (
        <Button busy={releasing.isPending} onClick={() => releasing.mutate({ approval: id }, { onError })}>
          Release
        </Button>
      ) : null}
    </>
  );
}

interface FormProps {
  readonly approval: Detail;
  readonly onClose: () => void;
}

const spans = [
  [3600, "An hour"],
  [4 * 3600, "Four hours"],
  [86_400, "A day"],
  [3 * 86_400, "Three days"],
  [7 * 86_400, "A week"],
] as const;

function Extend({ approval: { approval_id }, onClose }: FormProps) {
  const change = useChange(extend, stale);
  const faultOf = (name: string): string | null =>
    change.error?.faults.find(({ pointer }) => pointer === `/${name}`)?.detail ?? null;
  const onSuccess = (): void => {
    toast("It waits longer.");
    onClose();
  };
  const submit = (form: FormData): void => {
    const body = { seconds: Number(form.get("seconds")), reason: String(form.get("reason")).trim() };
    change.mutate({ approval: approval_id, ...body }, { onSuccess });
  };
  return (
    <FormDialog title="Give it more time" word="Extend" change={change} onSubmit={submit} onClose={onClose} atFields>
      <Select
        name="seconds"
        label="How much"
        hint="All extensions together add at most the time that it had at first."
        fault={faultOf("seconds")}
      >
        {spans.map(([seconds, word]) => (
          <option key={seconds} value={seconds}>
            {word}
          </option>
        ))}
      </Select>
      <TextArea name="reason" label="Why" rows={2} required maxLength={2000} fault={faultOf("reason")} />
    </FormDialog>
  );
}

function Withdraw({ approval: { approval_id }, onClose }: FormProps) {
  const change = useChange(withdraw, [...stale, "/v1/tasks", "/v1/tasks/{task}"]);
  const onSuccess = (): void => {
    toast("Withdrawn. Nothing was executed.");
    onClose();
  };
  const submit = (form: FormData): void =>
    change.mutate({ approval: approval_id, reason: String(form.get("reason")).trim() }, { onSuccess });
  return (
    <FormDialog
      title="Withdraw this request"
      word="Withdraw"
      kind="danger"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>The approval and its task are cancelled, and nothing is executed.</p>
      <TextArea name="reason" label="Why" rows={2} required maxLength={2000} />
    </FormDialog>
  );
}
