import { clsx } from "clsx";
import { type Ref, type UIEvent, useId, useImperativeHandle, useRef } from "react";

export interface Mark {
  readonly line: number;
  readonly severity: "error" | "warning";
  readonly detail: string;
}
export interface TextEditorHandle {
  /** Puts the cursor there, and shows the line. */
  readonly goTo: (line: number, column: number) => void;
  /** Shows the line, and leaves the cursor where it is. */
  readonly show: (line: number) => void;
}
interface TextEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange?: (value: string) => void;
  readonly marks: readonly Mark[];
  readonly className?: string;
  readonly ref?: Ref<TextEditorHandle>;
}

/** Height of a line, in pixels: that of the numbers and that of the text. */
const lineHeight = 20;

/** Program text with line numbers, and a mark at each line where something is wrong. */
export function TextEditor({ label, value, onChange, marks, className, ref }: TextEditorProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  useImperativeHandle(
    ref,
    () => ({
      goTo: (line, column) => void (area.current && goTo(area.current, line, column)),
      show: (line) => void (area.current && show(area.current, line)),
    }),
    [],
  );
  const onScroll = ({ currentTarget }: UIEvent): void => {
    if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop;
  };
  const marked = new Map<number, Mark>();
  for (const mark of marks) if (marked.get(mark.line)?.severity !== "error") marked.set(mark.line, mark);
  const lines = value.split("\n").length;
  return (
    <div
      className={clsx(
        "flex overflow-hidden rounded-md border border-line-strong bg-raised font-mono text-[0.8125rem] focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent",
        className,
      )}
    >
      <div
        ref={gutter}
        aria-hidden="true"
        className="shrink-0 overflow-hidden border-r border-line bg-sunken py-2 text-right text-muted select-none"
      >
        {Array.from({ length: lines }, (_, at) => at + 1).map((line) => (
          <LineNumber key={line} line={line} mark={marked.get(line)} />
        ))}
        <div className="h-10" />
      </div>
      <textarea
        ref={area}
        id={id}
        aria-label={label}
        value={value}
        readOnly={onChange === undefined}
        onChange={(event) => onChange?.(event.target.value)}
        onScroll={onScroll}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        style={{ lineHeight: `${lineHeight}px` }}
        className="min-w-0 flex-1 resize-none overflow-auto bg-transparent px-3 py-2 whitespace-pre outline-none focus-visible:outline-none"
      />
    </div>
  );
}

function LineNumber({ line, mark }: { readonly line: number; readonly mark: Mark | undefined }) {
  return (
    <div
      title={mark?.detail}
      style={{ height: lineHeight, lineHeight: `${lineHeight}px` }}
      className={clsx(
        "min-w-9 px-2",
        mark?.severity === "error" && "bg-bad-soft font-semibold text-bad",
        mark?.severity === "warning" && "bg-warn-soft font-semibold text-warn",
      )}
    >
      {line}
    </div>
  );
}

function goTo(area: HTMLTextAreaElement, line: number, column: number): void {
  const lines = area.value.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const at = Math.min(before + column - 1, area.value.length);
  area.focus();
  area.setSelectionRange(at, Math.min(before + (lines[line - 1]?.length ?? 0), area.value.length));
  show(area, line);
}

function show(area: HTMLTextAreaElement, line: number): void {
  area.scrollTop = Math.max(0, (line - 4) * lineHeight);
}
