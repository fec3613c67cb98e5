import { useState } from "react";
import { type Delegation, listDelegations, removeDelegation } from "../../api/approvals.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { ownRights, useMay } from "../../api/rights.ts";
import { when } from "../../lib/time.ts";
import { visible } from "../../lib/words.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { NewButton } from "../../ui/new-button.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { AbsenceForm } from "./absence-form.tsx";

interface AbsencesProps {
  readonly cursor: string | undefined;
  readonly onPage: (cursor: string | undefined) => void;
}

type Asked = "add" | Delegation;

/** Who decides in whose place, and until when. */
export function Absences({ cursor, onPage }: AbsencesProps) {
  const { data, error, refetch } = useLive(listDelegations(cursor), { every: 30_000 });
  const mayDecide = useMay("approvals:decide");
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  return (
    <div className="mt-4 grid gap-3">
      {mayDecide ? <NewButton onClick={() => setAsked("add")}>Have somebody stand in</NewButton> : null}
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <EmptyState
            title="Nobody is away"
            command="bin/aos approvals settings delegations create --to mbr_… --ends-at 2027-01-04T00:00:00Z"
          >
            While you are away, another person decides in your place. Each decision carries both names.
          </EmptyState>
        ) : (
          <ul aria-label="Who stands in for whom" className="divide-y divide-line">
            {data.data.map((one) => (
              <Row key={one.delegation_id} delegation={one} onRemove={() => setAsked(one)} />
            ))}
          </ul>
        )}
        <Pagination cursor={cursor} next={data.next_cursor} onGo={onPage} />
      </div>
      {asked === "add" ? <AbsenceForm onClose={close} /> : null}
      {asked !== null && asked !== "add" ? <Remove delegation={asked} onClose={close} /> : null}
    </div>
  );
}

const tones: Readonly<Record<Delegation["state"], Tone>> = { active: "good", scheduled: "info", ended: "neutral" };

function Row({ delegation, onRemove }: { readonly delegation: Delegation; readonly onRemove: () => void }) {
  const { from, to, state, starts_at, ends_at, reason, ended_reason, created_by } = delegation;
  const { data: own } = useLive(ownRights());
  const mine = own && (own.principal.role === "admin" || [from.id, to.id].includes(own.principal.id));
  return (
    <li className="grid gap-1 px-4 py-3.5 text-sm sm:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">
          {to.name} <span className="font-normal text-muted">for</span> {from.name}
        </span>
        <Badge tone={tones[state]}>{state}</Badge>
        {mine ? (
          <Button size="small" className="ml-auto" onClick={onRemove}>
            {state === "ended" ? "Remove…" : "End…"}
          </Button>
        ) : null}
      </div>
      <p className="text-muted">
        {when(starts_at)} to {when(ends_at)}
        {created_by.id === from.id ? "" : `, by ${created_by.name}`}
      </p>
      {reason === null ? null : <p className="wrap-anywhere">{visible(reason)}</p>}
      {ended_reason === null ? null : <p className="text-muted">{ended_reason}</p>}
    </li>
  );
}

function Remove({ delegation, onClose }: { readonly delegation: Delegation; readonly onClose: () => void }) {
  const remove = useChange(removeDelegation, ["/v1/approvals/settings/delegations", "/v1/approvals"]);
  const done = {
    onSuccess: () => {
      toast("Delegation ended.");
      onClose();
    },
  };
  return (
    <FormDialog
      title={`End the delegation of ${delegation.from.name}`}
      word="End it"
      kind="danger"
      change={remove}
      onSubmit={() => remove.mutate(delegation.delegation_id, done)}
      onClose={onClose}
    >
      <p>
        {delegation.to.name} no longer decides in the place of {delegation.from.name}. Decisions that were made stand,
        with both names.
      </p>
    </FormDialog>
  );
}
