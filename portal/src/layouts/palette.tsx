import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { CornerDownLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { listAgents } from "../api/agents.ts";
import { listApprovals } from "../api/approvals.ts";
import { useLive } from "../api/queries.ts";
import { useRooms } from "./rooms.ts";
import { setTheme } from "./theme.ts";

const item = "flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-accent-soft";
const heading =
  "[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted";

/** Goes anywhere by a few letters: rooms, agents, what waits, and a task or approval by its id. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  useEffect(() => {
    ref.current?.showModal();
    ref.current?.querySelector("input")?.focus();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself
    <dialog
      ref={ref}
      aria-label="Go to"
      onClose={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
      className="mt-[12vh] w-[calc(100vw-2rem)] max-w-xl rounded-xl border border-line bg-raised text-ink shadow-float"
    >
      <Command label="Go to" loop>
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="A room, an agent, a task id…"
          className="h-13 w-full border-b border-line bg-transparent px-5 text-base outline-none placeholder:text-muted"
        />
        <Command.List className="max-h-[50vh] overflow-auto p-2">
          <Command.Empty className="px-3 py-6 text-center text-sm text-muted">Nothing is called that.</Command.Empty>
          <Entries text={text.trim()} onClose={onClose} />
        </Command.List>
      </Command>
    </dialog>
  );
}

function Entries({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const agents = useLive(listAgents({ limit: 50 }));
  const waiting = useLive(listApprovals({ limit: 10 }));
  const rooms = useRooms();
  const go = (href: string) => () => {
    onClose();
    void navigate({ href });
  };
  const id = /^(tsk|apr)_[0-9a-z]{26}$/.exec(text);
  return (
    <>
      {id ? <Entry value={text} onSelect={go(id[1] === "tsk" ? `/tasks/${text}` : `/approvals/${text}`)} name={`Open ${text}`} /> : null}
      <Command.Group heading="Rooms" className={heading}>
        {rooms.map(({ to, name, about, icon: Icon }) => (
          <Command.Item key={to} value={`${name} ${about}`} onSelect={go(to)} className={item}>
            <Icon className="size-4 text-muted" aria-hidden="true" />
            {name}
            <span className="truncate text-muted">{about}</span>
          </Command.Item>
        ))}
      </Command.Group>
      <Command.Group heading="Waiting for a decision" className={heading}>
        {waiting.data?.data.map(({ approval_id, task_id, summary }) => (
          <Entry key={approval_id} value={`${summary} ${approval_id}`} onSelect={go(`/approvals/${task_id}`)} name={summary} />
        ))}
      </Command.Group>
      <Command.Group heading="Agents" className={heading}>
        {agents.data?.data.map(({ agent }) => (
          <Entry key={agent} value={`agent ${agent}`} onSelect={go(`/agents/${agent}`)} name={agent} />
        ))}
      </Command.Group>
      <Command.Group heading="Look" className={heading}>
        {(["light", "dark", "system"] as const).map((theme) => (
          <Entry
            key={theme}
            value={`theme ${theme}`}
            name={`Theme: ${theme}`}
            onSelect={() => {
              setTheme(theme);
              onClose();
            }}
          />
        ))}
      </Command.Group>
    </>
  );
}

function Entry({ value, name, onSelect }: { readonly value: string; readonly name: string; readonly onSelect: () => void }) {
  return (
    <Command.Item value={value} onSelect={onSelect} className={item}>
      <CornerDownLeft className="size-4 text-muted" aria-hidden="true" />
      <span className="truncate">{name}</span>
    </Command.Item>
  );
}
