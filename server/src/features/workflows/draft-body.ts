import type { WorkflowDefinition } from "@aos/workflow";
import type { CallContext } from "../../kernel/context.ts";
import { type Fault, refuse } from "../../kernel/errors.ts";
import { malformedBody } from "../../kernel/problems.ts";
import { readDefinition } from "./checks.ts";
import { agentsOf } from "./definition-model.ts";
import type { NewDraft } from "./definition-store.ts";
import { formFaults, yamlType } from "./file.ts";

// The draft that a body says: member by member, or as a text.

type DraftBody = Partial<WorkflowDefinition> & { readonly source?: string };

/** A file as a body of the type `application/yaml`. */
export const readsFile = {
  [yamlType]: (bytes: Buffer): DraftBody => {
    try {
      return { source: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
    } catch {
      const detail = "The file is not UTF-8. Save it in that encoding.";
      throw refuse(malformedBody, detail, { errors: [{ pointer: "", code: "not_utf8", detail }] });
    }
  },
};

/** Drafts by the bodies that said them, from the check of a body to its use. */
const read = new WeakMap<object, NewDraft>();

/** What is wrong with a body; a text that has not the form of a workflow is refused with lines and columns. `name`: what the draft has to be called. */
export async function draftFaults(body: DraftBody, name?: string): Promise<readonly Fault[]> {
  const { source, ...members } = body;
  if (source !== undefined && typeof source !== "string")
    return [{ pointer: "/source", code: "type", detail: "must be the text of a file" }];
  const besides = Object.keys(members);
  if (source !== undefined && besides.length > 0)
    return besides.map((member) => ({
      pointer: `/${member}`,
      code: "not_together",
      detail: "does not go together with `source`, which is the whole definition",
    }));
  const definition =
    source === undefined ? { ...(name !== undefined && { workflow: name }), ...members } : await readDefinition(source);
  const faults = source === undefined ? formFaults(definition) : [];
  if (faults.length > 0) return faults;
  const draft = definition as WorkflowDefinition;
  read.set(body, { definition: draft, source: source ?? null, agents: agentsOf(draft) });
  if (name === undefined || draft.workflow === name) return [];
  const detail = `names another workflow than the address, ${name}; names do not change, create a workflow of the new name`;
  return [{ pointer: "/workflow", code: "another_workflow", detail }];
}

/** The draft of a body that was found without fault. */
export const draftOf = (body: object): NewDraft => read.get(body) as NewDraft;

/** The agents that a body's draft names. A body that says none is refused anyway. */
export const agentsIn = (_ctx: CallContext, { body }: { readonly body: object }): readonly string[] =>
  read.get(body)?.agents ?? [];
