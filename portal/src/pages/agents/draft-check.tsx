import { validateDraft } from "../../api/agent-life.ts";
import { useChange } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { counted, spoken, usd } from "../../lib/words.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";

type Validation = Schema<"DraftValidation">;
type Verdict = Validation["verdicts"][number];
type Cost = Validation["costs"][number];

/** What would keep the draft from working here, what policies say of it, and what it is expected to cost. */
export function DraftCheck({ agent }: { readonly agent: string }) {
  const check = useChange(validateDraft);
  const { data } = check;
  const button = (
    <Button onClick={() => check.mutate(agent)} busy={check.isPending}>
      {data ? "Check again" : "Check the draft"}
    </Button>
  );
  return (
    <Card title="Check" aside={button}>
      <div className="grid gap-5 text-sm">
        {check.error ? <ErrorState error={check.error} /> : null}
        {data ? (
          <Checked validation={data} />
        ) : (
          <p className="text-muted">
            Checks the draft against its rules, this environment and the policies in force, and estimates its cost.
          </p>
        )}
      </div>
    </Card>
  );
}

const severities: Readonly<Record<Validation["findings"][number]["severity"], Tone>> = {
  error: "bad",
  warning: "warn",
  info: "info",
};

function Checked({ validation: { valid, revision, findings, verdicts, costs } }: { readonly validation: Validation }) {
  const asked = verdicts.filter(({ verdict }) => verdict !== "allow");
  return (
    <>
      <Notice tone={valid ? "good" : "bad"}>
        Revision {revision} {valid ? "can be frozen and deployed here." : "cannot be deployed here as it is."}
      </Notice>
      {findings.length > 0 ? (
        <ul className="grid gap-3" aria-label="Findings">
          {findings.map(({ severity, pointer, code, detail }) => (
            <li key={`${pointer} ${code}`} className="grid gap-1">
              <span className="flex items-center justify-between gap-3">
                <code className="id min-w-0 break-all">{pointer || "/"}</code>
                <Badge tone={severities[severity]}>{severity}</Badge>
              </span>
              <span className="break-words">{detail}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <section className="grid gap-2">
        <h3 className="font-semibold">Policies and risk</h3>
        {asked.length === 0 ? <p className="text-muted">Nothing would be denied or wait for people.</p> : null}
        <ul className="grid gap-3">
          {asked.map((one) => (
            <Asked key={`${one.action} ${one.skill} ${one.tool}`} of={one} />
          ))}
        </ul>
      </section>
      <section className="grid gap-2">
        <h3 className="font-semibold">Expected cost of a task</h3>
        <ul className="grid gap-2">
          {costs.map((cost) => (
            <li key={cost.skill} className="flex flex-wrap justify-between gap-x-4">
              <code className="id">{cost.skill}</code> <span className="text-muted">{costText(cost)}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function costText({ basis, tasks, mean_usd, low, high }: Cost): string {
  if (basis === "past_tasks")
    return `${usd(mean_usd ?? 0)}, between ${usd(low ?? 0)} and ${usd(high ?? 0)} (95 %, ${counted(tasks, "task")})`;
  return basis === "limits" ? `at most ${usd(high ?? 0)}, by its limit` : "not known: no past tasks and no limit";
}

const verdictTones: Readonly<Record<Verdict["verdict"], Tone>> = {
  allow: "good",
  require_approval: "warn",
  deny: "bad",
  depends_on_input: "info",
};

function Asked({ of: { action, skill, tool, verdict, reasons, policies } }: { readonly of: Verdict }) {
  const messages = policies.map(({ message }) => message);
  return (
    <li className="grid gap-1">
      <span className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="min-w-0 break-words">
          {tool === null ? action : `${action} of ${tool}`} in <code className="id">{skill}</code>
        </span>
        <Badge tone={verdictTones[verdict]}>{spoken(verdict)}</Badge>
      </span>
      <span className="break-words text-muted">{[...new Set([...reasons, ...messages])].join(" ")}</span>
    </li>
  );
}
