import { type FormEvent, useId } from "react";
import { testTool } from "../../api/agent-tools.ts";
import { useChange } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { fieldsOf, inputOf } from "../../lib/input-form.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { InputOf } from "../../ui/input-of.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { type AgentTool, Standing } from "./tool-standing.tsx";

type Schemas = Parameters<typeof fieldsOf>[0];

const text = { type: "string" };
const usual: Readonly<Record<AgentTool["definition"]["kind"], Schemas>> = {
  record: { required: ["id"], properties: { id: { ...text, description: "The record's id." } } },
  search: { required: ["query"], properties: { query: text, limit: { type: "integer" } } },
  http: {},
  mcp: {},
};

interface Parts {
  readonly agent: string;
  readonly version: "draft" | "live";
  readonly tool: AgentTool;
  readonly onClose: () => void;
}

/** Calls a tool that reads as the agent would, or shows what one that writes would send. */
export function TestTool({ agent, version, tool, onClose }: Parts) {
  const form = useId();
  const change = useChange(testTool);
  const { definition, skills } = tool;
  const fields = fieldsOf(definition.arguments ?? usual[definition.kind]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const skill = given.get("of-skill");
    const body = { version, arguments: inputOf(fields, given), ...(skill ? { skill: String(skill) } : {}) };
    change.mutate({ agent, tool: tool.tool, body });
  };
  const footer = (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button kind="primary" type="submit" form={form} busy={change.isPending}>
        {tool.effect === "write" ? "Show the request" : "Call it"}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={`Try ${tool.tool}`} footer={footer} wide>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm">
        <p className="text-muted">
          {tool.effect === "write"
            ? "It writes, so nothing is sent: you see the request, and what policies say of it."
            : "It is really called, as the agent and under its policies. No task is made."}
        </p>
        <form id={form} onSubmit={submit} className="grid gap-4">
          {skills.length > 1 ? (
            <Select name="of-skill" label="In the skill">
              {skills.map((skill) => (
                <option key={skill}>{skill}</option>
              ))}
            </Select>
          ) : null}
          {fields.map((field) => (
            <InputOf
              key={field.name}
              field={field}
              fault={
                change.error?.faults.find(({ pointer }) => pointer?.split("/").includes(field.name))?.detail ?? null
              }
            />
          ))}
          {fields.length === 0 ? <p>It takes no arguments.</p> : null}
        </form>
        {change.error ? <ErrorState error={change.error} /> : null}
        {change.data ? <Result test={change.data} /> : null}
      </div>
    </Dialog>
  );
}

function Result({ test }: { readonly test: Schema<"ToolTest"> }) {
  const { called, why_not: why, request, failure, output, milliseconds } = test;
  return (
    <section
      aria-label="Result"
      aria-live="polite"
      className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line pt-4"
    >
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={called ? "good" : "neutral"}>{called ? `called, ${milliseconds} ms` : "not called"}</Badge>
        <Standing {...test} />
      </p>
      {why === null ? null : <p className="text-muted">{why}</p>}
      {test.approval.reasons.length > 0 ? <p className="text-muted">{test.approval.reasons.join(" ")}</p> : null}
      {failure === null ? null : (
        <Notice tone="bad">
          <code className="id font-semibold">{failure.code}</code> {failure.detail}
        </Notice>
      )}
      {request === null ? null : <CodeBlock label="Request" code={requestText(request)} />}
      {output === undefined ? null : <CodeBlock label="Answer" code={JSON.stringify(output, null, 2)} />}
    </section>
  );
}

function requestText({ method, url, headers, body }: NonNullable<Schema<"ToolTest">["request"]>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...lines, ...(body === null ? [] : ["", body])].join("\n");
}
