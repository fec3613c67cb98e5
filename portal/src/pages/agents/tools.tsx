import { Plus } from "lucide-react";
import { useState } from "react";
import { listTools, readTagged } from "../../api/agent-tools.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { spoken } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/card.tsx";
import { JsonView } from "../../ui/code.tsx";
import { Select } from "../../ui/field.tsx";
import { EmptyState, ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { BindTool, UnbindTool } from "./tool-dialogs.tsx";
import { type AgentTool, Standing } from "./tool-standing.tsx";
import { TestTool } from "./tool-test.tsx";

type Agent = Schema<"Agent">;
type Which = "draft" | "live";
type Asked = { readonly kind: "bind" } | { readonly kind: "change" | "unbind" | "test"; readonly tool: AgentTool };

/** What the agent may call, what is asked before a call, and by whose credentials. */
export function Tools({ agent }: { readonly agent: Agent }) {
  const [which, setWhich] = useState<Which>("draft");
  const { data, error } = useLive(listTools(agent.agent, which), { every: 15_000 });
  const { data: tagged } = useLive(readTagged(agent.agent));
  const mayWrite = useMay("agents:write") && agent.status !== "archived";
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  const changeable = mayWrite && which === "draft" && tagged !== undefined;
  const draft = tagged && { agent: agent.agent, etag: tagged.etag, skills: tagged.value.definition.skills };
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Select label="Tools of" value={which} onChange={(event) => setWhich(event.target.value as Which)}>
          <option value="draft">The draft</option>
          {agent.deployment ? <option value="live">Version {agent.deployment.version}, live here</option> : null}
        </Select>
        {changeable ? (
          <Button icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setAsked({ kind: "bind" })}>
            Bind tool
          </Button>
        ) : null}
      </div>
      {error ? <ErrorState error={error} /> : data === undefined ? <Skeleton lines={5} /> : null}
      {data?.tools.length === 0 ? (
        <EmptyState title="No tools">A tool reads or writes what the model itself cannot reach.</EmptyState>
      ) : null}
      <ul className="grid gap-3">
        {data?.tools.map((tool) => (
          <ToolRow
            key={tool.tool}
            tool={tool}
            onAsk={mayWrite ? (kind) => setAsked({ kind, tool }) : null}
            changeable={changeable}
          />
        ))}
      </ul>
      {asked?.kind === "bind" && draft ? <BindTool draft={draft} onClose={close} /> : null}
      {asked?.kind === "change" && draft ? <BindTool draft={draft} tool={asked.tool} onClose={close} /> : null}
      {asked?.kind === "unbind" && draft ? <UnbindTool draft={draft} tool={asked.tool} onClose={close} /> : null}
      {asked?.kind === "test" ? (
        <TestTool agent={agent.agent} version={which} tool={asked.tool} onClose={close} />
      ) : null}
    </div>
  );
}

interface ToolRowProps {
  readonly tool: AgentTool;
  readonly changeable: boolean;
  readonly onAsk: ((kind: "change" | "unbind" | "test") => void) | null;
}

function ToolRow({ tool, changeable, onAsk }: ToolRowProps) {
  const { definition, credentials, skills, last_failure: failure } = tool;
  return (
    <li className="grid gap-3 rounded-lg border border-line bg-surface px-4 py-4 text-sm shadow-card sm:px-5">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="id text-sm font-semibold">{tool.tool}</h2>
        <Badge>{spoken(definition.kind)}</Badge>
        <Badge tone={tool.effect === "write" ? "accent" : "neutral"}>
          {tool.effect === "write" ? "writes" : "reads"}
        </Badge>
        <Standing {...tool} />
        {onAsk ? (
          <span className="ml-auto flex flex-wrap gap-2">
            <Button size="small" onClick={() => onAsk("test")}>
              Try
            </Button>
            {changeable ? (
              <>
                <Button size="small" onClick={() => onAsk("change")}>
                  Change
                </Button>
                <Button size="small" kind="refuse" onClick={() => onAsk("unbind")}>
                  Unbind
                </Button>
              </>
            ) : null}
          </span>
        ) : null}
      </div>
      {definition.description ? <p className="max-w-prose text-muted">{definition.description}</p> : null}
      {tool.reasons.length > 0 ? <Notice tone="warn">{tool.reasons.join(" ")}</Notice> : null}
      {tool.runnable ? null : <Notice>This release does not call tools of MCP servers.</Notice>}
      <Facts
        facts={[
          ["Skills", skills.length === 0 ? "none may call it" : skills.join(", ")],
          ["Risk of a call", spoken(tool.risk)],
          credentials && ["Credentials", <Credentials key="credentials" {...credentials} />],
          ["Last used", <RelativeTime key="used" time={tool.last_used_at} />],
          failure && [
            "Last failed",
            <span key="failed">
              <RelativeTime time={tool.last_failed_at} />: <code className="id">{failure.code}</code> {failure.detail}
            </span>,
          ],
        ]}
      />
      <JsonView value={definition} label="Definition" />
    </li>
  );
}

function Credentials({ connection, present }: NonNullable<AgentTool["credentials"]>) {
  return (
    <>
      connection <code className="id">{connection}</code> {present ? null : <Badge tone="bad">missing here</Badge>}
    </>
  );
}
