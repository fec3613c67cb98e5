import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Check, Circle, CircleAlert, Play } from "lucide-react";
import { isDoable } from "../../api/install-setup.ts";
import type { Install, NextStep } from "../../api/installs.ts";
import { useLive } from "../../api/queries.ts";
import { useRights } from "../../api/rights.ts";
import { readTask } from "../../api/tasks.ts";
import { counted, visible } from "../../lib/words.ts";
import { Button, buttonClass, Spinner } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CodeBlock, ValueTable } from "../../ui/code.tsx";
import { Progress } from "../../ui/progress.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { TrustMeter } from "../../ui/trust.tsx";
import { InstallGate } from "./install-gate.tsx";
import { hindrance, nextOf, type Setup, stepKeys, useSetup } from "./install-setup.ts";
import { lackText, needsOf, stepVerbs } from "./install-words.ts";
import type { StepWork } from "./install-work.ts";

const link = "font-medium text-accent underline underline-offset-2";

/** What is left to do until the install works: each step with a button that does it, and one button for all. */
export function SetupSteps({ install }: { readonly install: Install }) {
  const setup = useSetup(install.install_id);
  const { next_steps: steps, agent } = install;
  const keys = stepKeys(steps);
  const held = install.recall !== null || install.state === "removed";
  if (steps.length === 0) return <NoSteps install={install} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card title="Until it works" aside={<Summary steps={steps} />}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {held ? null : <AllSteps install={install} setup={setup} />}
          <ol aria-label="Steps" className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {steps.map((step, at) => (
              <StepRow
                key={keys[at]}
                step={step}
                held={held}
                busy={setup.busy}
                work={setup.work[keys[at] as string]}
                current={nextOf(steps)?.key === keys[at]}
                onDo={() => setup.one(step, keys[at] as string)}
              />
            ))}
          </ol>
        </div>
      </Card>
      {agent === null ? null : <InstallGate install={install} agent={agent} />}
    </div>
  );
}

/** How much is done; of several examples to try, one is enough. */
function Summary({ steps }: { readonly steps: readonly NextStep[] }) {
  const tries = steps.filter(({ step }) => step === "try");
  const needed = steps.length - Math.max(0, tries.length - 1);
  const done =
    steps.filter(({ step, done }) => done && step !== "try").length + (tries.some(({ done }) => done) ? 1 : 0);
  const text = `${done} of ${counted(needed, "step")} done`;
  return (
    <span className="flex items-center gap-3 text-sm text-muted">
      {text}
      <Progress value={done / needed} label={text} tone={done === needed ? "good" : "accent"} className="!w-24" />
    </span>
  );
}

/** Of an install that needs no setup: where to look at what it made. */
function NoSteps({ install: { state, kind } }: { readonly install: Install }) {
  return (
    <Card title="Until it works">
      <p className="text-sm">
        {state === "installed"
          ? `Nothing is left to do: ${kind === "policy_pack" ? "the policies are drafts that you can look at and activate" : "all of it is there"}.`
          : "There are no steps now."}{" "}
        <Link to="." search={{ tab: "parts" }} className={link}>
          Its parts
        </Link>
      </p>
    </Card>
  );
}

/** One button for all that is left, or why it cannot go on. */
function AllSteps({ install, setup }: { readonly install: Install; readonly setup: Setup }) {
  const may = useRights();
  const next = nextOf(install.next_steps);
  if (next === undefined) return <Ready install={install} />;
  const why = hindrance(next.step, may);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          kind="primary"
          size="large"
          busy={setup.busy}
          disabled={why !== null || !isDoable(next.step)}
          icon={<Play className="size-4" aria-hidden="true" />}
          onClick={setup.all}
        >
          Set it up
        </Button>
        <span className="text-sm text-muted">Follows the open steps below, and stops where one cannot go on.</span>
      </div>
      {setup.busy || why !== null || isDoable(next.step) ? null : (
        <Notice>No button does the next step; the list says what it takes.</Notice>
      )}
      {why === null || setup.busy ? null : <Notice tone="warn">{why}</Notice>}
      <div aria-live="polite">
        {setup.stopped === null || setup.busy ? null : <Notice tone="warn">{setup.stopped}</Notice>}
      </div>
    </div>
  );
}

