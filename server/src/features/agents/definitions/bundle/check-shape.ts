import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import { parsePointer } from "@aos/strict-json";
import { nearestName } from "@aos/text";
import { Type } from "typebox";
import { AgentBundle, DEFINITION_LIMITS, modelForms, toolForms } from "../schemas.ts";
import { fault, isObject } from "./faults.ts";

type Forms = Readonly<Record<string, Validator>>;

interface Shapes {
  readonly frame: Validator;
  readonly models: Forms;
  readonly tools: Forms;
}

/** Each model and tool is checked against the one form that it names, so the frame leaves them open. */
const frameOf = () =>
  Type.Object(
    {
      ...AgentBundle.properties,
      model: Type.Unknown(),
      tools: Type.Optional(Type.Array(Type.Unknown(), { maxItems: DEFINITION_LIMITS.tools })),
    },
    { additionalProperties: false },
  );

let shapes: Shapes | undefined;

function compiled(): Shapes {
  const all = (forms: Readonly<Record<string, object>>): Forms =>
    Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, compileSchema(form)]));
  shapes ??= { frame: compileSchema(frameOf()), models: all(modelForms), tools: all(toolForms) };
  return shapes;
}

/** A model and a tool are checked against the one form that their `provider` or `kind` names. */
export function shapeFaults(value: unknown): BodyFault[] {
  const { frame, models, tools } = compiled();
  const faults = [...frame(value)];
  if (isObject(value)) {
    if (Object.hasOwn(value, "model")) faults.push(...formFaults(value.model, "/model", "provider", models));
    const list = Array.isArray(value.tools) ? value.tools : [];
    for (const [index, tool] of list.entries()) faults.push(...formFaults(tool, `/tools/${index}`, "kind", tools));
  }
  return faults.map(withHint);
}

function formFaults(value: unknown, pointer: string, tag: string, forms: Forms): BodyFault[] {
  if (!isObject(value)) return [fault(pointer, "type", "must be an object")];
  const names = Object.keys(forms);
  const allowed = names.map((name) => `\`${name}\``).join(", ");
  const at = `${pointer}/${tag}`;
  if (!Object.hasOwn(value, tag)) return [fault(at, "required", `is required; it must be one of ${allowed}`)];
  const name = value[tag];
  if (typeof name === "string" && names.includes(name))
    return forms[name]!(value).map((one) => ({ ...one, pointer: pointer + one.pointer }));
  const nearest = typeof name === "string" ? nearestName(name, names) : null;
  const hint = nearest === null ? "" : `; did you mean \`${nearest}\`?`;
  return [fault(at, "not_allowed", `must be one of ${allowed}${hint}`)];
}

const elsewhere = (place: string) => `is not known here; ${place}`;
const instructions = elsewhere("instructions to the model go into `instructions`");
const settings = elsewhere("it stands in `settings`");
const request = elsewhere("an http tool has it in `request`");
const omit = (why: string) => `is not part of the file: ${why}. Leave it out`;

/** Fields of other systems' files, and where they go here: by the place of the object, then by the field. */
const HINTS: readonly (readonly [place: RegExp, fields: Readonly<Record<string, string>>])[] = [
  [
    /^$/,
    {
      name: elsewhere("the agent's name stands in `agent`"),
      owner: `${omit("the owner is who creates the agent")}; ownership is transferred through the API`,
      version: omit("versions are numbered when they are frozen"),
      status: omit("it follows from deployments"),
      environment: omit("a version is deployed to an environment"),
      prompt: instructions,
      system: instructions,
      system_prompt: instructions,
    },
  ],
  [
    /^\/model$/,
    {
      temperature: settings,
      top_p: settings,
      max_tokens: elsewhere("`settings` has `max_output_tokens`"),
      max_output_tokens: settings,
      seed: settings,
      base_url: settings,
    },
  ],
  [/^\/model\/settings$/, { max_tokens: elsewhere("did you mean `max_output_tokens`?") }],
  [
    /^\/tools\/\d+$/,
    {
      url: elsewhere("an http tool has it in `request`, an mcp tool has `server`"),
      method: request,
      headers: request,
      body: request,
      parameters: elsewhere("what a call may pass stands in `arguments`, as JSON Schema"),
    },
  ],
  [
    /^\/skills\/\d+$/,
    {
      prompt: instructions,
      input_schema: elsewhere("the JSON Schema stands in `input`"),
      output_schema: elsewhere("the JSON Schema stands in `output`"),
    },
  ],
];
const CREDENTIALS = /^(?:api_?key|key|token|secret|password|credentials|auth|authorization)$/i;

function withHint(found: BodyFault): BodyFault {
  if (found.code !== "unknown_field") return found;
  const field = parsePointer(found.pointer)?.at(-1) ?? "";
  const place = found.pointer.slice(0, found.pointer.lastIndexOf("/"));
  if (CREDENTIALS.test(field) && /^\/(model|tools)\b/.test(place)) {
    const detail = "is not known here, and a definition holds no secret; name a connection in `connection`";
    return fault(found.pointer, "secret_refused", detail);
  }
  const fields = HINTS.find(([where]) => where.test(place))?.[1] ?? {};
  return Object.hasOwn(fields, field) ? { ...found, detail: fields[field]! } : found;
}
