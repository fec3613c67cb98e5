import path from "node:path";
import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import type { TSchema } from "typebox";
import type { Fault } from "../../../kernel/errors.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { SourcePort } from "../ports.ts";
import type { ConnectorRow } from "./resource.ts";
import { scheduleFaults } from "./schedule.ts";
import type { ChangeConnectorBody, ConnectorSchedule, CreateConnectorBody } from "./schemas.ts";
import { type ConnectorKind, credentialSchemas, type SourceOfKind, sourceSchemas } from "./source-schemas.ts";
import { jsonApiFaults } from "./sources/json-rules.ts";
import { globsRefusal } from "./sources/path-glob.ts";

const compiled = new Map<TSchema, Validator>();

function check(schema: TSchema, value: unknown, pointer: string): Fault[] {
  const validate = compiled.get(schema) ?? compileSchema(schema);
  compiled.set(schema, validate);
  return validate(value).map((fault: BodyFault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` }));
}

interface Judging {
  readonly port: SourcePort;
  readonly environment: Environment;
  readonly now: number;
}

export function connectorFaults(judging: Judging, body: CreateConnectorBody): Fault[] {
  const { kind, credentials } = body;
  if (!(kind in sourceSchemas)) return []; // the schema says so
  const missing = kind === "postgres" && credentials === undefined;
  return [
    ...sourceFaults(judging, kind, body.source),
    ...(missing
      ? [fault("/credentials", "required", "must hold `user` and `password`: a connector of kind postgres signs in")]
      : []),
    ...credentialFaults(kind, credentials),
    ...connectionFaults(kind, body.connection),
    ...scheduleFaults(body.schedule, judging.now),
  ];
}

/** A secret is never sent to a place that it was not given for. */
export function changeFaults(judging: Judging, connector: ConnectorRow, body: ChangeConnectorBody): Fault[] {
  const { kind } = connector;
  const source = body.source === undefined ? [] : sourceFaults(judging, kind, body.source);
  const moved =
    body.source !== undefined &&
    source.length === 0 &&
    connector.credentials !== null &&
    body.credentials === undefined &&
    placeOf(kind, body.source) !== placeOf(kind, connector.source);
  const again =
    "must be given again, because `source` leads to another place; they are sent only to the place that they were given for";
  return [
    ...source,
    ...(moved ? [fault("/credentials", "required", again)] : []),
    ...credentialFaults(kind, body.credentials),
    ...connectionFaults(kind, body.connection),
    ...scheduleFaults(body.schedule, judging.now),
  ];
}

const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });

function sourceFaults({ port, environment }: Judging, kind: ConnectorKind, source: object): Fault[] {
  const faults = [...check(sourceSchemas[kind], source, "/source"), ...patternFaults(source)];
  if (faults.length > 0) return faults;
  const { url, sitemap, endpoint, origins = [] } = source as Record<string, string> & { origins?: string[] };
  if (kind === "folder") return folderFaults(port, (source as SourceOfKind["folder"]).path);
  if (kind === "website" && url === undefined && sitemap === undefined)
    return [fault("/source/url", "required", "must say where to begin, unless `sitemap` does")];
  if (kind === "json-api") {
    const wrong = jsonApiFaults(source as SourceOfKind["json-api"]);
    if (wrong.length > 0) return wrong;
  }
  const addresses = [
    ...Object.entries({ url, sitemap, endpoint }).flatMap(([name, address]) =>
      address ? [[`/source/${name}`, address] as const] : [],
    ),
    ...origins.map((address, at) => [`/source/origins/${at}`, address] as const),
  ];
  return addresses.flatMap(([pointer, address]) => {
    const refused = port.checkUrl(environment, address);
    return refused ? [{ pointer, ...refused }] : [];
  });
}

function patternFaults(source: { readonly include?: unknown; readonly exclude?: unknown }): Fault[] {
  return (["include", "exclude"] as const).flatMap((list) => {
    const detail = globsRefusal(source[list]);
    return detail === null ? [] : [fault(`/source/${list}`, "pattern_refused", detail)];
  });
}

function folderFaults({ folders }: SourcePort, folder: string): Fault[] {
  if (folders.length === 0)
    return [
      fault(
        "/source/path",
        "folders_off",
        "cannot be read: this service reads no folders; its operator allows them by AOS_KNOWLEDGE_FOLDERS",
      ),
    ];
  if (folder.split("/").includes("..")) return [fault("/source/path", "not_plain", "must hold no `..`")];
  if (folders.some((root) => isBelow(root, folder))) return [];
  return [
    fault(
      "/source/path",
      "folder_not_allowed",
      "must lie below a folder that the operator allowed by AOS_KNOWLEDGE_FOLDERS",
    ),
  ];
}

export function isBelow(root: string, place: string): boolean {
  const way = path.relative(root, place);
  return way === "" || (way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

function credentialFaults(kind: ConnectorKind, credentials: object | undefined): Fault[] {
  if (credentials === undefined) return [];
  if (kind === "s3" || kind === "postgres") return check(credentialSchemas[kind], credentials, "/credentials");
  const instead = kind === "folder" ? "" : "; add a connection with its secret, and name it in `connection`";
  return [fault("/credentials", "not_for_kind", `is not for connectors of kind ${kind}${instead}`)];
}

/** Their requests carry a connection's secret. */
const connectedKinds: ReadonlySet<ConnectorKind> = new Set(["website", "feed", "git", "json-api"]);

function connectionFaults(kind: ConnectorKind, connection: string | null | undefined): Fault[] {
  if (connection == null || connectedKinds.has(kind)) return [];
  return [fault("/connection", "not_for_kind", `is not for connectors of kind ${kind}`)];
}

function placeOf(kind: ConnectorKind, source: object): string {
  const { endpoint, host, port, tls } = source as { endpoint?: string; host?: string; port?: number; tls?: boolean };
  return kind === "s3" ? (URL.parse(endpoint ?? "")?.origin ?? "") : JSON.stringify([host, port ?? 5432, tls ?? true]);
}

export const scheduleOf = ({
  schedule,
  time_zone,
}: Pick<ConnectorRow, "schedule" | "time_zone">): Required<ConnectorSchedule> | null =>
  schedule === null ? null : { cron: schedule, time_zone: time_zone ?? "UTC" };