function Ready({ install: { agent } }: { readonly install: Install }) {
  return (
    <Notice tone="good" live>
      <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="font-semibold">It is set up{agent === null ? "." : ` and takes work as ${agent}.`}</span>
        {agent === null ? null : (
          <Link
            to="/agents/$agent"
            params={{ agent }}
            search={{ tab: "try" }}
            className={buttonClass("plain", "small")}
          >
            Open the agent
          </Link>
        )}
      </span>
    </Notice>
  );
}

interface StepRowProps {
  readonly step: NextStep;
  readonly work: StepWork | undefined;
  /** The step that comes next. */
  readonly current: boolean;
  readonly busy: boolean;
  /** Nothing is to be done, for a recall holds the install or it is removed. */
  readonly held: boolean;
  readonly onDo: () => void;
}

function StepRow({ step, work, current, busy, held, onDo }: StepRowProps) {
  const may = useRights();
  const lacks = isDoable(step) && !may(needsOf(step));
  const offered = !held && isDoable(step) && !lacks && (!step.done || step.step === "try" || step.step === "measure");
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3" aria-current={current ? "step" : undefined}>
      <Mark step={step} work={work} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
          <p
            className={clsx("min-w-0 flex-1 basis-60 text-sm wrap-anywhere", step.done ? "text-muted" : "font-medium")}
          >
            {visible(step.title)}
            <span className="sr-only">{step.done ? ", done" : ", to do"}</span>
          </p>
          {offered ? (
            <Button size="small" busy={work?.phase === "running"} disabled={busy} onClick={onDo}>
              {stepVerbs[step.step]}
              {step.done ? " again" : ""}
            </Button>
          ) : null}
        </div>
        {lacks && !step.done && !held ? <p className="text-sm text-muted">{lackText(needsOf(step))}</p> : null}
        {step.step === "connect" && !step.done ? <CodeBlock code={connectCommand(step)} label="Command" wrap /> : null}
        {step.step === "try" ? <Example step={step} /> : null}
        {work === undefined ? null : <Work title={step.title} work={work} />}
      </div>
    </li>
  );
}

/** What an admin runs; the words in capitals are theirs to fill in. */
const connectCommand = ({ params: { connection = "NAME" } }: NextStep): string =>
  `bin/aos admin connections add --name ${connection} --kind http --base-url ADDRESS --secret SECRET`;

function Mark({ step, work }: Pick<StepRowProps, "step" | "work">) {
  const look = "mt-1.5 size-5";
  if (work?.phase === "running")
    return (
      <span className={clsx(look, "text-accent")}>
        <Spinner />
      </span>
    );
  if (step.done) return <Check className={clsx(look, "text-good")} aria-hidden="true" />;
  if (work?.phase === "failed") return <CircleAlert className={clsx(look, "text-bad")} aria-hidden="true" />;
  return <Circle className={clsx(look, "text-line-strong")} aria-hidden="true" />;
}

/** The input of an example, as it will be sent. */
function Example({ step: { body } }: { readonly step: NextStep }) {
  if (typeof body.input !== "object" || body.input === null) return null;
  return <ValueTable value={body.input} label="Input of the example" />;
}

function Work({ title, work: { phase, text, progress, task } }: { readonly title: string; readonly work: StepWork }) {
  if (phase === "running")
    return (
      <div className="grid gap-1.5">
        <Progress value={progress} label={visible(title)} />
        <p className="text-xs text-muted" role="status">
          {visible(text)}
        </p>
      </div>
    );
  return (
    <div className="grid gap-2 empty:hidden">
      {text !== "" && (task === undefined || phase === "failed") ? (
        <p role={phase === "failed" ? "alert" : "status"} className={clsx("text-sm", phase === "failed" && "text-bad")}>
          {visible(text)}
        </p>
      ) : null}
      {task === undefined ? null : <TaskResult task={task} />}
    </div>
  );
}

/** What came of the example. */
function TaskResult({ task: id }: { readonly task: string }) {
  const { data: task, error } = useLive(readTask(id), { every: 2000 });
  if (error) return <ErrorState error={error} />;
  if (task === undefined) return null;
  return (
    <section aria-label="Result" className="grid gap-3 rounded-md border border-line bg-sunken px-3 py-2.5">
      {task.output ? <ValueTable value={task.output} label="Output" /> : null}
      {task.status === "completed" ? <TrustMeter {...task.trust} large /> : null}
      {task.status === "awaiting_approval" ? <p className="text-sm">It waits until people approve it.</p> : null}
      <Link to="/tasks/$task" params={{ task: id }} className={clsx("text-sm", link)}>
        All steps and proof
      </Link>
    </section>
  );
}
