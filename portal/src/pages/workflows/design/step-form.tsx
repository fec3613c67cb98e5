import { Trash2, X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Field, Select, TextArea } from "../../../ui/field.tsx";
import { kinds } from "../graph/looks.ts";
import { type Graph, type GraphNode, kindOf, type StepKind, stepKinds } from "../graph/model.ts";
import { removeStep, setKind, setMember, setNeed, stepAt, valueFrom, valueText } from "./draft.ts";

interface StepFormProps {
  readonly text: string;
  readonly node: GraphNode;
  readonly graph: Graph;
  readonly definition: unknown;
  /** Left out: it is only looked at. */
  readonly onChange: ((text: string) => void) | undefined;
  readonly onRemoved: () => void;
  readonly onRenamed: (id: string) => void;
}

/** A member of a step that the form has a field for. */
interface FormField {
  readonly path: readonly string[];
  readonly label: string;
  readonly hint?: string;
  /** Plain text; else YAML of whatever it is. */
  readonly plain?: boolean;
  readonly rows?: number;
}

const plain = (path: string, label: string, hint?: string): FormField => ({
  path: path.split("."),
  label,
  plain: true,
  ...(hint !== undefined && { hint }),
});
const yaml = (path: string, label: string, hint?: string, rows = 4): FormField => ({
  path: path.split("."),
  label,
  rows,
  ...(hint !== undefined && { hint }),
});
const values = "YAML. Texts are expressions in CEL, such as input.order_id or 'a text'.";

/** What each kind of step asks for. What has no field here is changed in the text. */
const fields: Readonly<Record<StepKind, readonly FormField[]>> = {
  agent: [plain("agent.name", "Agent"), plain("agent.skill", "Skill"), yaml("agent.input", "Input", values)],
  tool: [plain("tool.agent", "Agent"), plain("tool.name", "Tool"), yaml("tool.arguments", "Arguments", values)],
  approval: [
    plain("approval.title", "Title", "An expression in CEL, such as 'Refund ' + input.order_id."),
    yaml("approval.covers", "Covers", "Steps that people approve with it, as a list.", 2),
    plain("approval.expires", "Expires after", "Such as 2d."),
  ],
  wait: [
    plain("wait.for", "For", "How long, such as 90s or 2d."),
    plain("wait.until", "Until", "A time, as an expression in CEL."),
    plain("wait.event", "Event", "The type of an event."),
    plain("wait.where", "Where", "Which of them: an expression in CEL over event."),
    plain("wait.at_most", "At most", "How long to wait for the event."),
  ],
  parallel: [yaml("parallel.join", "Join", "How many branches must end well: all, any, or a number.", 1)],
  workflow: [plain("workflow.name", "Workflow"), yaml("workflow.input", "Input", values)],
  set: [yaml("set", "Values", values)],
  end: [plain("end.status", "Status", "completed or failed."), plain("end.reason", "Reason", "An expression in CEL.")],
};
const common: readonly FormField[] = [
  plain("title", "Title"),
  plain("when", "Only if", "An expression in CEL; else the step is skipped."),
  yaml("for_each", "For each", "in, as, at_most, parallel: the step's action, once per item.", 2),
  yaml("retry", "Retry", "Such as attempts: 3.", 2),
  plain("timeout", "Time limit", "Such as 10m."),
  yaml("compensate", "Compensate with", "agent or tool: what undoes the step.", 3),
];

