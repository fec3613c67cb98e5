import { compileSchema } from "@aos/json-schema";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation, type OperationDescription } from "../src/kernel/operation-seal.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import { DryRun, Problem } from "../src/openapi/schemas.ts";
import { useApp } from "../src/testing/app.ts";
import { type Arranged, arrange, withMail } from "./arrangements.ts";
import { type Described, type Kind, requestsTo } from "./generated/requests.ts";
import { createSender, type Received, type Sent } from "./generated/send.ts";
import type { Schema } from "./generated/values.ts";

// Requests made from the description: valid ones, such with one fault, and hostile ones, to every operation. AOS_SEED repeats a run, AOS_REQUESTS
// makes it longer or shorter.

const seed = Number(process.env.AOS_SEED ?? Math.floor(Math.random() * 2 ** 31));
const total = Number(process.env.AOS_REQUESTS ?? 6 * publishedOperations().length);
const atOnce = 12;

/** Operations whose effect would empty the rest of the run: they are tried with `dry_run`. Why, for each. */
const onlyTried: Readonly<Record<string, string>> = {
  "agents.archiveAgent": "without the sample's agent there is nothing to dispatch to",
  "agents.pauseAgent": "a paused agent takes no work",
  "agents.rollback": "the sample goes back and back",
  "evaluations.setGate": "a gate that fails closed stops all work",
  "governance.engageKillSwitch": "a stop of the environment stops all work",
  "governance.setBudget": "a budget of nothing takes all work",
  "governance.createPolicy": "a policy can deny everything that is asked",
  "governance.replacePolicy": "a policy can deny everything that is asked",
  "admin.setMember": "the members of the run would lose their roles",
};

const app = useApp(withMail);
const document = openApiDocument(publishedOperations()) as { paths: Record<string, Record<string, Schema>> };
const declared = new Map(
  publishedOperations()
    .map(describeOperation)
    .map((one) => [one.id, one]),
);

function resolve(schema: Schema): Schema {
  if (typeof schema.$ref !== "string") return schema;
  const steps = schema.$ref.slice(2).split("/");
  return resolve(steps.reduce<unknown>((value, step) => (value as Schema)[step], document) as Schema);
}

const operations: Described[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => {
    const content = (one.requestBody as { content?: Record<string, { schema: Schema }> } | undefined)?.content ?? {};
    return {
      id: String(one.operationId),
      method: method.toUpperCase(),
      path,
      parameters: ((one.parameters ?? []) as Schema[]).map(resolve) as unknown as Described["parameters"],
      body: content["application/json"]?.schema ?? null,
      mediaTypes: Object.keys(content),
      responses: Object.fromEntries(
        Object.entries(one.responses as Record<string, Schema>).map(([status, response]) => [
          status,
          resolve(response),
        ]),
      ),
    };
  }),
);

const arranged = new Map<string, readonly Arranged[]>();
let admins: readonly string[];
let others: readonly string[];

beforeAll(async () => {
  for (const { id } of operations) {
    const make = arrange[id] as NonNullable<(typeof arrange)[string]>;
    arranged.set(id, [await make(app, "development"), await make(app, "development")]);
  }
  admins = [(await app.member("admin")).secret, (await app.member("admin")).secret];
  others = [
    ...(["viewer", "operator", "approver"] as const).map((role) => app.key(role)),
    app.key("admin", "staging"),
    "no-key",
  ];
}, 120_000);

