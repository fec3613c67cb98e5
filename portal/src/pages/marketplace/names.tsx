import type { FormEvent } from "react";
import { listAgents } from "../../api/agents.ts";
import type { PlannedPart } from "../../api/installs.ts";
import { useLive } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";

/** What an install is asked for beside the version: an ending for its names, and the agent that it serves. */
export interface Names {
  readonly suffix?: string;
  readonly agent?: string;
}

interface ChoiceProps {
  readonly names: Names;
  readonly onNames: (names: Names) => void;
}

/** An ending for all names, where names are taken or somebody wants it twice. */
export function NameChoice({ parts, names, onNames }: ChoiceProps & { readonly parts: readonly PlannedPart[] }) {
  const taken = parts.filter((part) => part.taken).map(({ name }) => name);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { suffix: _, ...others } = names;
    const suffix = String(new FormData(event.currentTarget).get("suffix")).trim();
    onNames(suffix === "" ? others : { ...others, suffix });
  };
  const form = (
    <form onSubmit={submit} className="mt-2 flex flex-wrap items-end gap-2">
      <Field
        name="suffix"
        label="Ending of all names"
        defaultValue={names.suffix ?? (taken.length > 0 ? "-2" : "")}
        pattern="-[a-z0-9\-]{1,19}"
        title="A dash, then lowercase letters, digits and dashes: -2"
        maxLength={20}
        className="w-44"
      />
      <Button type="submit">Preview with it</Button>
    </form>
  );
  if (taken.length > 0)
    return (
      <Notice tone="warn" live>
        <p className="font-medium">Names are taken here: {taken.join(", ")}</p>
        <p>Something else has them. Install it under other names:</p>
        {form}
      </Notice>
    );
  return (
    <details open={names.suffix !== undefined}>
      <summary className="w-fit rounded py-1 text-muted hover:text-ink">Install under other names</summary>
      {form}
    </details>
  );
}

/** The agent that gets the tools or whose skill is tested. */
export function TargetChoice({ kind, names, onNames }: ChoiceProps & { readonly kind: string }) {
  const needed = kind === "tool_set" || kind === "dataset";
  const { data } = useLive(listAgents({ limit: 100 }), { when: needed });
  if (!needed) return null;
  const { agent: _, ...others } = names;
  return (
    <Select
      label={kind === "tool_set" ? "Agent that gets the tools" : "Agent whose skill is tested"}
      value={names.agent ?? ""}
      onChange={({ target }) => onNames(target.value === "" ? others : { ...others, agent: target.value })}
      hint={kind === "tool_set" ? "They are added to its draft." : "Default: the one that the dataset names."}
    >
      <option value="">{kind === "tool_set" ? "choose one" : "as the dataset says"}</option>
      {data?.data.map(({ agent }) => (
        <option key={agent}>{agent}</option>
      ))}
    </Select>
  );
}
