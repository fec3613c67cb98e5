import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId } from "react";
import { listAgents } from "../../api/agents.ts";
import { listChannels } from "../../api/chat-channels.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { Chips } from "../../ui/field.tsx";
import type { ListSearch, View } from "./search.ts";
import { channelWord } from "./words.ts";

const choices: readonly (readonly [View, string])[] = [
  ["open", "Open"],
  ["people", "With people"],
  ["closed", "Closed"],
  ["all", "All"],
];

/** Narrows the list by state, agent, channel and user. What is chosen stands in the address. */
export function Filters({ search }: { readonly search: ListSearch }) {
  const navigate = useNavigate({ from: "/conversations" });
  const { data: agents } = useLive(listAgents({ limit: 100 }), { when: useMay("agents:read") });
  const { data: channels } = useLive(listChannels());
  const go = (next: ListSearch): void => void navigate({ search: { ...search, ...next, cursor: undefined } });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    go({ user: String(new FormData(event.currentTarget).get("user")).trim() || undefined });
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Chips
        label="Filter conversations"
        options={choices}
        chosen={[search.view ?? "open"]}
        onChange={(next) => go({ view: choices.find(([view]) => view === next.at(-1))?.[0] })}
      />
      <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
        <Pick
          label="Agent"
          value={search.agent}
          options={(agents?.data ?? []).map(({ agent }) => [agent, agent])}
          onChange={(agent) => go({ agent })}
        />
        <Pick
          label="Channel"
          value={search.channel}
          options={[["api", channelWord("api")], ...(channels?.data ?? []).map(({ name }) => [name, name] as const)]}
          onChange={(channel) => go({ channel })}
        />
        <form onSubmit={submit} className="flex gap-1">
          <input
            name="user"
            aria-label="User"
            placeholder="User"
            key={search.user}
            defaultValue={search.user ?? ""}
            className="h-9 w-36 rounded-md border border-line-strong bg-raised px-3 text-sm placeholder:text-muted pointer-coarse:h-11"
          />
          <Button type="submit">Filter</Button>
        </form>
      </div>
    </div>
  );
}

interface PickProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, word: string])[];
  readonly onChange: (value: string | undefined) => void;
}

function Pick({ label, value, options, onChange }: PickProps) {
  const id = useId();
  const known = value === undefined || options.some(([one]) => one === value);
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value || undefined)}
        className="h-9 max-w-44 rounded-md border border-line-strong bg-raised px-2 text-sm pointer-coarse:h-11"
      >
        <option value="">{label}: all</option>
        {known ? null : <option value={value}>{value}</option>}
        {options.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
    </>
  );
}
