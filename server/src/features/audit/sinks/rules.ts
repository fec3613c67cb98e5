import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import type { TSchema } from "typebox";
import { seal, unseal } from "../../../db/secrets.ts";
import { actorOfCall, asEarlier, storable, storedPersons, withDeciders } from "../../../kernel/actor.ts";
import type { JobSpec } from "../../../kernel/append.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import type { Environment, Scope } from "../../../kernel/principal.ts";
import { parseJson } from "../../../kernel/stored-json.ts";
import type { SinkPort } from "../ports.ts";
import type { CreateSinkBody } from "./schemas.ts";
import { credentialSchemas, needsCredentials, type SinkKind, targetSchemas } from "./target-schemas.ts";
import type { StoredSink } from "./view.ts";

export const sinkJobName = "audit_sink";

export const sinkJob = ({ organization, environment }: Scope, id: string): JobSpec => ({
  task: sinkJobName,
  payload: { organization, environment, sink: id },
  key: id,
});

/** The name of a sink among what people take over. */
export const sinkObject = (id: string): string => `sink:${id}`;

/** What the owner of a sink needs. */
export const sinkPermission = "audit:export";

const compiled = new Map<TSchema, Validator>();

function check(schema: TSchema, value: unknown, pointer: string): Fault[] {
  const validate = compiled.get(schema) ?? compileSchema(schema);
  compiled.set(schema, validate);
  return validate(value).map((fault: BodyFault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` }));
}

interface Judging {
  readonly port: SinkPort;
  readonly environment: Environment;
}

/** What is wrong with a new sink's target and credentials. */
export function sinkFaults({ port, environment }: Judging, { kind, target, credentials }: CreateSinkBody): Fault[] {
  if (!(kind in targetSchemas)) return []; // the schema says so
  const wrong = check(targetSchemas[kind], target, "/target");
  const missing = credentials === undefined && needsCredentials.has(kind);
  return [
    ...wrong,
    ...(wrong.length === 0 ? addressFaults(port, environment, target) : []),
    ...(missing
      ? [
          {
            pointer: "/credentials",
            code: "required",
            detail: `must be given: a sink of kind ${kind} does not work without`,
          },
        ]
      : []),
    ...credentialFaults(kind, credentials),
  ];
}

export const credentialFaults = (kind: SinkKind, credentials: object | undefined): Fault[] =>
  credentials === undefined ? [] : check(credentialSchemas[kind], credentials, "/credentials");

function addressFaults(port: SinkPort, environment: Environment, target: object): Fault[] {
  const { url, endpoint, host, port: number } = target as Readonly<Record<string, string | undefined>>;
  const [name, address] =
    host !== undefined
      ? ["host", `https://${host.includes(":") ? `[${host}]` : host}:${number ?? 6_514}/`]
      : url !== undefined
        ? ["url", url]
        : ["endpoint", endpoint as string];
  const refused = port.checkUrl(environment, address);
  return refused === null ? [] : [{ pointer: `/target/${name}`, ...refused }];
}

const contextOf = ({ organization, environment }: Scope, sink: string): string =>
  `audit sink ${organization} ${environment} ${sink}`;

/** Bound to their sink, so that they open in no other row. */
export const sealCredentials = (key: Buffer, scope: Scope, sink: string, credentials: object): Buffer =>
  seal(key, Buffer.from(JSON.stringify(credentials)), contextOf(scope, sink));

/** Null: it has none. Throws if the key does not open them. */
export function openCredentials(key: Buffer, scope: Scope, sink: string, sealed: Buffer | null): unknown {
  if (sealed === null) return null;
  const plain = unseal(key, sealed, contextOf(scope, sink));
  if (plain === undefined) throw new Error(`the credentials of the sink ${sink} do not open under the credential key`);
  return parseJson(plain.toString());
}

/** Columns of a sink that the caller owns from now on; those before decided what they left in it. */
export function ownedByCaller(ctx: WriteContext, { id, actor: before }: Pick<StoredSink, "id" | "actor">) {
  const earlier = asEarlier(storedPersons(before), "output", sinkObject(id));
  return { actor: storable(withDeciders(actorOfCall(ctx), earlier)), stopped_reason: null, stopped_at: null };
}

/** Columns of a sink that is tried again at once. */
export const triedAgain = (now: number) => ({
  faults: 0,
  failing_since: null,
  told_at: null,
  last_error: null,
  next_at: new Date(now),
});
