import { type ChangeEvent, useState } from "react";
import { type Base, type TestResult, testRetrieval } from "../../api/knowledge.ts";
import { asProblem } from "../../api/problem.ts";
import { useChange } from "../../api/queries.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Progress } from "../../ui/progress.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { questionsIn } from "./questions.ts";

const example = "how long may goods be returned?\treturns\nwho pays the way back?\treturns, shipping";

/** One's own questions with the documents that answer them, scored as the service's own benchmark is. */
export function RetrievalTest({ base }: { readonly base: Base }) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | null>(null);
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
            label="One a line: the question, a tab, and the external ids or ids of documents that answer it"
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
            <label className="text-sm">
              <span className="mr-2 text-muted">or a file (TSV, CSV or JSONL)</span>
              <input
                type="file"
                accept=".tsv,.csv,.txt,.jsonl,.json"
                onChange={(event) => void upload(event)}
                className="max-w-full text-sm"
              />
            </label>
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
  const missed = result.questions.filter(({ found }) => found === 0);
  const names = Object.entries(result.figures);
  return (
    <div className="grid gap-4">
      <Card title="Figures">
        <ul aria-label="Figures" className="grid gap-3">
          {names.map(([name, value]) => (
            <li key={name} className="grid grid-cols-[7rem_minmax(0,1fr)_3rem] items-center gap-3 text-sm">
              <span>{name}</span>
              <Progress value={value} label={name} className="h-2.5" />
              <span className="text-right tabular-nums">{value.toFixed(2)}</span>
            </li>
          ))}
        </ul>
      </Card>
      {missed.length === 0 ? (
        <Notice tone="good" live>
          Every question found at least one of its documents.
        </Notice>
      ) : (
        <Card title={`Missed: ${counted(missed.length, "question")}`} flush>
          <Table label="Missed questions" columns={columns} rows={missed} rowKey={({ question }) => question} />
        </Card>
      )}
    </div>
  );
}

const columns: readonly Column<TestResult["questions"][number]>[] = [
  { name: "Question", cell: ({ question }) => <span className="font-medium break-words">{question}</span> },
  { name: "Expected", cell: ({ expected }) => <span className="id">{expected.join(", ")}</span> },
  {
    name: "Found instead",
    cell: ({ results }) => <span className="id text-muted">{results.slice(0, 3).join(", ") || "nothing"}</span>,
  },
];
