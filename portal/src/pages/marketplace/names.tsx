import type { FormEvent } from "react";
import { listAgents } from "../../api/agents.ts";
import type { PlannedPart } from "../../api/installs.ts";
import { useLive } from "../../api/queries.ts";
import { visible } from "../../lib/words.ts";
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

type EndingProps = ChoiceProps & { readonly parts: readonly PlannedPart[] };

const takenOf = (parts: readonly PlannedPart[]): readonly string[] =>
  parts.filter(({ taken }) => taken).map(({ name }) => name);

/** Names that something else has, and an ending that makes them free. */
export function TakenNames({ parts, ...choice }: EndingProps) {
  const taken = [...new Set(takenOf(parts))];
  if (taken.length === 0) return null;
  return (
    <Notice tone="warn" live>
      <p className="font-medium">Names are taken here: {taken.map(visible).join(", ")}</p>
      <p>Something else has them. Install it under other names:</p>
      <EndingForm {...choice} proposed="-2" />
    </Notice>
  );
}

/** An ending for all names where somebody wants it twice. */
export function OtherNames({ parts, ...choice }: EndingProps) {
  if (takenOf(parts).length > 0) return null;
  return (
    <details open={choice.names.suffix !== undefined}>
      <summary className="w-fit rounded py-1 text-muted hover:text-ink">Install under other names</summary>
      <EndingForm {...choice} proposed="" />
    </details>
  );
}

function EndingForm({ names, onNames, proposed }: ChoiceProps & { readonly proposed: string }) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { suffix: _, ...others } = names;
    const suffix = String(new FormData(event.currentTarget).get("suffix")).trim();
    onNames(suffix === "" ? others : { ...others, suffix });
  };
  return (
    <form onSubmit={submit} className="mt-2 flex flex-wrap items-end gap-2">
      <Field
        name="suffix"
        label="Ending of all names"
        defaultValue={names.suffix ?? proposed}
        pattern="-[a-z0-9\-]{1,19}"
        title="A dash, then lowercase letters, digits and dashes: -2"
        maxLength={20}
        className="w-44"
      />
      <Button type="submit">Preview with it</Button>
    </form>
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
