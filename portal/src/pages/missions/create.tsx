import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { listAgents } from "../../api/agents.ts";
import { createMission, type Measure, type NewMission } from "../../api/missions.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { Chips, Field, Select, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { autonomyWords } from "./words.ts";

const aggregates: readonly (readonly [Measure["aggregate"], string])[] = [
  ["count", "Number of results"],
  ["rate", "Share of results"],
  ["sum", "Sum of a value"],
  ["mean", "Mean of a value"],
  ["min", "Least value"],
  ["max", "Greatest value"],
];
const valued = new Set<Measure["aggregate"]>(["sum", "mean", "min", "max"]);

/** Creates a mission: what is to be achieved, how success is measured, who may work on it, and what it may cost. */
export function CreateMission({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const change = useChange(createMission, ["/v1/missions"]);
  const { data: agents } = useLive(listAgents({ limit: 100, status: ["deployed"] }));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [unread, setUnread] = useState<string | null>(null);
  const skills = (agents?.data ?? [])
    .filter(({ agent }) => chosen.includes(agent))
    .flatMap(({ definition }) => definition.skills.map(({ name }) => name));
  const fault = (pointer: string): string | null =>
    change.error?.faults.find((each) => each.pointer?.startsWith(pointer))?.detail ?? null;
  const submit = (form: FormData): void => {
    const inputs = inputsOf(String(form.get("inputs")));
    setUnread(inputs === null ? 'must be a JSON object, such as {"leads": []}' : null);
    if (inputs === null) return;
    change.mutate(missionOf(form, [...chosen], inputs), {
      onSuccess: ({ mission_id: mission }) => {
        onClose();
        void navigate({ to: "/missions/$mission", params: { mission }, search: {} });
      },
    });
  };
  return (
    <FormDialog title="New mission" word="Create" wide atFields change={change} onSubmit={submit} onClose={onClose}>
      <TextArea
        name="goal"
        label="Goal"
        rows={2}
        maxLength={2000}
        required
        placeholder="Qualify the autumn leads, and write to the best twenty."
        fault={fault("/goal")}
        data-autofocus
      />
      <div className="grid gap-1.5">
        <p className="font-medium">Agents that may work on it</p>
        <Chips
          label="Agents"
          options={(agents?.data ?? []).map(({ agent }) => [agent, agent] as const)}
          chosen={chosen}
          onChange={setChosen}
        />
        {fault("/agents") ? <p className="text-bad">{fault("/agents")}</p> : null}
      </div>
      <MeasureFields skills={skills} fault={fault} />
      <LimitFields fault={fault} />
      <TextArea
        name="inputs"
        mono
        rows={4}
        label="Inputs"
        placeholder={'{"leads": [{"id": "ld_1001"}]}'}
        hint="JSON: what the mission works on. Plans read it as input."
        fault={unread ?? fault("/inputs")}
        spellCheck={false}
      />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly fault: (pointer: string) => string | null;
}

function MeasureFields({ skills, fault }: FieldsProps & { readonly skills: readonly string[] }) {
  const [aggregate, setAggregate] = useState<Measure["aggregate"]>("count");
  return (
    <fieldset className="grid gap-4 rounded-md border border-line p-3 sm:grid-cols-2">
      <legend className="px-1 font-medium">Success measure</legend>
      <Select
        label="Measure"
        value={aggregate}
        onChange={(event) => setAggregate(event.target.value as Measure["aggregate"])}
        name="aggregate"
      >
        {aggregates.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </Select>
      <Select name="skill" label="Of the skill" required fault={fault("/measure/skill")}>
        {[...new Set(skills)].map((skill) => (
          <option key={skill}>{skill}</option>
        ))}
      </Select>
      <Field
        name="where"
        label="Where"
        placeholder="output.qualified == true"
        hint="Optional, CEL over output, input, feedback and status."
        fault={fault("/measure/where")}
      />
      {valued.has(aggregate) ? (
        <Field name="value" label="Value" required placeholder="output.score" fault={fault("/measure/value")} />
      ) : null}
      <Select name="direction" label="Target is">
        <option value="at_least">at least</option>
        <option value="at_most">at most</option>
      </Select>
      <Field
        name="target"
        label="Target"
        type="number"
        step="any"
        required
        hint={aggregate === "rate" ? "A share from 0 to 1." : undefined}
        fault={fault("/measure/target")}
      />
    </fieldset>
  );
}

function LimitFields({ fault }: FieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        name="cost"
        label="Budget, US dollars"
        type="number"
        min={0}
        step="any"
        required
        defaultValue={5}
        fault={fault("/budget/cost_usd")}
      />
      <Field
        name="tasks"
        label="Tasks at most"
        type="number"
        min={1}
        required
        defaultValue={500}
        fault={fault("/budget/tasks")}
      />
      <Field name="deadline" label="Deadline" type="datetime-local" fault={fault("/deadline")} />
      <Select name="autonomy" label="Autonomy" defaultValue="approve_writes" fault={fault("/autonomy")}>
        {Object.entries(autonomyWords).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </Select>
    </div>
  );
}

function inputsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function missionOf(form: FormData, agents: string[], inputs: Record<string, unknown>): NewMission {
  const text = (name: string): string => String(form.get(name) ?? "").trim();
  return {
    goal: text("goal"),
    agents,
    inputs,
    autonomy: text("autonomy") as NewMission["autonomy"],
    measure: {
      skill: text("skill"),
      aggregate: text("aggregate") as Measure["aggregate"],
      direction: text("direction") as NonNullable<Measure["direction"]>,
      target: Number(text("target")),
      ...(text("where") === "" ? {} : { where: text("where") }),
      ...(text("value") === "" ? {} : { value: text("value") }),
    },
    budget: { cost_usd: Number(text("cost")), tasks: Number(text("tasks")) },
    ...(text("deadline") === "" ? {} : { deadline: new Date(text("deadline")).toISOString() }),
  };
}
