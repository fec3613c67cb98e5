import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { CornerDownLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { listAgents } from "../api/agents.ts";
import { listApprovals } from "../api/approvals.ts";
import { useLive } from "../api/queries.ts";
import { listTasks } from "../api/tasks.ts";
import { asksText, titleOf } from "../lib/asking.ts";
import { wordScore } from "../lib/find.ts";
import { spoken } from "../lib/words.ts";
import { useRooms } from "./rooms.ts";
import { setTheme } from "./theme.ts";

const item =
  "flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-accent-soft";
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
      <Command label="Go to" loop filter={(_value, text, words) => wordScore(words ?? [], text)}>
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Search pages, agents, pending approvals, task ids…"
          className="h-13 w-full border-b border-line bg-transparent px-5 text-base outline-none placeholder:text-muted"
        />
        <Command.List className="max-h-[50vh] overflow-auto p-2">
          <Command.Empty className="px-3 py-6 text-center text-sm text-muted">No results.</Command.Empty>
          <Entries text={text.trim()} onClose={onClose} />
        </Command.List>
      </Command>
    </dialog>
  );
}

/** The room of a thing, by the prefix of its id. */
const roomOf = { tsk: "tasks", apr: "approvals", msn: "missions", cnv: "conversations" } as const;

interface GroupProps {
  /** Returns the handler that closes the palette and opens the page. */
  readonly go: (href: string) => () => void;
}

function Entries({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const go = (href: string) => () => {
    onClose();
    void navigate({ href });
  };
  const id = /^(tsk|apr|msn|cnv)_[0-9a-z]{26}$/.exec(text);
  return (
    <>
      {id ? (
        <Entry
          value={text}
          words={[text]}
          onSelect={go(`/${roomOf[id[1] as keyof typeof roomOf]}/${text}`)}
          name={`Open ${text}`}
        />
      ) : null}
      <RoomEntries go={go} />
      <ApprovalEntries go={go} />
      <TaskEntries go={go} />
      <AgentEntries go={go} />
      <ThemeEntries onClose={onClose} />
    </>
  );
}

function RoomEntries({ go }: GroupProps) {
  return (
    <Command.Group heading="Pages" className={heading}>
      {useRooms().map(({ to, name, about, icon: Icon }) => (
        <Command.Item key={to} value={to} keywords={[name, about]} onSelect={go(to)} className={item}>
          <Icon className="size-4 text-muted" aria-hidden="true" />
          {name}
          <span className="truncate text-muted">{about}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function ApprovalEntries({ go }: GroupProps) {
  const waiting = useLive(listApprovals({ limit: 25 }));
  return (
    <Command.Group heading="Pending" className={heading}>
      {waiting.data?.data.map((approval) => (
        <Entry
          key={approval.approval_id}
          value={approval.approval_id}
          words={[approval.title ?? "", approval.agent, approval.skill, approval.tool ?? "", `${approval.risk} risk`]}
          onSelect={go(`/approvals/${approval.task_id}`)}
          name={titleOf(approval)}
          more={joined(approval.title === null ? "" : asksText(approval), `${approval.risk} risk`)}
        />
      ))}
    </Command.Group>
  );
}

function TaskEntries({ go }: GroupProps) {
  const tasks = useLive(listTasks({ limit: 25 }));
  return (
    <Command.Group heading="Newest tasks" className={heading}>
      {tasks.data?.data
        .filter(({ status }) => status !== "awaiting_approval")
        .map((task) => (
          <Entry
            key={task.task_id}
            value={task.task_id}
            words={[task.title ?? "", task.agent, task.task]}
            onSelect={go(`/tasks/${task.task_id}`)}
            name={task.title ?? `${task.agent} · ${task.task}`}
            more={joined(task.title === null ? "" : `${task.agent} · ${task.task}`, spoken(task.status).toLowerCase())}
          />
        ))}
    </Command.Group>
  );
}

function AgentEntries({ go }: GroupProps) {
  const agents = useLive(listAgents({ limit: 50 }));
  return (
    <Command.Group heading="Agents" className={heading}>
      {agents.data?.data.map(({ agent }) => (
        <Entry
          key={agent}
          value={`agent ${agent}`}
          words={["agent", agent]}
          onSelect={go(`/agents/${agent}`)}
          name={agent}
        />
      ))}
    </Command.Group>
  );
}

function ThemeEntries({ onClose }: { readonly onClose: () => void }) {
  return (
    <Command.Group heading="Theme" className={heading}>
      {(["light", "dark", "system"] as const).map((theme) => (
        <Entry
          key={theme}
          value={`theme ${theme}`}
          words={["theme", theme]}
          name={`Theme: ${theme}`}
          onSelect={() => {
            setTheme(theme);
            onClose();
          }}
        />
      ))}
    </Command.Group>
  );
}

const joined = (...parts: string[]): string => parts.filter((part) => part !== "").join(", ");

interface EntryProps {
  /** By which it is distinguished from the others; nothing is found by it. */
  readonly value: string;
  /** What it is found by. */
  readonly words: readonly string[];
  readonly name: string;
  readonly more?: string;
  readonly onSelect: () => void;
}

function Entry({ value, words, name, more, onSelect }: EntryProps) {
  return (
    <Command.Item value={value} keywords={[...words]} onSelect={onSelect} className={item}>
      <CornerDownLeft className="size-4 shrink-0 text-muted" aria-hidden="true" />
      <span className="min-w-0 truncate">{name}</span>
      {more ? <span className="min-w-0 flex-1 truncate text-muted">{more}</span> : null}
    </Command.Item>
  );
}
