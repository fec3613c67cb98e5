import { useState } from "react";
import { listAgents } from "../../api/agents.ts";
import { touchedConversations } from "../../api/chat.ts";
import { handBack, handOff, listQueues, takeOver } from "../../api/chat-people.ts";
import type { Conversation } from "../../api/chat-types.ts";
import { useChange, useLive, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { sessionQuery } from "../../api/session.ts";
import { visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useMedia } from "../../ui/media.ts";
import { Notice } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { isWaiting } from "./words.ts";

/** Whether the reader is the person who answers. */
export function useIsMine({ handler }: Pick<Conversation, "handler">): boolean {
  const { data: session } = usePrefetched(sessionQuery);
  return handler.kind === "person" && handler.id === session?.member;
}

/** Take over, hand back, hand on: whatever fits who answers now. */
export function HandoffActions({ conversation }: { readonly conversation: Conversation }) {
  const [asked, setAsked] = useState<"back" | "on" | null>(null);
  const mayAnswer = useMay("chat:answer");
  const mayWrite = useMay("chat:write");
  const mine = useIsMine(conversation);
  if (conversation.state === "closed") return null;
  const withPerson = conversation.handler.kind === "person";
  return (
    <>
      {mayWrite ? <Button onClick={() => setAsked("on")}>Hand over…</Button> : null}
      {mayAnswer && withPerson ? (
        <Button kind={mine ? "primary" : "plain"} onClick={() => setAsked("back")}>
          Hand back…
        </Button>
      ) : null}
      {mayAnswer && !withPerson ? <TakeOver conversation={conversation} /> : null}
      {asked === "back" ? <HandBack conversation={conversation} onClose={() => setAsked(null)} /> : null}
      {asked === "on" ? <HandOn conversation={conversation} onClose={() => setAsked(null)} /> : null}
    </>
  );
}

function TakeOver({ conversation }: { readonly conversation: Conversation }) {
  const change = useChange(takeOver, touchedConversations);
  return (
    <Button
      kind={isWaiting(conversation) ? "primary" : "plain"}
      busy={change.isPending}
      onClick={() =>
        change.mutate(conversation.conversation_id, {
          onSuccess: () => toast("You answer now. The agent does not until you hand the conversation back."),
          onError: toastProblem,
        })
      }
    >
      Take over
    </Button>
  );
}

interface DialogProps {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}

function HandBack({ conversation, onClose }: DialogProps) {
  const change = useChange(handBack, touchedConversations);
  const submit = (form: FormData): void => {
    const note = String(form.get("note")).trim();
    change.mutate(
      { conversation: conversation.conversation_id, ...(note === "" ? {} : { note }) },
      {
        onSuccess: () => {
          toast(`${conversation.agent} answers again.`);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog title="Hand back to the agent" word="Hand back" change={change} onSubmit={submit} onClose={onClose}>
      <p>{conversation.agent} answers the next message, with the version that is live then.</p>
      <TextArea
        name="note"
        label="Note to the agent"
        hint="What was agreed. Everybody in the conversation can read it."
        rows={3}
        maxLength={2000}
      />
    </FormDialog>
  );
}

function HandOn({ conversation, onClose }: DialogProps) {
  const change = useChange(handOff, touchedConversations);
  const [to, setTo] = useState<"person" | "agent">("person");
  const submit = (form: FormData): void => {
    const text = (name: string): string => String(form.get(name) ?? "").trim();
    const whom =
      to === "agent"
        ? { agent: text("agent") }
        : {
            ...(text("member") === "" ? {} : { member: text("member") }),
            ...(text("team") === "" ? {} : { team: text("team") }),
          };
    change.mutate(
      {
        conversation: conversation.conversation_id,
        to,
        reason: text("reason"),
        ...whom,
        ...(text("running") === "" ? {} : { running: text("running") as "finish" | "stop" }),
      },
      {
        onSuccess: () => {
          toast(to === "person" ? "The conversation waits for a person." : "Another agent answers from now on.");
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog title="Hand over" word="Hand over" change={change} onSubmit={submit} onClose={onClose}>
      <Select label="To" value={to} onChange={({ target }) => setTo(target.value as "person" | "agent")}>
        <option value="person">a person</option>
        <option value="agent">another agent</option>
      </Select>
      {to === "person" ? (
        <>
          <TeamSelect />
          <Field name="member" label="Who" placeholder="mbr_…" hint="A member's id. Empty: anybody who may answer." />
        </>
      ) : (
        <AgentSelect present={conversation.agent} />
      )}
      <TextArea
        name="reason"
        label="Reason"
        hint="Whoever takes over reads it, with a summary of what was said."
        rows={3}
        maxLength={1000}
        required
      />
      {conversation.busy ? (
        <Select name="running" label="The answer that is being written">
          <option value="stop">is stopped</option>
          <option value="finish">is finished first</option>
        </Select>
      ) : null}
    </FormDialog>
  );
}

/** The team whose queue it waits in; the agent then does not answer. */
function TeamSelect() {
  const { data } = useLive(listQueues());
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Select name="team" label="Team">
      <option value="">no team: the agent goes on until somebody takes over</option>
      {data.data.map(({ team, title, open }) => (
        <option key={team} value={team}>
          {open ? title : `${title} (closed now)`}
        </option>
      ))}
    </Select>
  );
}

function AgentSelect({ present }: { readonly present: string }) {
  const { data } = useLive(listAgents({ limit: 100, status: ["deployed"] }));
  return (
    <Select name="agent" label="Agent" required>
      {data?.data
        .filter(({ agent }) => agent !== present)
        .map(({ agent }) => (
          <option key={agent}>{agent}</option>
        ))}
    </Select>
  );
}

/** Why people were asked for, and what happened so far. */
export function HandoffSummary({ conversation }: { readonly conversation: Conversation }) {
  const wide = useMedia("(min-width: 64rem)");
  const { handoff } = conversation;
  if (handoff === null) return null;
  const waits = isWaiting(conversation);
  return (
    <Notice tone={waits ? "warn" : "info"}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <p>
          <span className="font-semibold">{waits ? "Waits for a person" : "Handed over"}</span>,{" "}
          <RelativeTime time={waits ? handoff.requested_at : (handoff.taken_at ?? handoff.requested_at)} />.{" "}
          {visible(handoff.reason)}
        </p>
        {handoff.summary === "" ? null : (
          <details open={waits && wide}>
            <summary className="w-fit rounded py-0.5 text-muted hover:text-ink">
              What happened so far{" "}
              {handoff.summary_generated ? <Badge tone="info">generated</Badge> : <Badge>quoted</Badge>}
            </summary>
            <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{visible(handoff.summary)}</p>
          </details>
        )}
      </div>
    </Notice>
  );
}
