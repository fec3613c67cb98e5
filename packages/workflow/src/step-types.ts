import { Step, type StepKind, stepKinds } from "./definition.ts";

// The catalogue of steps: what each kind is for, for people who write a file.

export interface StepTypeFacts {
  readonly kind: StepKind;
  readonly title: string;
  readonly description: string;
  readonly takes: readonly string[];
  readonly output: string;
  readonly example: string;
  /** JSON Schema of the member that makes a step of this kind. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const calls = ["for_each", "retry", "compensate", "timeout", "on_error"];

const facts: Readonly<Record<StepKind, Omit<StepTypeFacts, "kind" | "schema">>> = {
  agent: {
    title: "Agent",
    description:
      "A task of an agent: one of its skills with an input. It has its own trust, approval, cost and record.",
    takes: calls,
    output: "What the skill answers, as its output schema says.",
    example: "- id: judge\n  agent: { name: support, skill: judge_refund, input: { message: input.message } }\n",
  },
  tool: {
    title: "Tool",
    description: "One call of a tool of an agent, without its model: policies, gate and budgets of the agent count.",
    takes: calls,
    output: "What the tool answers.",
    example:
      "- id: pay\n  tool: { agent: support, name: issue_refund, arguments: { order: input.order_id, amount: 20.0 } }\n" +
      "  compensate: { tool: { agent: support, name: cancel_refund, arguments: { refund: steps.pay.output.id } } }\n",
  },
  approval: {
    title: "Approval",
    description: "A decision of people. With `covers` they approve exactly the calls that later steps will make.",
    takes: ["timeout", "on_error"],
    output: "`approved`, which is `true`: a rejection fails the step.",
    example:
      "- id: route\n  approval: { title: \"'Refund ' + input.order_id\", covers: [pay], expires: 2d, on_expiry: reject }\n",
  },
  wait: {
    title: "Wait",
    description:
      "Waits for a time (`for`, `until`), an event, or the first of several events. What waits takes no worker.",
    takes: ["on_error"],
    output:
      "The event's body; `{ timed_out: true }` where its time was over and the run goes on; nothing after a time.",
    example: "- id: settle\n  wait: { event: bank.settled, where: event.refund == steps.pay.output.id, at_most: 5d }\n",
  },
  parallel: {
    title: "Parallel",
    description: "Branches of steps side by side, until all of them, one, or so many have ended well.",
    takes: ["timeout", "on_error"],
    output: "By branch `completed`, `failed` or `cancelled`. Steps inside keep their own outputs.",
    example:
      "- id: both\n  parallel:\n    join: all\n    branches:\n" +
      "      one: [{ id: ask, agent: { name: support, skill: ask } }]\n      two: [{ id: look, tool: { agent: support, name: look } }]\n",
  },
  workflow: {
    title: "Sub-workflow",
    description:
      "A run of another workflow, in the version that it names or that was live when this one was published.",
    takes: calls,
    output: "The other run's output.",
    example: "- id: invoice\n  workflow: { name: send_invoice, input: { order: input.order_id } }\n",
  },
  set: {
    title: "Set",
    description: "Values that later steps read. Nothing is called.",
    takes: ["on_error"],
    output: "The values.",
    example: "- id: total\n  set: { net: input.amount / 1.2, note: \"'Order ' + input.order_id\" }\n",
  },
  end: {
    title: "End",
    description: "Ends the run here, completed or failed; what runs beside it is taken back.",
    takes: [],
    output: "`output`, where it says one.",
    example:
      "- id: stop\n  when: steps.judge.output.amount == 0.0\n  end: { status: completed, output: { refunded: 0.0 } }\n",
  },
};

/** All kinds of steps, in the order in which files name them. */
export function stepTypes(): readonly StepTypeFacts[] {
  const members = membersOf();
  return stepKinds.map((kind) => ({ kind, ...facts[kind], schema: members[kind] as Record<string, unknown> }));
}

/** Members that steps of every kind may have: id, title, needs and when. */
export function commonMembers(): Readonly<Record<string, unknown>> {
  const { id, title, needs, when } = membersOf();
  return { type: "object", required: ["id"], properties: { id, title, needs, when } };
}

/** Where a step holds steps, its schema refers to the published one. */
const stepReference = "/workflow.schema.json#/$defs/Step";

function membersOf(): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(Step, (name, value) => (name === "$ref" && value === "Step" ? stepReference : value));
  const plain: { readonly $defs: { readonly Step: { readonly properties: Record<string, unknown> } } } =
    JSON.parse(text);
  return plain.$defs.Step.properties;
}