it(`answers ${total} generated requests as described, and writes one record of each`, async () => {
  const sender = createSender(app.url);
  const samples = operations.map(sampleOf);
  // In turns, so that not all that goes on at a moment is one operation's.
  const queue = (samples[0] ?? []).flatMap((_one, at) => samples.flatMap((sample) => sample[at] ?? [])).slice(0, total);
  const tally = new Map<string, number>();
  const references: string[] = [];
  const wrong: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let sent = queue[next++]; sent !== undefined && wrong.length < 10; sent = queue[next++]) {
      const received = await answeredOnceFresh(sender, sent);
      const fault = faultOf(sent, received);
      if (fault !== null) wrong.push(`${told(sent)} → ${received.status}: ${fault}\n${received.text?.slice(0, 300)}`);
      if (received.status !== 401) references.push(String(received.headers["audit-ref"]));
      const what = `${sent.kind} ${Math.floor(received.status / 100)}xx`;
      tally.set(what, (tally.get(what) ?? 0) + 1);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  sender.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${queue.length} generated requests, seed ${seed}, ${seconds} s: ${JSON.stringify(Object.fromEntries([...tally].sort()))}`,
  );
  expect(wrong, `AOS_SEED=${seed}`).toEqual([]);
  expect(new Set(references).size).toBe(references.length);
  const { rows } = await app.pool.query<{ records: number }>(
    "select count(*)::int as records from audit_records where id = any($1)",
    [references],
  );
  expect(rows[0]?.records).toBe(references.length);
  for (const kind of ["valid 2xx", "faulty 4xx", "hostile 4xx"])
    expect(tally.get(kind), kind).toBeGreaterThan(total / 20);
}, 600_000);

/** A machine that is busy with other tests may fall behind the facts; a call is then told to come again, as a client does. */
async function answeredOnceFresh(sender: ReturnType<typeof createSender>, sent: Sent): Promise<Received> {
  const received = await sender.send(sent);
  if (received.status !== 503 || !received.text?.includes('"code":"overloaded"') || !received.headers["retry-after"])
    return received;
  await app.app.facts.freshWithin(10_000);
  return sender.send(sent);
}

function sampleOf(operation: Described, index: number): (Sent & { kind: Kind })[] {
  const means = {
    resolve,
    arranged: arranged.get(operation.id) as readonly Arranged[],
    admins,
    others,
    onlyTried: operation.id in onlyTried,
  };
  return fc.sample(requestsTo(operation, means), { numRuns: Math.ceil(total / operations.length), seed: seed + index });
}

/** What is wrong with an answer; null for nothing. */
function faultOf(sent: Sent, { status, headers, text }: Received): string | null {
  if (status >= 500) return "a fault of the service";
  const operation = operations.find(({ id }) => id === sent.operation) as Described;
  if (!/^aud_/.test(String(headers["audit-ref"])) || !/^req_/.test(String(headers["x-request-id"])))
    return "no references";
  const response = operation.responses[String(status)];
  // A path may have become one that no operation has.
  if (status === 404 && response === undefined) return null;
  if (response === undefined) return "a status that the description lacks";
  const type = essence(String(headers["content-type"]));
  if (status === 304) return text === "" ? null : "a body where there is none";
  const described = Object.entries((response.content ?? {}) as Record<string, { examples?: Schema }>);
  const content = Object.fromEntries(described.map(([name, one]) => [essence(name), one]));
  if (!(type in content)) return `the type ${type}, which the description lacks`;
  if (text === null) return null;
  return status >= 400
    ? problemFault(text, status, content[type]?.examples ?? {})
    : answerFault(declared.get(operation.id) as OperationDescription, type, text);
}

/** A media type without its parameters. */
const essence = (type: string): string => type.split(";")[0] as string;

const compiled = new Map<object, ReturnType<typeof compileSchema>>();

const schemaFault = (schema: object, value: unknown): string | null => {
  const validate = compiled.get(schema) ?? compileSchema(schema);
  compiled.set(schema, validate);
  const faults = validate(value);
  return faults.length === 0 ? null : JSON.stringify(faults);
};

/** What a problem tells in our words, without names and values that the request had. */
const toldBy = ({ detail = "", errors = [] }: { detail?: string; errors?: readonly { detail: string }[] }): string =>
  [detail, ...errors.map((one) => one.detail)].join("\n");

function problemFault(text: string, status: number, examples: Schema): string | null {
  const problem = JSON.parse(text) as { code: string; status: number; detail?: string; errors?: { detail: string }[] };
  if (problem.status !== status) return "another status inside";
  if (/\[object |\bundefined\b|\bNaN\b/.test(toldBy(problem))) return "words that only a program says";
  // What a path came to that no operation has is said by the same code, so it is known everywhere that names something.
  if (!(problem.code in examples)) return `the code ${problem.code}, which the description lacks`;
  return schemaFault(Problem, problem);
}

function answerFault(
  { output, contentType = "application/json" }: OperationDescription,
  type: string,
  text: string,
): string | null {
  if (type !== essence(contentType)) return null;
  if (type !== "application/json") return schemaFault(output as object, text);
  const value = JSON.parse(text) as { dry_run?: boolean };
  return schemaFault(value.dry_run === true ? DryRun : (output as object), value);
}

function told({ kind, method, target, headers, body }: Sent & { kind: Kind }): string {
  const { authorization: _secret, ...shown } = headers;
  return `${kind}: ${method} ${target.slice(0, 300)} ${JSON.stringify(shown).slice(0, 400)} ${String(body ?? "").slice(0, 400)}`;
}
