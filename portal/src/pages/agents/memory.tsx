import { Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { forgetMemory, listMemory } from "../../api/agent-tools.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyText } from "../../ui/code.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { EmptyState, ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";

type Memory = Schema<"AgentMemory">;

/** What the agent reads in its conversations: of users, and within one conversation. */
export function Memory({ agent }: { readonly agent: string }) {
  const [user, setUser] = useState("");
  const { data, error } = useLive(listMemory(agent, useDeferredValue(user.trim())), { every: 15_000 });
  const mayForget = useMay("chat:answer");
  const [asked, setAsked] = useState<Memory | null>(null);
  const [proof, setProof] = useState<string | null>(null);
  return (
    <div className="grid gap-4">
      <Field
        className="max-w-sm"
        label="User"
        placeholder="All users"
        value={user}
        onChange={(event) => setUser(event.target.value)}
      />
      {proof === null ? null : (
        <Notice tone="good" live>
          Forgotten. The proof is the audit record <CopyText text={proof} label="audit reference" />
        </Notice>
      )}
      {error ? <ErrorState error={error} /> : data === undefined ? <Skeleton lines={4} /> : null}
      {data?.data.length === 0 ? (
        <EmptyState title="Nothing is remembered">
          What is kept of users and within conversations with this agent appears here, with its source.
        </EmptyState>
      ) : null}
      {data && data.data.length > 0 ? (
        <Card flush>
          <ul className="divide-y divide-line">
            {data.data.map((memory) => (
              <Remembered key={memory.memory_id} memory={memory} onForget={mayForget ? setAsked : null} />
            ))}
          </ul>
        </Card>
      ) : null}
      {asked === null ? null : (
        <Forget agent={agent} memory={asked} onProof={setProof} onClose={() => setAsked(null)} />
      )}
    </div>
  );
}

interface RememberedProps {
  readonly memory: Memory;
  readonly onForget: ((memory: Memory) => void) | null;
}

function Remembered({ memory, onForget }: RememberedProps) {
  const { text, scope, user, conversation_id: conversation, source_message_id: source, generated } = memory;
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3 text-sm sm:px-5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere">{visible(text)}</p>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
          <Badge tone={scope === "user" ? "info" : "neutral"}>
            {scope === "user" ? `user ${user}` : "one conversation"}
          </Badge>
          {generated ? <Badge>generated</Badge> : null}
          {source === null ? "entered by hand" : "from a message"} <RelativeTime time={memory.created_at} />
          {conversation === null ? null : (
            <Link
              to="/conversations/$conversation"
              params={{ conversation }}
              className="font-medium text-accent underline underline-offset-2"
            >
              Conversation
            </Link>
          )}
        </p>
      </div>
      {onForget ? (
        <Button size="small" kind="refuse" onClick={() => onForget(memory)}>
          Forget
        </Button>
      ) : null}
    </li>
  );
}

interface ForgetProps {
  readonly agent: string;
  readonly memory: Memory;
  readonly onProof: (reference: string) => void;
  readonly onClose: () => void;
}

function Forget({ agent, memory, onProof, onClose }: ForgetProps) {
  const change = useChange(forgetMemory, ["/v1/agents/{agent}/memory"]);
  const forget = (): void =>
    change.mutate(
      { agent, item: memory.memory_id },
      {
        onSuccess: ({ audit_ref }) => {
          onProof(audit_ref);
          onClose();
        },
      },
    );
  return (
    <FormDialog title="Forget this" word="Forget" kind="danger" change={change} onSubmit={forget} onClose={onClose}>
      <p className="wrap-anywhere">“{visible(memory.text)}”</p>
      <p className="text-muted">
        {memory.scope === "user" ? "Every agent forgets it. " : ""}It is erased and cannot be brought back.
      </p>
    </FormDialog>
  );
}
