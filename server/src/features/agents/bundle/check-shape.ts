import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import { parsePointer } from "@aos/strict-json";
import { nearestName } from "@aos/text";
import { BundleFrame, modelForms, toolForms } from "../definition.ts";

type Forms = Readonly<Record<string, Validator>>;

interface Shapes {
  readonly frame: Validator;
  readonly models: Forms;
  readonly tools: Forms;
}

let shapes: Shapes | undefined;

/** Compiled at the first bundle: a process that reads none pays nothing. */
function compiled(): Shapes {
  const all = (forms: Readonly<Record<string, object>>): Forms =>
    Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, compileSchema(form)]));
  shapes ??= { frame: compileSchema(BundleFrame), models: all(modelForms), tools: all(toolForms) };
  return shapes;
}

/** What a value breaks of the shape of a bundle. A model and a tool are held to the one form that their `provider` or `kind` names. */
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
  if (!isObject(value)) return [{ pointer, code: "type", detail: "must be an object" }];
  const names = Object.keys(forms);
  const allowed = names.map((name) => `\`${name}\``).join(", ");
  const at = `${pointer}/${tag}`;
  if (!Object.hasOwn(value, tag))
    return [{ pointer: at, code: "required", detail: `is required; it must be one of ${allowed}` }];
  const name = value[tag];
  if (typeof name !== "string" || !names.includes(name)) {
    const nearest = typeof name === "string" ? nearestName(name, names) : null;
    const hint = nearest === null ? "" : `; did you mean \`${nearest}\`?`;
    return [{ pointer: at, code: "not_allowed", detail: `must be one of ${allowed}${hint}` }];
  }
  return forms[name]!(value).map((fault) => ({ ...fault, pointer: pointer + fault.pointer }));
}

/** A part of which only some fields are known to have their shape. */
export type Loose<T> = T extends unknown ? { readonly [Name in keyof T]?: T[Name] | undefined } : never;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What people write from habit of other systems, and where it goes here: by the place of the object, then by the field. */
const HINTS: readonly (readonly [place: RegExp, fields: Readonly<Record<string, string>>])[] = [
  [
    /^$/,
    {
      name: "is not known here; the agent's name stands in `agent`",
      owner:
        "is not part of the file: the owner is who creates the agent. Leave it out; ownership is transferred through the API",
      version: "is not part of the file: versions are numbered when they are frozen. Leave it out",
      status: "is not part of the file: it follows from deployments. Leave it out",
      environment: "is not part of the file: a version is deployed to an environment. Leave it out",
      prompt: "is not known here; what the model is told stands in `instructions`",
      system: "is not known here; what the model is told stands in `instructions`",
      system_prompt: "is not known here; what the model is told stands in `instructions`",
    },
  ],
  [
    /^\/model$/,
    {
      temperature: "is not known here; it stands in `settings`",
      top_p: "is not known here; it stands in `settings`",
      max_tokens: "is not known here; `settings` has `max_output_tokens`",
      max_output_tokens: "is not known here; it stands in `settings`",
      seed: "is not known here; it stands in `settings`",
      base_url: "is not known here; it stands in `settings`",
    },
  ],
  [/^\/model\/settings$/, { max_tokens: "is not known here; did you mean `max_output_tokens`?" }],
  [
    /^\/tools\/\d+$/,
    {
      url: "is not known here; an http tool has it in `request`, an mcp tool has `server`",
      method: "is not known here; an http tool has it in `request`",
      headers: "is not known here; an http tool has them in `request`",
      body: "is not known here; an http tool has it in `request`",
      parameters: "is not known here; what a call may pass stands in `arguments`, as JSON Schema",
    },
  ],
  [
    /^\/skills\/\d+$/,
    {
      prompt: "is not known here; what the model is told stands in `instructions`",
      input_schema: "is not known here; the JSON Schema stands in `input`",
      output_schema: "is not known here; the JSON Schema stands in `output`",
    },
  ],
];
const CREDENTIALS = new Set([
  "api_key",
  "apikey",
  "key",
  "token",
  "secret",
  "password",
  "credentials",
  "auth",
  "authorization",
]);

function withHint(fault: BodyFault): BodyFault {
  if (fault.code !== "unknown_field") return fault;
  const field = parsePointer(fault.pointer)?.at(-1) ?? "";
  const place = fault.pointer.slice(0, fault.pointer.lastIndexOf("/"));
  if (CREDENTIALS.has(field.toLowerCase()) && /^\/(model|tools)\b/.test(place)) {
    return {
      ...fault,
      code: "secret_refused",
      detail: "is not known here, and a definition holds no secret; name a connection in `connection`",
    };
  }
  const detail = HINTS.filter(([where]) => where.test(place)).flatMap(([, fields]) =>
    Object.hasOwn(fields, field) ? [fields[field]!] : [],
  )[0];
  return detail === undefined ? fault : { ...fault, detail };
}
