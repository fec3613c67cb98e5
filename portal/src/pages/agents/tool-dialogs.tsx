import { useState } from "react";
import { bindTool, unbindTool } from "../../api/agent-tools.ts";
import { useChange } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import type { AgentTool } from "./tool-standing.tsx";

/** The draft as it was read, and the tag of that. */
export interface DraftRead {
  readonly agent: string;
  readonly etag: string;
  readonly skills: readonly { readonly name: string; readonly tools?: readonly string[] | undefined }[];
}

interface Parts {
  readonly draft: DraftRead;
  readonly onClose: () => void;
}

const touched = ["/v1/agents/{agent}/tools", "/v1/agents/{agent}"] as const;

const blank = {
  name: "look_up",
  description: "Looks something up.",
  kind: "http",
  effect: "read",
  connection: "crm",
  request: { method: "GET", url: "https://crm.example.com/items/{id}" },
  arguments: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
};

/** Binds a tool to the draft, or changes one. */
export function BindTool({ draft, tool, onClose }: Parts & { readonly tool?: AgentTool }) {
  const { agent, etag, skills } = draft;
  const change = useChange(bindTool, touched);
  const [unread, setUnread] = useState<string | null>(null);
  const submit = (form: FormData): void => {
    const definition = definitionOf(String(form.get("definition")));
    setUnread(definition === null ? "is no JSON object with a name: check quotes, commas and braces" : null);
    if (definition === null) return;
    const wanted = form.getAll("skills").map(String);
    change.mutate(
      { agent, etag, tool: tool?.tool ?? definition.name, definition, skills: wanted },
      {
        onSuccess: () => {
          toast(`${definition.name} is in the draft.`);
          onClose();
        },
      },
    );
  };
  const shown = tool?.definition ?? blank;
  return (
    <FormDialog
      title={tool ? `Change ${tool.tool}` : "Bind a tool"}
      word={tool ? "Change" : "Bind"}
      change={change}
      onSubmit={submit}
      onClose={onClose}
      wide
    >
      <TextArea
        name="definition"
        label="Tool"
        hint="JSON, as in the agent's file. Secrets stand in the connection, never here."
        mono
        rows={14}
        spellCheck={false}
        defaultValue={JSON.stringify(shown, null, 2)}
        fault={unread}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium">Skills that may call it</legend>
        {skills.length === 0 ? <p className="text-muted">The draft has no skills yet.</p> : null}
        {skills.map(({ name, tools = [] }) => (
          <label key={name} className="flex items-center gap-2">
            <input
              type="checkbox"
              name="skills"
              value={name}
              defaultChecked={tool !== undefined && tools.includes(tool.tool)}
              className="size-4 accent-accent"
            />
            <span className="id">{name}</span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

function definitionOf(text: string): Schema<"BindToolBody">["definition"] | null {
  try {
    const value = JSON.parse(text) as Schema<"BindToolBody">["definition"];
    return typeof value?.name === "string" && value.name !== "" ? value : null;
  } catch {
    return null;
  }
}

export function UnbindTool({ draft: { agent, etag }, tool, onClose }: Parts & { readonly tool: AgentTool }) {
  const change = useChange(unbindTool, touched);
  const unbind = (): void =>
    change.mutate(
      { agent, etag, tool: tool.tool },
      {
        onSuccess: () => {
          toast(`${tool.tool} is not in the draft any more.`);
          onClose();
        },
      },
    );
  const { skills } = tool;
  return (
    <FormDialog
      title={`Unbind ${tool.tool}`}
      word="Unbind"
      kind="danger"
      change={change}
      onSubmit={unbind}
      onClose={onClose}
    >
      <p>
        The draft loses it{skills.length > 0 ? `, and so do its skills ${skills.join(", ")}` : ""}. Versions that have
        it keep it.
      </p>
    </FormDialog>
  );
}
