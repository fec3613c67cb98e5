import { type ChangeEvent, useRef, useState } from "react";
import { type Base, type FigureName, type TestResult, testRetrieval } from "../../api/knowledge.ts";
import { asProblem } from "../../api/problem.ts";
import { useChange } from "../../api/queries.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextArea } from "../../ui/field.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { questionsIn } from "./questions.ts";

const example = "how long may goods be returned?; returns.pdf\nwho pays for the way back?; returns.pdf, shipping.pdf";

/** One's own questions with the documents that answer them, scored as the service's own benchmark is. */
export function RetrievalTest({ base }: { readonly base: Base }) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const change = useChange(testRetrieval);
  const upload = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = target.files ?? [];
    if (file) setText(await file.text());
    target.value = "";
  };
  const run = (): void => {
    try {
      setFault(null);
      change.mutate({ base: base.name, questions: questionsIn(text) });
    } catch (error) {
      setFault(asProblem(error).message);
    }
  };
  return (
    <div className="grid gap-4">
      <Card title="Questions">
        <div className="grid gap-3">
          <TextArea
            label="One question per line, then a semicolon or tab and the external ids of the documents that answer it"
            mono
            rows={7}
            value={text}
            placeholder={example}
            fault={fault}
            onChange={({ target }) => setText(target.value)}
          />
          <div className="flex flex-wrap items-center gap-2">
            <Button kind="primary" busy={change.isPending} disabled={text.trim() === ""} onClick={run}>
              Run the test
            </Button>
            <Button onClick={() => input.current?.click()}>Read from a file</Button>
            <span className="text-sm text-muted">TSV, CSV with semicolons, or JSONL</span>
            <input
              ref={input}
              type="file"
              aria-label="File of questions"
              tabIndex={-1}
              accept=".tsv,.csv,.txt,.jsonl,.json"
              onChange={(event) => void upload(event)}
              className="sr-only"
            />
          </div>
        </div>
      </Card>
      {change.error ? <ErrorState error={change.error} /> : null}
      {change.data ? <Result result={change.data} /> : null}
    </div>
  );
}

/** The figures, and the questions whose answers were not found. */
function Result({ result }: { readonly result: TestResult }) {
  const { asked, questions, figures, difference, misses } = result;
  const unknown = [...new Set(result.results.flatMap((one) => one.unknown))];
  return (
    <div className="grid gap-4">
      {asked < questions ? (
        <Notice tone="warn">
          Only the first {counted(asked, "question")} could be asked in time. Send the others by themselves.
        </Notice>
      ) : null}
      {unknown.length > 0 ? (
        <Notice tone="warn">
          No document of this base: <span className="id">{unknown.slice(0, 10).join(", ")}</span>. They count as not
          found.
        </Notice>
      ) : null}
      {figures.map(({ mode, figures: values }) => (
        <Card
          key={mode}
          title={mode === "words" ? "By words" : "By words and vectors"}
          aside={<span className="text-sm text-muted">{counted(asked, "question")}</span>}
        >
          <Figures values={values} />
          <p className="mt-3 text-xs text-muted">
            Means over the questions, from 0 to 1; the thin band is the 95 % interval. MRR is the mean reciprocal rank
            of the first expected document.
          </p>
        </Card>
      ))}
      {difference === null ? null : (
        <p className="text-sm text-muted">
          Vectors change nDCG@10 by {signed(difference.ndcg_at_10)}
          {difference.low === null ? "" : ` (between ${signed(difference.low)} and ${signed(difference.high ?? 0)})`}.
        </p>
      )}
      {misses.length === 0 ? (
        <Notice tone="good" live>
          Every question found at least one of its documents among the first ten.
        </Notice>
      ) : (
        <Card title={`Missed: ${counted(misses.length, "question")}`} flush>
          <Table label="Missed questions" columns={columns} rows={misses} rowKey={({ index }) => String(index)} />
        </Card>
      )}
    </div>
  );
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
const names: readonly (readonly [FigureName, string])[] = [
  ["ndcg_at_10", "nDCG@10"],
  ["recall_at_5", "Recall@5"],
  ["recall_at_10", "Recall@10"],
  ["recall_at_50", "Recall@50"],
  ["reciprocal_rank", "MRR"],
];

/** Each figure as a bar from 0 to 1, with its 95 % interval as a band. */
function Figures({ values }: { readonly values: TestResult["figures"][number]["figures"] }) {
  return (
    <ul className="grid gap-2.5 text-sm">
      {names.map(([name, word]) => {
        const { mean, low, high } = values[name];
        return (
          <li key={name} className="grid grid-cols-[7rem_minmax(0,1fr)_auto] items-center gap-3">
            <span>{word}</span>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className="h-3 w-full text-accent">
              <rect width="100" height="8" rx="1" className="fill-line" />
              <rect width={mean * 100} height="8" rx="1" fill="currentColor" />
              {low === null || high === null ? null : (
                <rect
                  x={low * 100}
                  width={Math.max(0.4, (high - low) * 100)}
                  y="2.5"
                  height="3"
                  className="fill-signal"
                />
              )}
            </svg>
            <span className="text-right tabular-nums">
              {mean.toFixed(2)}
              {low === null || high === null ? null : (
                <span className="ml-2 text-xs text-muted">
                  {low.toFixed(2)} – {high.toFixed(2)}
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

const columns: readonly Column<TestResult["misses"][number]>[] = [
  { name: "Question", cell: ({ question }) => <span className="font-medium break-words">{question}</span> },
  { name: "Expected", cell: ({ expected }) => <span className="id">{expected.join(", ")}</span> },
  {
    name: "Found instead",
    cell: ({ found }) =>
      found.length === 0 ? (
        <span className="text-muted">nothing</span>
      ) : (
        <span className="grid gap-1">
          {found.slice(0, 3).map(({ document_id, title }) => (
            <span key={document_id} className="break-words text-muted">
              {title || document_id}
            </span>
          ))}
        </span>
      ),
  },
];
