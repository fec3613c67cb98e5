import { useEffect, useMemo, useRef, useState } from "react";
import { asProblem } from "../../../api/problem.ts";
import { useChange } from "../../../api/queries.ts";
import { useMay } from "../../../api/rights.ts";
import type { Finding, TaggedWorkflow } from "../../../api/workflow-types.ts";
import { saveDraft, validateDraft } from "../../../api/workflows.ts";
import { counted } from "../../../lib/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Chips } from "../../../ui/field.tsx";
import { useMedia } from "../../../ui/media.ts";
import { ErrorState } from "../../../ui/states.tsx";
import { TextEditor, type TextEditorHandle } from "../../../ui/text-editor.tsx";
import { toast } from "../../../ui/toast.tsx";
import { StepList } from "../graph/list.tsx";
import type { NodeLook } from "../graph/looks.ts";
import { graphOf, nodeAt } from "../graph/model.ts";
import { Picture } from "../graph/picture.tsx";
import { wideEnough } from "../search.ts";
import { AddStep } from "./add-step.tsx";
import { draftOf, setNeed, textOf } from "./draft.ts";
import { Findings } from "./findings.tsx";
import { StepForm } from "./step-form.tsx";

type View = "text" | "picture";

interface DesignProps {
  readonly of: TaggedWorkflow;
  readonly onPublish: () => void;
}

/** A workflow's draft as text and as picture. Both change the same text; what is wrong is shown in both. */
export function Design({ of, onPublish }: DesignProps) {
  const { value: workflow } = of;
  const saved = workflow.source ?? textOf(workflow.draft);
  // The text goes out from one revision: where another has saved meanwhile, the entity tag says so.
  const [base, setBase] = useState({ text: saved, etag: of.etag });
  const [text, setText] = useState(saved);
  const dirty = text !== base.text;
  useEffect(() => {
    if (dirty) return;
    setBase({ text: saved, etag: of.etag });
    setText(saved);
  }, [dirty, saved, of.etag]);
  const mayWrite = useMay("workflows:write") && workflow.status !== "archived";
  const findings = useFindings(workflow.name, text, dirty ? null : workflow.findings);
  const save = useChange(saveDraft, ["/v1/workflows", "/v1/workflows/{workflow}"]);
  const onSave = async (): Promise<void> => {
    await save.mutateAsync({ workflow: workflow.name, etag: base.etag, source: text });
    toast("Draft saved.");
    setBase((before) => ({ ...before, text }));
  };
  const onRevert = (): void => {
    save.reset();
    setText(saved);
    setBase({ text: saved, etag: of.etag });
  };
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <State dirty={dirty} errors={errors} warnings={findings.length - errors} />
        <span className="flex-1" />
        {mayWrite && dirty ? <Button onClick={onRevert}>Discard changes</Button> : null}
        {mayWrite ? (
          <Button
            kind={dirty ? "primary" : "plain"}
            disabled={!dirty}
            busy={save.isPending}
            onClick={() => void onSave().catch(() => {})}
          >
            Save draft
          </Button>
        ) : null}
        {mayWrite ? (
          <Button kind={dirty ? "plain" : "primary"} disabled={dirty || errors > 0} onClick={onPublish}>
            Publish…
          </Button>
        ) : null}
      </div>
      {save.error ? <ErrorState error={save.error} /> : null}
      <Both text={text} onChange={mayWrite ? setText : undefined} findings={findings} />
    </div>
  );
}

function State({ dirty, errors, warnings }: { readonly dirty: boolean; readonly errors: number; warnings: number }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm" role="status">
      <Badge tone={dirty ? "warn" : "neutral"}>{dirty ? "Not saved" : "Saved"}</Badge>
      <Badge tone={errors > 0 ? "bad" : warnings > 0 ? "warn" : "good"}>
        {errors > 0 ? counted(errors, "error") : warnings > 0 ? counted(warnings, "warning") : "Nothing wrong"}
      </Badge>
    </p>
  );
}

