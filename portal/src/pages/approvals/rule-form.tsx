import { Plus, X } from "lucide-react";
import { useState } from "react";
import { listAgents } from "../../api/agents.ts";
import { listDeciders, type Rule, type RuleBody, setRule, testRule } from "../../api/approvals.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { listTeams } from "../../api/teams.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Chips, Field, Select } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { RuleTestView } from "./rule-test.tsx";

type Stage = RuleBody["require"]["stages"][number];
type Faults = (pointer: string) => string | null;

const mostStages = 5;
const risks = ["low", "medium", "high", "critical"] as const;
const dataClasses = ["internal", "confidential", "personal", "restricted"] as const;

/** Makes or changes a rule without JSON, and tests it on past tasks before it is saved. */
export function RuleForm({ rule, onClose }: { readonly rule: Rule | null; readonly onClose: () => void }) {
  const set = useChange(setRule, ["/v1/approvals/settings/rules"]);
  const test = useChange(testRule);
  const [stages, setStages] = useState<readonly Stage[]>(rule?.require.stages.map(stageOf) ?? [{ quorum: 1 }]);
  const [agents, setAgents] = useState<readonly string[]>(rule?.when.agents ?? []);
  const failed = set.error ?? test.error;
  const faultOf: Faults = (pointer) =>
    failed?.faults.find((fault) => fault.pointer?.replace(/^\/candidate/, "") === pointer)?.detail ?? null;
  const nameOf = (form: FormData): string => rule?.rule ?? text(form, "rule");
  const bodyOf = (form: FormData): RuleBody => ruleBody(form, stages, agents);
  const submit = (form: FormData): void => {
    const onSuccess = (): void => {
      toast(rule === null ? "Rule created." : "Rule changed.");
      onClose();
    };
    set.mutate(
      { rule: nameOf(form), version: rule === null ? null : String(rule.version), body: bodyOf(form) },
      { onSuccess },
    );
  };
  return (
    <FormDialog
      title={rule === null ? "New approval rule" : `Change ${rule.title}`}
      word={rule === null ? "Put in force" : "Save as the next version"}
      change={set}
      onSubmit={submit}
      onClose={onClose}
      wide
      atFields
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          name="title"
          label="What people call it"
          required
          maxLength={200}
          defaultValue={rule?.title}
          fault={faultOf("/title")}
        />
        {rule === null ? (
          <Field
            name="rule"
            label="Name"
            hint="Lowercase letters, digits and -, such as large-refunds."
            required
            pattern="[a-z][a-z0-9\-]{0,39}"
            fault={faultOf("/rule")}
          />
        ) : null}
      </div>
      <Condition rule={rule} agents={agents} onAgents={setAgents} faultOf={faultOf} />
      <Stages stages={stages} onChange={setStages} faultOf={faultOf} />
      <Ending rule={rule} faultOf={faultOf} />
      <div className="grid gap-3 border-t border-line pt-4">
        <div>
          <Button
            busy={test.isPending}
            onClick={({ currentTarget }) => {
              const { form } = currentTarget;
              if (!form?.reportValidity()) return;
              const given = new FormData(form);
              test.mutate({ rule: nameOf(given), candidate: bodyOf(given) });
            }}
          >
            Test on past tasks
          </Button>
        </div>
        {test.error && test.error.faults.length === 0 ? <ErrorState error={test.error} /> : null}
        {test.data ? <RuleTestView test={test.data} /> : null}
      </div>
    </FormDialog>
  );
}

interface ConditionProps {
  readonly rule: Rule | null;
  readonly agents: readonly string[];
  readonly onAgents: (agents: string[]) => void;
  readonly faultOf: Faults;
}

