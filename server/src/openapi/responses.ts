import type { ProblemType } from "../kernel/errors.ts";
import type { OperationDescription } from "../kernel/operation-seal.ts";
import * as kernelProblems from "../kernel/problems.ts";
import type { Components } from "./components.ts";
import { headers, unreadHeaders } from "./headers.ts";
import { isUnread, problemExample } from "./problem-examples.ts";
import { eventStream, isRepeatable, problemsOf } from "./problems.ts";
import type { Json } from "./schema.ts";
import { DryRun, Problem, UnreadProblem } from "./schemas.ts";

/** Collects the responses and examples that operations share. */
export interface SharedResponses {
  /** All responses of an operation, by status. */
  of(operation: OperationDescription): Json;
  used(): { responses: Json; examples: Json };
}

/** The responses of operations. Equal sets of the pipeline's problems share a component, named by their codes; sets with a slice's problem are inlined. */
export function createResponses(components: Components): SharedResponses {
  const responses = new Map<string, Json>();
  const examples = new Map<string, Json>();
  /** The suffix keeps names unique: client generators put all kinds of components into one namespace. */
  const share = (subject: string, response: () => Json): Json => {
    const name = `${subject}Response`;
    if (!responses.has(name)) responses.set(name, response());
    return { $ref: `#/components/responses/${name}` };
  };
  const problem = (types: readonly ProblemType[]): Json => {
    for (const type of types) examples.set(type.code, { summary: type.title, value: problemExample(type) });
    const own = types.some((type) => !shared.has(type));
    return own
      ? problemResponse(types, components)
      : share(types.map((type) => pascal(type.code)).join("Or"), () => problemResponse(types, components));
  };
  const shared = new Set<ProblemType>(Object.values(kernelProblems));
  const notModified = () =>
    share("NotModified", () => ({
      description: "The revision in If-None-Match is still current.",
      headers: headers("ETag", "Vary"),
    }));

  return {
    of(operation) {
      const byStatus = new Map<string, Json>();
      const dry = operation.method === "GET" ? null : share("DryRun", () => dryRun(components));
      const success = successResponse(operation, components);
      byStatus.set(String(operation.status), success);
      if (dry && operation.status !== 200) byStatus.set("200", dry);
      if (operation.conditional) byStatus.set("304", notModified());
      for (const [status, types] of Map.groupBy(problemsOf(operation), (type) => type.status))
        byStatus.set(String(status), problem(types));
      return Object.fromEntries([...byStatus].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    used: () => ({ responses: sorted(responses), examples: sorted(examples) }),
  };
}

const sorted = (map: ReadonlyMap<string, Json>): Json =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
const pascal = (code: string): string =>
  code
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

function problemResponse(types: readonly ProblemType[], components: Components): Json {
  const { status } = types[0] as ProblemType;
  const more = [
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(status === 406 ? ["Vary"] : []),
    ...(status === 429 || types.some((type) => type.retryable) ? ["Retry-After"] : []),
  ];
  const unread = types.every(isUnread);
  const note = unread ? " Answered before the request is a call: nothing is recorded." : "";
  return {
    description: types.map((type) => `\`${type.code}\`: ${type.title}.`).join(" ") + note,
    headers: unread ? unreadHeaders() : headers(...more),
    content: {
      "application/problem+json": {
        schema: components.schema(unread ? UnreadProblem : Problem),
        examples: Object.fromEntries(types.map((type) => [type.code, { $ref: `#/components/examples/${type.code}` }])),
      },
    },
  };
}

function dryRun(components: Components): Json {
  const example = {
    dry_run: true,
    response_status: 202,
    stages: [
      { stage: "permissions", verdict: "allow", reasons: ["role:operator"], policy_version: null },
      {
        stage: "evaluation_gate",
        verdict: "not_applicable",
        reasons: ["cancels work, starts none"],
        policy_version: null,
      },
      {
        stage: "compliance",
        verdict: "not_applicable",
        reasons: ["no policy applies to this action"],
        policy_version: null,
      },
      { stage: "audit", verdict: "recorded", reasons: [], policy_version: null },
    ],
    approval: null,
    tags: [],
    events: ["task.cancelled"],
  };
  return {
    description: "With `dry_run=true`: what the call would do. Nothing was changed.",
    headers: headers(),
    content: { "application/json": { schema: components.schema(DryRun), example } },
  };
}

function successResponse(operation: OperationDescription, components: Components): Json {
  const { output, example, contentType = "application/json", method, status } = operation;
  const own = components.schema(output as object);
  const schema = method !== "GET" && status === 200 ? { anyOf: [own, components.schema(DryRun)] } : own;
  return {
    description: successWords[status as number] ?? "Done.",
    headers: headers(...successHeaders(operation)),
    content: { [contentType]: { schema, example: example?.output }, ...otherForms(operation) },
  };
}

/** Representations besides the default one: text, or a stream. */
function otherForms({ id, writes, streams }: OperationDescription): Json {
  const whole = writes.map((type) => [type, { schema: { type: "string" } }]);
  const streamed = streams.map((type) => [
    type,
    type === eventStream ? { example: exampleStream(id.split(".")[0] as string) } : {},
  ]);
  return Object.fromEntries([...whole, ...streamed]);
}

/** What a stream begins with. Of what happens to tasks, unless the operation is one of conversations. */
const exampleStream = (group: string): string => {
  const example = group === "chat" ? chatExample : taskExample;
  const { event, data } = example;
  return ["retry: 2000", "", "id: 1", `event: ${event}`, `data: ${JSON.stringify(data)}`, "", ""].join("\n");
};
const chatExample = {
  event: "chat.part.delta",
  data: { message_id: "msg_01jd8x0000000000000000000m", index: 0, text: "It is on its way" },
};
const taskExample = {
  event: "task.created",
  data: {
    event: "task.created",
    task_id: "tsk_01jd8x0000000000000000000a",
    agent: "sales",
    task: "qualify_lead",
    status: "queued",
    trust_score: 0.71,
    audit_ref: "aud_01jd8x0000000000000000000b",
  },
};

const successWords: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted; the work continues.",
  207: "One result for each item.",
};

function successHeaders(operation: OperationDescription): string[] {
  const properties = (operation.output as { properties?: Json } | undefined)?.properties;
  return [
    ...(operation.hasLocation ? ["Location"] : []),
    ...(operation.hasLocation && operation.status === 202 ? ["Retry-After"] : []),
    ...(operation.hasRevision ? ["ETag"] : []),
    ...(operation.kind === "read" && properties?.next_cursor ? ["Link"] : []),
    ...(isRepeatable(operation) ? ["Idempotent-Replayed"] : []),
    ...(operation.waitable ? ["Preference-Applied"] : []),
    ...(operation.writes.length + operation.streams.length > 0 ? ["Vary"] : []),
  ];
}