/** Findings of the text: those of the saved draft, else what the service says of the text a moment after the last key. */
function useFindings(workflow: string, text: string, known: readonly Finding[] | null): readonly Finding[] {
  const [found, setFound] = useState<readonly Finding[]>(known ?? []);
  const { mutateAsync } = useChange(validateDraft);
  useEffect(() => {
    const { fault } = draftOf(text);
    if (fault !== null) {
      setFound([{ severity: "error", pointer: "", code: "no_yaml", ...fault }]);
      return;
    }
    if (known !== null) {
      setFound(known);
      return;
    }
    let current = true;
    const show = (findings: readonly Finding[]): void => void (current && setFound(findings));
    const timer = setTimeout(() => {
      mutateAsync({ workflow, source: text }).then(
        ({ findings }) => show(findings),
        (error: unknown) => show(findingsOfProblem(error)),
      );
    }, 700);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [workflow, text, known, mutateAsync]);
  return found;
}

const findingsOfProblem = (error: unknown): readonly Finding[] => {
  const problem = asProblem(error);
  if (problem.faults.length === 0)
    return [{ severity: "error", pointer: "", code: problem.code, detail: problem.detail }];
  return problem.faults.map(({ pointer = "", detail, line, column }) => ({
    severity: "error" as const,
    pointer: pointer.replace(/^\/source(?=\/|$)/, ""),
    code: problem.code,
    detail,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  }));
};

interface BothProps {
  readonly text: string;
  readonly onChange: ((text: string) => void) | undefined;
  readonly findings: readonly Finding[];
}

function Both({ text, onChange, findings }: BothProps) {
  const wide = useMedia("(min-width: 1180px)");
  const [view, setView] = useState<View>("picture");
  const [selected, setSelected] = useState<string | null>(null);
  const editor = useRef<TextEditorHandle>(null);
  const drawn = useDrawn(text);
  const placed = findings.map((finding) => ({ ...finding, ...placeIn(drawn, finding) }));
  const goTo = ({ line, column }: { readonly line: number; readonly column: number }): void => {
    setView("text");
    requestAnimationFrame(() => editor.current?.goTo(line, column));
  };
  const onSelect = (id: string): void => {
    setSelected(id === selected ? null : id);
    const node = drawn.graph.nodes.find((one) => one.id === id);
    if (wide && node && id !== selected) {
      const { line } = drawn.placeOf(node.pointer);
      editor.current?.show(line);
    }
  };
  const written = (
    <TextEditor
      ref={editor}
      label="Definition"
      value={text}
      onChange={onChange}
      marks={placed}
      className="h-[min(72vh,46rem)]"
    />
  );
  const picture = (
    <Pictured
      text={text}
      onChange={onChange}
      findings={findings}
      selected={selected}
      onSelect={onSelect}
      setSelected={setSelected}
      graph={drawn.graph}
      definition={drawn.definition}
    />
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {wide ? (
        <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,6fr)] items-start gap-4">
          {written}
          {picture}
        </div>
      ) : (
        <>
          <Chips
            label="View"
            options={views}
            chosen={[view]}
            onChange={(next) => setView((next.at(-1) as View) ?? view)}
          />
          {view === "text" ? written : picture}
        </>
      )}
      <Findings findings={placed} graph={drawn.graph} onGo={goTo} />
    </div>
  );
}

const views = [
  ["picture", "Steps"],
  ["text", "Text"],
] as const;

interface Drawn {
  readonly definition: unknown;
  readonly graph: ReturnType<typeof graphOf>;
  readonly placeOf: (pointer: string) => { readonly line: number; readonly column: number };
}

/** The picture of a text; while it is no YAML, the one before stays. */
function useDrawn(text: string): Drawn {
  const last = useRef<Drawn | null>(null);
  return useMemo(() => {
    const { definition, fault, placeOf } = draftOf(text);
    if (fault !== null && last.current !== null) return { ...last.current, placeOf };
    last.current = { definition, graph: graphOf(definition, { triggers: true }), placeOf };
    return last.current;
  }, [text]);
}

const placeIn = ({ placeOf }: Drawn, { pointer, line, column }: Finding) =>
  line === undefined ? placeOf(pointer) : { line, column: column ?? 1 };

interface PicturedProps extends BothProps {
  readonly graph: Drawn["graph"];
  readonly definition: unknown;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly setSelected: (id: string | null) => void;
}

function Pictured({ text, onChange, findings, graph, definition, selected, onSelect, setSelected }: PicturedProps) {
  const roomy = useMedia(wideEnough);
  const looks = useMemo(() => looksOf(graph, findings), [graph, findings]);
  const parts = { graph, lookOf: (id: string) => looks.get(id) ?? {}, selected, onSelect };
  const node = graph.nodes.find(({ id }) => id === selected);
  const need = onChange && ((from: string, to: string, needed: boolean) => onChange(setNeed(text, from, to, needed)));
  return (
    <div className="grid min-w-0 gap-3">
      {onChange ? (
        <AddStep
          text={text}
          after={node?.kind === "trigger" ? null : (node?.id ?? null)}
          onAdd={(next, id) => {
            onChange(next);
            setSelected(id);
          }}
        />
      ) : null}
      {roomy ? (
        <Picture {...parts} onNeed={need} most={node ? 46 : 68} />
      ) : (
        <>
          <Picture {...parts} most={22} overview />
          <div className="overflow-hidden rounded-lg border border-line bg-surface">
            <StepList {...parts} />
          </div>
        </>
      )}
      {node && node.kind !== "trigger" ? (
        <StepForm
          key={node.id}
          text={text}
          node={node}
          graph={graph}
          definition={definition}
          onChange={onChange}
          onRemoved={() => setSelected(null)}
          onRenamed={setSelected}
        />
      ) : null}
    </div>
  );
}

function looksOf(graph: Drawn["graph"], findings: readonly Finding[]): ReadonlyMap<string, NodeLook> {
  const looks = new Map<string, { errors: number; warnings: number }>();
  for (const { pointer, severity } of findings) {
    const node = nodeAt(graph, pointer);
    if (node === undefined) continue;
    const look = looks.get(node.id) ?? { errors: 0, warnings: 0 };
    look[severity === "error" ? "errors" : "warnings"] += 1;
    looks.set(node.id, look);
  }
  return looks;
}
