import { type FormEvent, useState } from "react";
import { previewAgent } from "../../api/agent-life.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { fieldsOf, inputOf } from "../../lib/input-form.ts";
import { counted, duration, usd } from "../../lib/words.ts";
import { Badge, StatusBadge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { JsonView, ValueTable } from "../../ui/code.tsx";
import { EmptyState, ErrorState, Notice } from "../../ui/states.tsx";
import { DraftCheck } from "./draft-check.tsx";
import { SkillInput } from "./skill-input.tsx";

type Agent = Schema<"Agent">;
type Preview = Schema<"Preview">;

/** Runs the draft on an input outside of tasks, and checks it. */
export function TryDraft({ agent }: { readonly agent: Agent }) {
  const may = useMay("agents:write");
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 gap-4">{may ? <Form agent={agent} /> : <MayNot />}</div>
      <div className="grid min-w-0 gap-4">
        <DraftCheck agent={agent.agent} />
      </div>
    </div>
  );
}

const MayNot = () => (
  <EmptyState title="You may not run drafts">
    Your role lacks the permission agents:write. Ask an admin for it.
  </EmptyState>
);

function Form({ agent }: { readonly agent: Agent }) {
  const { skills } = agent.definition;
  const [name, setName] = useState(skills[0]?.name ?? "");
  const preview = useChange(previewAgent);
  const skill = skills.find((each) => each.name === name) ?? skills[0];
  if (skill === undefined) return <EmptyState title="No skills yet">Add a skill to the draft to try it.</EmptyState>;
  const fields = fieldsOf(skill.input);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const reads = form.get("reads") === "on" ? ("call" as const) : ("fixtures" as const);
    preview.reset();
    preview.mutate({ agent: agent.agent, body: { task: skill.name, input: inputOf(fields, form), reads } });
  };
  return (
    <>
      <Card title="Try the draft">
        <form onSubmit={submit} className="grid gap-4" key={skill.name}>
          <SkillInput
            skills={skills}
            skill={skill.name}
            onSkill={setName}
            fields={fields}
            faultOf={(field) =>
              preview.error?.faults.find(({ pointer }) => pointer === `/input/${field}`)?.detail ?? null
            }
          />
          <label className="flex items-center gap-2 text-sm">
            <input type="checkbox" name="reads" defaultChecked className="size-4 accent-accent" /> Call tools that read
          </label>
          <p className="text-xs text-muted">
            Nothing is stored and tools that write are not called. The model's cost counts against budgets.
          </p>
          <div>
            <Button kind="primary" type="submit" busy={preview.isPending}>
              Run the draft
            </Button>
          </div>
        </form>
      </Card>
      {preview.error ? <ErrorState error={preview.error} /> : null}
      {preview.data ? <Result preview={preview.data} /> : null}
    </>
  );
}

function Result({ preview }: { readonly preview: Preview }) {
  const { status, output, failure, calls, findings, steps, tokens, cost_usd, ms } = preview;
  return (
    <Card title="Result" aside={<StatusBadge status={status} />}>
      <div className="grid gap-4 text-sm">
        {failure ? <Notice tone="bad">{failure.detail}</Notice> : null}
        {output ? <ValueTable value={output} label="Output" /> : null}
        {findings
          .filter(({ detail }) => detail !== failure?.detail)
          .map(({ code, severity, detail }) => (
            <Notice key={code} tone={severity === "info" ? "info" : "warn"}>
              {detail}
            </Notice>
          ))}
        <Calls calls={calls} />
        <p className="text-muted">
          {counted(steps, "step")}, {counted(tokens, "token")}, {usd(cost_usd)}, {duration(ms)}. It was no task: nothing
          is stored.
        </p>
      </div>
    </Card>
  );
}

const tones: Readonly<Record<Preview["calls"][number]["outcome"], Tone>> = {
  read: "good",
  fixture: "info",
  withheld: "warn",
  refused: "bad",
  failed: "bad",
};

function Calls({ calls }: { readonly calls: Preview["calls"] }) {
  if (calls.length === 0) return <p className="text-muted">It called no tool.</p>;
  return (
    <ol className="grid gap-3" aria-label="Tool calls">
      {calls.map(({ tool, outcome, arguments: given, result }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls never change their place
        <li key={at} className="grid min-w-0 gap-1">
          <span className="flex items-center justify-between gap-3">
            <code className="id min-w-0 break-all">{tool}</code> <Badge tone={tones[outcome]}>{outcome}</Badge>
          </span>
          <JsonView value={{ arguments: given, result }} label="Arguments and result" />
        </li>
      ))}
    </ol>
  );
}
