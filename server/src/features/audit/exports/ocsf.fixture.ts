/**
 * What the OCSF 1.3.0 schema (github.com/ocsf/ocsf-schema, tag 1.3.0: events/application/api.json, events/base_event.json, includes/, objects/, dictionary.json)
 * says of the attributes that events of ours have, and of all that it requires: type, requirement, values of enumerations, and the constraint of which objects need
 * at least one. An attribute that does not stand here is none that an event may have.
 */
interface Attribute {
  readonly type: string;
  readonly required?: true;
  readonly list?: true;
  readonly enum?: Readonly<Record<number, string>>;
  /** The attribute that holds the caption of this enumeration's value. */
  readonly sibling?: string;
}

interface Shape {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly atLeastOne?: readonly string[];
}

const string: Attribute = { type: "string_t" };
const integer: Attribute = { type: "integer_t" };
const required = (attribute: Attribute): Attribute => ({ ...attribute, required: true });

export const ocsfShapes: Readonly<Record<string, Shape>> = {
  api_activity: {
    attributes: {
      activity_id: required({
        ...integer,
        enum: { 0: "Unknown", 1: "Create", 2: "Read", 3: "Update", 4: "Delete", 99: "Other" },
        sibling: "activity_name",
      }),
      activity_name: string,
      category_uid: required({ ...integer, enum: { 6: "Application Activity" }, sibling: "category_name" }),
      category_name: string,
      class_uid: required({ ...integer, enum: { 6003: "API Activity" }, sibling: "class_name" }),
      class_name: string,
      type_uid: required({ type: "long_t" }),
      type_name: string,
      severity_id: required({
        ...integer,
        enum: {
          0: "Unknown",
          1: "Informational",
          2: "Low",
          3: "Medium",
          4: "High",
          5: "Critical",
          6: "Fatal",
          99: "Other",
        },
        sibling: "severity",
      }),
      severity: string,
      status_id: { ...integer, enum: { 0: "Unknown", 1: "Success", 2: "Failure", 99: "Other" }, sibling: "status" },
      status: string,
      status_code: string,
      status_detail: string,
      time: required({ type: "timestamp_t" }),
      timezone_offset: integer,
      message: string,
      metadata: required({ type: "metadata" }),
      actor: required({ type: "actor" }),
      api: required({ type: "api" }),
      src_endpoint: required({ type: "network_endpoint" }),
      resources: { type: "resource_details", list: true },
      raw_data: string,
      unmapped: { type: "object" },
    },
  },
  metadata: {
    attributes: {
      version: required(string),
      product: required({ type: "product" }),
      uid: string,
      log_name: string,
      log_provider: string,
      original_time: string,
      sequence: integer,
      tenant_uid: string,
      correlation_uid: string,
    },
  },
  product: { attributes: { name: string, uid: string, vendor_name: required(string) }, atLeastOne: ["name", "uid"] },
  actor: {
    attributes: { user: { type: "user" } },
    atLeastOne: ["process", "user", "invoked_by", "session", "app_name", "app_uid"],
  },
  user: {
    attributes: {
      uid: string,
      type_id: { ...integer, enum: { 0: "Unknown", 1: "User", 2: "Admin", 3: "System", 99: "Other" }, sibling: "type" },
      type: string,
      credential_uid: string,
    },
    atLeastOne: ["account", "name", "uid"],
  },
  api: {
    attributes: {
      operation: required(string),
      service: { type: "service" },
      request: { type: "request" },
      response: { type: "response" },
    },
  },
  service: { attributes: { name: string, uid: string }, atLeastOne: ["name", "uid"] },
  request: { attributes: { uid: required(string) } },
  response: { attributes: { code: integer, error: string } },
  network_endpoint: {
    attributes: { name: string, svc_name: string },
    atLeastOne: ["ip", "uid", "name", "hostname", "svc_name", "instance_uid", "interface_uid", "interface_name"],
  },
  resource_details: { attributes: { type: string, uid: string, name: string }, atLeastOne: ["name", "uid"] },
};

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string_t: (value) => typeof value === "string" && value.length <= 65_535,
  integer_t: (value) => Number.isInteger(value),
  long_t: (value) => Number.isSafeInteger(value),
  timestamp_t: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** What is wrong with a value as OCSF 1.3.0 has it, by place; empty where nothing is. */
export function ocsfFaults(value: unknown, shape = "api_activity", at = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${at}: is no ${shape}`];
  const { attributes, atLeastOne } = ocsfShapes[shape] as Shape;
  const object = value as Record<string, unknown>;
  const unknown = Object.keys(object).filter((name) => !(name in attributes));
  const missing = Object.entries(attributes).filter(([name, { required }]) => required && object[name] === undefined);
  const constrained = atLeastOne === undefined || atLeastOne.some((name) => object[name] !== undefined);
  return [
    ...unknown.map((name) => `${at}/${name}: is no attribute of ${shape}`),
    ...missing.map(([name]) => `${at}/${name}: is required`),
    ...(constrained ? [] : [`${at}: needs one of ${atLeastOne?.join(", ")}`]),
    ...Object.keys(object).flatMap((name) => attributeFaults(object, name, attributes[name], `${at}/${name}`)),
    ...(shape === "api_activity" ? typeFaults(object) : []),
  ];
}

function attributeFaults(
  object: Record<string, unknown>,
  name: string,
  attribute: Attribute | undefined,
  at: string,
): string[] {
  if (attribute === undefined) return [];
  const value = object[name];
  if (attribute.list) {
    if (!Array.isArray(value)) return [`${at}: is no list`];
    return value.flatMap((item, i) => ocsfFaults(item, attribute.type, `${at}/${i}`));
  }
  const isOfType = types[attribute.type];
  if (isOfType === undefined) return ocsfFaults(value, attribute.type, at);
  if (!isOfType(value)) return [`${at}: is no ${attribute.type}`];
  if (attribute.enum === undefined) return [];
  const caption = attribute.enum[value as number];
  if (caption === undefined) return [`${at}: ${value} is none of its values`];
  // Of 99, Other, the caption is the source's own.
  const said = object[attribute.sibling as string];
  return said === undefined || said === caption || value === 99
    ? []
    : [`${at}: ${value} is called ${caption}, not ${said}`];
}

/** `type_uid` is computed: class_uid · 100 + activity_id (dictionary.json). */
function typeFaults({ class_uid, activity_id, type_uid }: Record<string, unknown>): string[] {
  const expected = (class_uid as number) * 100 + (activity_id as number);
  return type_uid === expected ? [] : [`/type_uid: ${type_uid} is not ${expected}`];
}
