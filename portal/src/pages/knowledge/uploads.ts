import { useCallback, useEffect, useRef, useState } from "react";
import { addFile, touched } from "../../api/knowledge.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useKept } from "../../api/queries.ts";
import { sizeText } from "./words.ts";

/** The service takes no larger file. */
export const largest = 100 * 1024 * 1024;
/** Files that are sent at a time. */
const together = 3;

export interface UploadEntry {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  readonly state: "waiting" | "sending" | "sent" | "refused";
  /** How much has been sent, from 0 to 1. */
  readonly sent: number;
  /** Once it has been sent. */
  readonly document: string | null;
  readonly outcome: string | null;
  /** Why it was refused. */
  readonly problem: Pick<Problem, "title" | "detail"> | null;
}

export interface Uploads {
  readonly entries: readonly UploadEntry[];
  readonly add: (files: readonly File[]) => void;
  readonly retry: (key: number) => void;
  readonly remove: (key: number) => void;
}

interface Queued {
  readonly file: File;
  readonly controller: AbortController;
}

/** Files on their way to a base, a few at a time. They go on while other parts of the page are looked at. */
export function useUploads(base: string): Uploads {
  const [entries, setEntries] = useState<readonly UploadEntry[]>([]);
  const files = useRef(new Map<number, Queued>());
  const last = useRef(0);
  const { renew } = useKept();
  const change = useCallback((key: number, next: Partial<UploadEntry>): void => {
    setEntries((all) => all.map((entry) => (entry.key === key ? { ...entry, ...next } : entry)));
  }, []);

  const send = useCallback(
    async (key: number): Promise<void> => {
      const { file, controller } = files.current.get(key) as Queued;
      try {
        const onSent = (sent: number): void => change(key, { sent });
        const { document_id, outcome } = await addFile({ base, file, signal: controller.signal, onSent });
        change(key, { state: "sent", sent: 1, document: document_id, outcome });
        void renew(...touched.documents);
      } catch (error) {
        change(key, { state: "refused", problem: asProblem(error) });
      }
    },
    [base, change, renew],
  );

  useEffect(() => {
    const free = together - entries.filter(({ state }) => state === "sending").length;
    const next = entries.filter(({ state }) => state === "waiting").slice(0, Math.max(0, free));
    for (const { key } of next) {
      change(key, { state: "sending" });
      void send(key);
    }
  }, [entries, change, send]);
  useLeaveWarning(entries.some(({ state }) => state === "waiting" || state === "sending"));

  const add = useCallback((given: readonly File[]): void => {
    const fresh = given.map((file) => entryOf(file, ++last.current));
    for (const [index, { key }] of fresh.entries())
      files.current.set(key, { file: given[index] as File, controller: new AbortController() });
    setEntries((all) => [...all, ...fresh]);
  }, []);
  const retry = (key: number): void => {
    const { file } = files.current.get(key) as Queued;
    files.current.set(key, { file, controller: new AbortController() });
    change(key, entryOf(file, key));
  };
  const remove = (key: number): void => {
    files.current.get(key)?.controller.abort();
    files.current.delete(key);
    setEntries((all) => all.filter((entry) => entry.key !== key));
  };
  return { entries, add, retry, remove };
}

function entryOf(file: File, key: number): UploadEntry {
  const known = { key, name: file.name, size: file.size, sent: 0, document: null, outcome: null };
  const fault = faultOf(file);
  return fault === null
    ? { ...known, state: "waiting", problem: null }
    : { ...known, state: "refused", problem: { title: "Not sent", detail: fault } };
}

/** What is wrong with a file that can be said before it is sent. */
function faultOf({ size }: File): string | null {
  if (size === 0) return "The file is empty.";
  if (size > largest)
    return `The file has ${sizeText(size)}; the service takes up to ${sizeText(largest)}. Split it, or leave out its pictures.`;
  return null;
}

/** Asks before the page is left while files are being sent. */
function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [active]);
}
