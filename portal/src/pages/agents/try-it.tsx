import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { dispatchTask, tryDispatch } from "../../api/agents.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { estimateTask, readTask } from "../../api/tasks.ts";
import type { Schema } from "../../api/types.ts";
import { fieldsOf, inputOf } from "../../lib/input-form.ts";
import { spoken } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ValueTable } from "../../ui/code.tsx";
import { EmptyState, ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { TrustMeter } from "../../ui/trust.tsx";
import { AtWork } from "./at-work.tsx";
import { EstimateCard } from "./estimate.tsx";
import { SkillInput } from "./skill-input.tsx";

type Agent = Schema<"Agent">;
type Skills = Agent["definition"]["skills"];

/** Gives the agent something to do that the version which works here can do. */
export function TryIt({ agent }: { readonly agent: Agent }) {
  if (!useMay("tasks:write"))
    return (
      <EmptyState title="You may not dispatch tasks">
        Your role lacks the permission tasks:write. Ask an admin for it.
      </EmptyState>
    );
  if (agent.deployment === null) return nothingToTry;
  return <AtWork agent={agent}>{({ skills }) => <Trial agent={agent} skills={skills} />}</AtWork>;
}

const nothingToTry = (
  <EmptyState title="Nothing to try yet">Deploy a version first; then the agent accepts tasks.</EmptyState>
);

/** A form of the skill's own input, and beside it what comes of it as it happens. */
function Trial({ agent, skills }: { readonly agent: Agent; readonly skills: Skills }) {
  const [name, setName] = useState(skills[0]?.name ?? "");
  const skill = skills.find((each) => each.name === name) ?? skills[0];
  const dispatch = useChange(dispatchTask, ["/v1/tasks"]);
  const dry = useChange(tryDispatch);
  const estimate = useChange(estimateTask);
  if (skill === undefined) return nothingToTry;
  const fields = fieldsOf(skill.input);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const asked = {
      agent: agent.agent,
      task: skill.name,
      input: inputOf(fields, form),
      ...(form.get("approval") === "on" ? { require_approval: true } : {}),
    };
    const pressed = (event.nativeEvent as SubmitEvent).submitter?.getAttribute("value");
    for (const change of [dispatch, dry, estimate]) change.reset();
    if (pressed === "dry") dry.mutate(asked);
    else if (pressed === "estimate") estimate.mutate(asked);
    else dispatch.mutate(asked);
  };
  const error = dispatch.error ?? dry.error ?? estimate.error;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Task">
        <form onSubmit={submit} className="grid gap-4" key={skill.name}>
          <SkillInput
            skills={skills}
            skill={skill.name}
            onSkill={setName}
            fields={fields}
            faultOf={(field) =>
              error?.faults.find(({ pointer }) => pointer?.split("/").includes(field))?.detail ?? null
            }
          />
          <label className="flex items-center gap-2 text-sm">
            <input type="checkbox" name="approval" className="size-4 accent-accent" /> Ask people before anything runs
          </label>
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" type="submit" value="go" busy={dispatch.isPending}>
              Dispatch task
            </Button>
            <Button type="submit" value="estimate" busy={estimate.isPending}>
              Estimate
            </Button>
            <Button type="submit" value="dry" busy={dry.isPending}>
              Dry run
            </Button>
          </div>
        </form>
      </Card>
      <div className="grid min-w-0 gap-4">
        {error ? <ErrorState error={error} /> : null}
        {dry.data ? <Decided verdict={dry.data} /> : null}
        {estimate.data ? <EstimateCard estimate={estimate.data} /> : null}
        {dispatch.data ? <Outcome task={dispatch.data.task_id} /> : null}
        {error || dry.data || estimate.data || dispatch.data ? null : (
          <div className="rounded-lg border border-dashed border-line-strong/60 px-5 py-10 text-center text-sm text-muted">
            The result appears here, step by step.
          </div>
        )}
      </div>
    </div>
  );
}

function Decided({ verdict }: { readonly verdict: Schema<"DryRun"> }) {
  return (
    <Card title="Dry run">
      <ol className="grid gap-2 text-sm">
        {verdict.stages.map(({ stage, verdict: said, reasons }) => (
          <li key={stage} className="grid gap-0.5">
            <span className="flex items-center justify-between gap-3">
              {spoken(stage)}{" "}
              <Badge tone={said === "deny" ? "bad" : said === "allow" ? "good" : "neutral"}>
                {spoken(said).toLowerCase()}
              </Badge>
            </span>
            <span className="text-muted">{reasons.join("; ")}</span>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-sm">
        {verdict.approval
          ? `Approval would be required: ${verdict.approval.reasons.join(" ")}`
          : "It would run at once."}{" "}
        Nothing was changed.
      </p>
    </Card>
  );
}

const over = new Set(["completed", "failed", "rejected", "expired", "blocked", "cancelled"]);

function Outcome({ task: id }: { readonly task: string }) {
  const { data: task, error } = useLive(readTask(id), {
    every: (known) => (known && over.has(known.status) ? false : 500),
  });
  if (error) return <ErrorState error={error} />;
  if (!task) return <Skeleton lines={5} />;
  return (
    <Card title="Result" aside={<StatusBadge status={task.status} />}>
      <div className="grid gap-4">
        {task.status === "awaiting_approval" ? (
          <Notice tone="warn">
            Nothing runs before approval.{" "}
            <Link
              to="/approvals/$task"
              params={{ task: id }}
              className="font-medium text-accent underline underline-offset-2"
            >
              Open approval
            </Link>
          </Notice>
        ) : null}
        {task.failure ? <Notice tone="bad">{task.failure.detail}</Notice> : null}
        {task.output ? <ValueTable value={task.output} label="Output" /> : null}
        <TrustMeter {...task.trust} large />
        <Link
          to="/tasks/$task"
          params={{ task: id }}
          className="text-sm font-medium text-accent underline underline-offset-2"
        >
          All steps and proof
        </Link>
      </div>
    </Card>
  );
}