/** What the rule is about. */
function Condition({ rule, agents, onAgents, faultOf }: ConditionProps) {
  const { data } = useLive(listAgents({ limit: 100 }));
  const when = rule?.when;
  const known = [...new Set([...(data?.data.map(({ agent }) => agent) ?? []), ...agents])];
  return (
    <fieldset className="grid gap-3 border-t border-line pt-4">
      <legend className="float-left mb-1 font-semibold">What it is about</legend>
      <div className="clear-both grid gap-1.5">
        <span className="text-sm font-medium">Agents</span>
        <Chips
          label="Agents"
          options={known.map((name) => [name, name] as const)}
          chosen={agents}
          onChange={onAgents}
        />
        <p className="text-xs text-muted">None chosen: all agents.</p>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          name="skills"
          label="Skills"
          hint="With commas between; empty: all."
          defaultValue={when?.skills?.join(", ")}
          fault={faultOf("/when/skills")}
        />
        <Field
          name="tools"
          label="Tools"
          hint="Then it asks about each call of these; * is any tool. Empty: about tasks as a whole."
          defaultValue={when?.tools?.join(", ")}
          fault={faultOf("/when/tools")}
        />
        <Select name="risk" label="Risk" defaultValue={when?.risk_at_least ?? ""}>
          <option value="">Any</option>
          {risks.map((risk) => (
            <option key={risk} value={risk}>
              {risk === "critical" ? "critical" : `${risk} or higher`}
            </option>
          ))}
        </Select>
        <Select name="data" label="Data in its input" defaultValue={when?.data_class_at_least ?? ""}>
          <option value="">Any</option>
          {dataClasses.map((name) => (
            <option key={name} value={name}>
              {name === "restricted" ? name : `${name} or protected more`}
            </option>
          ))}
        </Select>
        <Field
          name="field"
          label="Amount: where it stands in the input"
          hint="Such as amount or order.total."
          defaultValue={when?.amount?.field}
          fault={faultOf("/when/amount/field")}
        />
        <Field
          name="above"
          type="number"
          min={0}
          step="any"
          label="Only above"
          defaultValue={when?.amount?.above}
          fault={faultOf("/when/amount/above")}
        />
      </div>
    </fieldset>
  );
}

interface StagesProps {
  readonly stages: readonly Stage[];
  readonly onChange: (stages: readonly Stage[]) => void;
  readonly faultOf: Faults;
}

