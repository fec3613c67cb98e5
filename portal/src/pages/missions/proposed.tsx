import type { Plan, PlanStep } from "../../api/missions.ts";
import { acceptPlan, startMission } from "../../api/missions.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted, percent, usd } from "../../lib/words.ts";
import { Badge, RiskBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { touched } from "./touched.ts";

const origins: Readonly<Record<Plan["origin"], string>> = {
  template: "proposed by the service",
  model: "proposed by a model",
  person: "given by a person",
  replan: "made of what was left after a failure",
};

/** A plan that nobody has accepted: what it costs, how likely it succeeds, what it leaves open. */
export function ProposedPlan({ plan }: { readonly plan: Plan }) {
  const mayWrite = useMay("missions:write");
  const mayRun = useMay("missions:run");
  const accept = useChange(acceptPlan, touched);
  const start = useChange(startMission, touched);
  const errors = plan.findings.filter(({ severity }) => severity === "error").length > 0;
  const which = { mission: plan.mission_id, plan: plan.plan };
  return (
    <Card
      title={`Plan ${plan.plan}, ${origins[plan.origin]}`}
      aside={<Badge tone="info">not accepted</Badge>}
      className="border-info/50"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm">
        {plan.note === "" ? null : <p>{plan.note}</p>}
        <PlanTable plan={plan} />
        {plan.findings.map((finding) => (
          <Notice key={`${finding.pointer} ${finding.code}`} tone={finding.severity === "error" ? "bad" : "warn"}>
            <code className="id font-semibold">{finding.pointer}</code> {finding.detail}
          </Notice>
        ))}
        {plan.leaves_open.length > 0 ? (
          <div>
            <h3 className="mb-1 font-semibold">It leaves open</h3>
            <ul className="list-disc pl-5">
              {plan.leaves_open.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        ) : null}
        {accept.error || start.error ? <ErrorState error={accept.error ?? start.error} /> : null}
        <div className="flex flex-wrap gap-2">
          {mayRun ? (
            <Button
              kind="primary"
              disabled={errors}
              busy={start.isPending}
              onClick={() => start.mutate(which, { onSuccess: () => toast("The mission works by this plan.") })}
            >
              Accept and start
            </Button>
          ) : null}
          {mayWrite ? (
            <Button
              disabled={errors}
              busy={accept.isPending}
              onClick={() => accept.mutate(which, { onSuccess: () => toast(`Plan ${plan.plan} is accepted.`) })}
            >
              Accept
            </Button>
          ) : null}
        </div>
      </div>
    </Card>
  );
}

/** The steps of a plan with cost, risk and probability of success, and their total. */
export function PlanTable({ plan }: { readonly plan: Plan }) {
  const { tasks, cost_usd: cost, succeeding } = plan.total;
  return (
    <div className="grid gap-2">
      <div className="overflow-hidden rounded-md border border-line">
        <Table label="Steps of the plan" columns={columns} rows={plan.steps} rowKey={({ id }) => id} />
      </div>
      <p className="text-sm">
        Together {counted(tasks, "task")}, {usd(cost.value)} ({usd(cost.low)} to {usd(cost.high)}), of which{" "}
        {Math.round(succeeding.value)} ({Math.floor(succeeding.low)} to {Math.ceil(succeeding.high)}) are expected to
        succeed.
      </p>
    </div>
  );
}

const columns: readonly Column<PlanStep>[] = [
  {
    name: "Step",
    cell: ({ id, title, agent, skill, depends_on }) => (
      <span className="grid gap-0.5">
        <span className="font-medium">{title || id}</span>
        <span className="text-xs text-muted">
          {agent} · {skill}
          {depends_on.length > 0 ? ` · after ${depends_on.join(", ")}` : ""}
        </span>
      </span>
    ),
  },
  { name: "Tasks", right: true, cell: ({ tasks }) => tasks.toLocaleString("en") },
  { name: "Cost", right: true, cell: ({ cost_usd }) => usd(cost_usd.value) },
  {
    name: "Success",
    right: true,
    cell: ({ success }) => (
      <span>
        {percent(success.value)}{" "}
        <span className="text-xs text-muted">
          {percent(success.low)} to {percent(success.high)}
        </span>
      </span>
    ),
  },
  { name: "Risk", cell: ({ risk }) => <RiskBadge level={risk.level} /> },
  { name: "Approval", cell: ({ require_approval }) => (require_approval ? "each task" : "as policies ask") },
];
