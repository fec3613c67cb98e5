import { slices } from "../features/index.ts";
import { isObject, type Json, normalSchema } from "./schema.ts";
import * as own from "./schemas.ts";

/** Where the names of shared schemas come from: a component is called as the module exports it. What is exported under two names has the first. */
const schemaModules: Readonly<Record<string, object>> = {
  own,
  ...Object.fromEntries(slices.map(({ name, slice }) => [name, slice.schemas ?? {}])),
};

/** Only what has a shape is worth a name: objects with members, enumerations, and choices by kind. */
const deservesName = (schema: Json): boolean =>
  isObject(schema.properties) || Array.isArray(schema.enum) || isObject(schema.discriminator) || isCyclic(schema);

/** A schema that holds itself (`Type.Cyclic`): its one definition, which refers to itself by its name. */
const isCyclic = ({ $defs, $ref }: Json): boolean => isObject($defs) && typeof $ref === "string" && $ref in $defs;

/** Turns schemas of declarations into schemas of the document, and collects those that are shared under `components`. */
export interface Components {
  /** The schema for use in the document: a reference where it has a name. */
  schema(schema: object): Json;
  /** Everything that was referred to, by name. */
  used(): Record<string, Json>;
}

/** A collector over the exported schemas of all modules. Throws where two of them give one name to different schemas: a mistake in the source. */
export function createComponents(modules: Readonly<Record<string, object>> = schemaModules): Components {
  const names = namesOf(modules);
  const used = new Map<string, Json>();

  function place(schema: Json): Json {
    const name = names.get(JSON.stringify(schema)) ?? pageName(schema, names);
    if (name === undefined && isCyclic(schema)) throw new Error("a schema that holds itself has no name: export it");
    if (name === undefined) return inside(schema);
    const reference = { $ref: `#/components/schemas/${name}` };
    if (!used.has(name)) {
      used.set(name, {}); // taken before its members are placed
      used.set(name, inside(isCyclic(schema) ? unrolled(schema, reference) : schema));
    }
    return reference;
  }

  const inside = (schema: Json): Json =>
    Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, member(key, value)]));
  function member(key: string, value: unknown): unknown {
    if (["items", "additionalProperties", "not"].includes(key) && isObject(value)) return place(value);
    if (["anyOf", "oneOf", "allOf"].includes(key)) return (value as Json[]).map(place);
    if (key === "properties")
      return Object.fromEntries(Object.entries(value as Record<string, Json>).map(([name, one]) => [name, place(one)]));
    return value;
  }

  return {
    schema: (schema) => place(normalSchema(schema)),
    used: () => Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** What a schema that holds itself says, with references to it as a component. */
function unrolled({ $defs, $ref: own }: Json, reference: Json): Json {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (!isObject(value)) return value;
    if (value.$ref === own) return reference;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replace(one)]));
  };
  const { $id: _, ...definition } = ($defs as Json)[own as string] as Json;
  return replace(definition) as Json;
}

function namesOf(modules: Readonly<Record<string, object>>): Map<string, string> {
  const names = new Map<string, string>();
  const owners = new Map<string, { module: string; text: string }>();
  for (const [module, exports] of Object.entries(modules)) {
    for (const [name, value] of Object.entries(exports)) {
      if (!isSchema(value)) continue;
      const schema = normalSchema(value);
      if (!deservesName(schema)) continue;
      const text = JSON.stringify(schema);
      const owner = owners.get(name);
      if (owner && owner.text !== text)
        throw new Error(
          `the schema ${name} is exported by ${owner.module} and, with another meaning, by ${module}: rename one`,
        );
      owners.set(name, { module, text });
      if (!names.has(text)) names.set(text, name);
    }
  }
  return names;
}

/** TypeBox marks its types; other exports of a schemas module are lists and functions. */
const isSchema = (value: unknown): value is object =>
  isObject(value) && ("type" in value || "enum" in value || "anyOf" in value || "$defs" in value);

const pageMembers = "data,has_more,next_cursor";

/** A page of named things is named after them. */
function pageName({ properties }: Json, names: ReadonlyMap<string, string>): string | undefined {
  if (!isObject(properties) || Object.keys(properties).join() !== pageMembers) return undefined;
  const item = names.get(JSON.stringify((properties.data as Json).items));
  return item && `${item}Page`;
}
