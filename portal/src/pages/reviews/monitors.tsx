import type { FormEvent } from "react";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { createMonitor, listMonitors, type Monitor, removeMonitor } from "../../api/reviews.ts";
import { useMay } from "../../api/rights.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { Stopped } from "../accountability/public.tsx";

const touched = ["/v1/evaluations/monitors"] as const;
const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;

/** What draws tasks for review, how far its queue is worked off, and how far reviewers agree. */
export function Monitors() {
  const { data } = usePrefetched(listMonitors(), { every: 15_000 });
  const may = useMay("evaluations:write");
  return (
    <Card title="Monitors">
      <div className="grid gap-5">
        {data.data.length === 0 ? (
          <p className="text-sm text-muted">
            Nothing is drawn yet. A monitor takes a share of an agent's completed tasks; 2 % is a start.
          </p>
        ) : (
          data.data.map((monitor) => <Drawn key={monitor.monitor_id} monitor={monitor} removable={may} />)
        )}
        {may ? <NewMonitor /> : null}
      </div>
    </Card>
  );
}

function Drawn({ monitor, removable }: { readonly monitor: Monitor; readonly removable: boolean }) {
  const { agent, skill, share, sampled, open, accepted, agreement } = monitor;
  const change = useChange(removeMonitor, touched);
  const remove = (): void =>
    void change.mutateAsync(monitor.monitor_id).then(() => toast("The monitor has stopped."), toastProblem);
  return (
    <div className="grid gap-2 border-b border-line pb-4 last:border-0">
      <p className="text-sm font-medium">
        {percent(share)} of {skill === null ? agent : `${agent} · ${skill}`}
      </p>
      <Stopped object={`monitor:${monitor.monitor_id}`} reason={monitor.stopped_reason} stale={touched} />
      <Facts
        facts={[
          ["Drawn", `${counted(sampled, "task")}, ${open} open`],
          ["Accepted", accepted === null ? "no verdict yet" : percent(accepted)],
          ["Two reviewers", agreementOf(agreement)],
        ]}
      />
      {removable ? (
        <div>
          <Button size="small" busy={change.isPending} onClick={remove}>
            Stop monitor
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function agreementOf({ pairs, share, kappa }: Monitor["agreement"]): string {
  if (share === null) return "none have judged the same task yet";
  const beyond = kappa === null ? "" : ` (κ ${kappa.toFixed(2)})`;
  return `agree on ${percent(share)} of ${counted(pairs, "task")}${beyond}`;
}

function NewMonitor() {
  const change = useChange(createMonitor, touched);
  const create = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const body = { agent: String(given.get("agent")).trim(), share: Number(given.get("percent")) / 100 };
    void change.mutateAsync(body).then(
      () => form.reset(),
      () => undefined,
    );
  };
  const fault = (pointer: string) => change.error?.faults.find((one) => one.pointer === pointer)?.detail ?? null;
  return (
    <form onSubmit={create} className="grid gap-3">
      <Field
        name="agent"
        label="Agent"
        required
        fault={fault("/agent") ?? (change.error?.faults.length === 0 ? change.error.message : null)}
      />
      <Field
        name="percent"
        label="Percent of completed tasks"
        type="number"
        min="0.1"
        max="100"
        step="0.1"
        defaultValue="2"
        required
        fault={fault("/share")}
      />
      <div>
        <Button type="submit" busy={change.isPending}>
          Start monitor
        </Button>
      </div>
    </form>
  );
}