/** Who approves, one stage after another. */
function Stages({ stages, onChange, faultOf }: StagesProps) {
  const change = (at: number, stage: Stage): void => onChange(stages.map((one, n) => (n === at ? stage : one)));
  const fault = faultOf("/require/stages");
  return (
    <fieldset className="grid gap-3 border-t border-line pt-4">
      <legend className="float-left mb-1 font-semibold">Who approves</legend>
      <ol className="clear-both grid gap-3">
        {stages.map((stage, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stages have no other identity
          <li key={at} className="grid gap-3 rounded-md border border-line p-3">
            <div className="flex items-center justify-between gap-3">
              <span className="font-medium">{at === 0 ? "First" : "Then"}</span>
              {stages.length > 1 ? (
                <IconButton
                  label={`Remove stage ${at + 1}`}
                  onClick={() => onChange(stages.filter((_, n) => n !== at))}
                >
                  <X className="size-4" aria-hidden="true" />
                </IconButton>
              ) : null}
            </div>
            <StageFields at={at} stage={stage} onChange={(next) => change(at, next)} faultOf={faultOf} />
          </li>
        ))}
      </ol>
      {fault === null ? null : (
        <p role="alert" className="text-bad">
          {fault}
        </p>
      )}
      {stages.length < mostStages ? (
        <div>
          <Button
            size="small"
            icon={<Plus className="size-4" aria-hidden="true" />}
            onClick={() => onChange([...stages, { quorum: 1 }])}
          >
            Add a stage
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}

interface StageProps {
  readonly at: number;
  readonly stage: Stage;
  readonly onChange: (stage: Stage) => void;
  readonly faultOf: Faults;
}

function StageFields({ at, stage, onChange, faultOf }: StageProps) {
  const mayReadTeams = useMay("admin:read");
  const { data: teams } = useLive(listTeams(), { when: mayReadTeams });
  const { data: deciders } = useLive(listDeciders());
  const { quorum, roles = [], teams: ofTeams = [], members = [] } = stage;
  const with_ = (changed: Partial<Stage>): void => onChange({ ...stage, ...changed });
  const fault =
    [`/quorum`, "/roles", "/teams", "/members"].map((part) => faultOf(`/require/stages/${at}${part}`)).find(Boolean) ??
    ofTeams.map((_, n) => faultOf(`/require/stages/${at}/teams/${n}`)).find(Boolean) ??
    members.map((_, n) => faultOf(`/require/stages/${at}/members/${n}`)).find(Boolean) ??
    null;
  return (
    <>
      <Select
        label="How many persons"
        value={quorum}
        fault={fault}
        onChange={({ target }) => with_({ quorum: Number(target.value) })}
        className="max-w-40"
      >
        {[1, 2, 3, 4, 5].map((count) => (
          <option key={count} value={count}>
            {count}
          </option>
        ))}
      </Select>
      <Choice name="Roles">
        <Chips
          label={`Roles of stage ${at + 1}`}
          options={[
            ["approver", "approvers"],
            ["admin", "admins"],
          ]}
          chosen={roles}
          onChange={(next) => with_({ roles: next as NonNullable<Stage["roles"]> })}
        />
      </Choice>
      {teams && teams.data.length > 0 ? (
        <Choice name="Teams">
          <Chips
            label={`Teams of stage ${at + 1}`}
            options={teams.data.map(({ team, title }) => [team, title] as const)}
            chosen={ofTeams}
            onChange={(next) => with_({ teams: next })}
          />
        </Choice>
      ) : null}
      <Choice name="Persons">
        <Chips
          label={`Persons of stage ${at + 1}`}
          options={deciders?.data.map(({ id, name }) => [id, name] as const) ?? []}
          chosen={members}
          onChange={(next) => with_({ members: next })}
        />
      </Choice>
      <p className="text-xs text-muted">Nobody chosen: anybody who may decide.</p>
    </>
  );
}

function Choice({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <span className="text-sm font-medium">{name}</span>
      {children}
    </div>
  );
}

/** Four eyes, and what ends the wait. */
function Ending({ rule, faultOf }: { readonly rule: Rule | null; readonly faultOf: Faults }) {
  const require = rule?.require;
  const hours = require?.expires_in_seconds == null ? undefined : require.expires_in_seconds / 3600;
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          name="four_eyes"
          defaultChecked={require?.four_eyes ?? false}
          className="mt-0.5 size-4"
        />
        <span>
          Four eyes: nobody who stands behind the request is among them
          <span className="block text-xs text-muted">Where policies or risk demand it, it holds in any case.</span>
        </span>
      </label>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          name="hours"
          type="number"
          min={0.02}
          step="any"
          label="Hours until it ends"
          hint="Empty: the rule sets no time."
          defaultValue={hours}
          fault={faultOf("/require/expires_in_seconds")}
        />
        <Select name="on_expiry" label="What happens then" defaultValue={require?.on_expiry ?? "reject"}>
          <option value="reject">It expires</option>
          <option value="escalate">Admins decide</option>
        </Select>
      </div>
    </div>
  );
}

const text = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();

const namesIn = (form: FormData, name: string): string[] =>
  text(form, name)
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** A stage without empty lists, as a body has it. */
function stageOf({
  quorum,
  roles = [],
  teams = [],
  members = [],
}: {
  quorum: number;
  roles?: readonly string[];
  teams?: readonly string[];
  members?: readonly string[];
}): Stage {
  return {
    quorum,
    ...(roles.length > 0 && { roles: [...roles] as NonNullable<Stage["roles"]> }),
    ...(teams.length > 0 && { teams: [...teams] }),
    ...(members.length > 0 && { members: [...members] }),
  };
}

function ruleBody(form: FormData, stages: readonly Stage[], agents: readonly string[]): RuleBody {
  const [skills, tools] = [namesIn(form, "skills"), namesIn(form, "tools")];
  const [risk, data, field, hours] = ["risk", "data", "field", "hours"].map((name) => text(form, name));
  return {
    title: text(form, "title"),
    when: {
      ...(agents.length > 0 && { agents: [...agents] }),
      ...(skills.length > 0 && { skills }),
      ...(tools.length > 0 && { tools }),
      ...(risk && { risk_at_least: risk as (typeof risks)[number] }),
      ...(data && { data_class_at_least: data as (typeof dataClasses)[number] }),
      ...(field && { amount: { field, above: Number(text(form, "above") || 0) } }),
    },
    require: {
      stages: stages.map(stageOf),
      four_eyes: form.get("four_eyes") === "on",
      ...(hours && {
        expires_in_seconds: Math.round(Number(hours) * 3600),
        on_expiry: text(form, "on_expiry") as "reject" | "escalate",
      }),
    },
  };
}