/** One step as a form. Each field writes into the draft's text when it is left. */
export function StepForm({ text, node, graph, definition, onChange, onRemoved, onRenamed }: StepFormProps) {
  const step = stepAt(definition, node.pointer);
  const kind = kindOf(step);
  const readOnly = onChange === undefined;
  return (
    <Card
      title={node.id}
      aside={
        readOnly ? null : (
          <Button
            size="small"
            kind="refuse"
            icon={<Trash2 className="size-4" aria-hidden="true" />}
            onClick={() => {
              onRemoved();
              onChange(removeStep(text, node.id));
            }}
          >
            Remove
          </Button>
        )
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Id"
          defaultValue={node.id}
          readOnly={readOnly}
          pattern="[a-z][a-z0-9_]*"
          hint="Expressions name it; rename those in the text."
          onBlur={({ target: { value, validity } }) => {
            if (!onChange || !validity.valid || value === "" || value === node.id) return;
            onRenamed(value);
            onChange(setMember(text, node.pointer, ["id"], value));
          }}
        />
        <Select
          label="Kind"
          value={kind}
          disabled={readOnly}
          onChange={(event) => onChange?.(setKind(text, node.pointer, event.target.value as StepKind))}
        >
          {stepKinds.map((one) => (
            <option key={one} value={one}>
              {kinds[one][0]}
            </option>
          ))}
        </Select>
        {[...fields[kind], ...common].map((field) => (
          <Member
            key={`${kind} ${field.path.join(".")}`}
            field={field}
            value={memberOf(step, field.path)}
            onSet={onChange && ((value) => onChange(setMember(text, node.pointer, field.path, value)))}
          />
        ))}
        <Needs text={text} node={node} graph={graph} onChange={onChange} />
      </div>
    </Card>
  );
}

const memberOf = (step: Readonly<Record<string, unknown>>, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], step);

interface MemberProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly onSet: ((value: unknown) => void) | undefined;
}

function Member({ field, value, onSet }: MemberProps) {
  const [fault, setFault] = useState<string | null>(null);
  const shown = field.plain && typeof value !== "object" ? String(value ?? "") : valueText(value);
  const leave = (text: string): void => {
    setFault(null);
    if (onSet === undefined || text === shown) return;
    try {
      if (field.plain) onSet(text === "" ? undefined : text);
      else onSet(valueFrom(text));
    } catch (error) {
      setFault((error as Error).message.split("\n")[0] ?? "is no YAML");
    }
  };
  const parts = { label: field.label, hint: field.hint, fault, defaultValue: shown, readOnly: onSet === undefined };
  // What the text says again is shown again.
  if (field.plain) return <Field key={shown} {...parts} onBlur={({ target }) => leave(target.value)} />;
  return (
    <TextArea
      key={shown}
      {...parts}
      mono
      rows={field.rows}
      spellCheck={false}
      onBlur={({ target }) => leave(target.value)}
    />
  );
}

/** What the step needs, to take off and to add to: the edges of the picture, for those who do not draw. */
function Needs({ text, node, graph, onChange }: Pick<StepFormProps, "text" | "node" | "graph" | "onChange">) {
  const needs = graph.edges
    .filter(({ to, from }) => to === node.id && !from.startsWith("trigger "))
    .map(({ from }) => from);
  const others = graph.nodes.filter(
    ({ id, kind, parent, branch }) =>
      id !== node.id && kind !== "trigger" && !needs.includes(id) && parent === node.parent && branch === node.branch,
  );
  return (
    <div className="grid content-start gap-1.5 sm:col-span-2">
      <p className="text-sm font-medium">Needs</p>
      <div className="flex flex-wrap items-center gap-2">
        {needs.length === 0 ? <span className="text-sm text-muted">nothing: it starts at once</span> : null}
        {needs.map((id) => (
          <Button
            key={id}
            size="small"
            disabled={!onChange}
            aria-label={`Does not need ${id} any more`}
            onClick={() => onChange?.(setNeed(text, id, node.id, false))}
          >
            {id} <X className="size-3.5" aria-hidden="true" />
          </Button>
        ))}
        {onChange && others.length > 0 ? (
          <select
            aria-label="Needs also"
            value=""
            onChange={(event) => onChange(setNeed(text, event.target.value, node.id, true))}
            className="h-8 rounded-md border border-line-strong bg-raised px-2 text-sm pointer-coarse:h-11"
          >
            <option value="">Add…</option>
            {others.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        ) : null}
      </div>
    </div>
  );
}
