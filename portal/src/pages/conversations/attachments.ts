import { useRef, useState } from "react";
import { attachFile } from "../../api/chat.ts";
import { toastProblem } from "../../ui/toast.tsx";

export interface Attachment {
  readonly key: number;
  readonly name: string;
  /** How much has been sent, from 0 to 1. */
  readonly sent: number;
  /** Once it is there. */
  readonly file: string | null;
}

/** Files that go with the next message. They are sent as soon as they are chosen. */
export function useAttachments(conversation: string) {
  const [entries, setEntries] = useState<readonly Attachment[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const last = useRef(0);
  const change = (key: number, next: Partial<Attachment>): void =>
    setEntries((all) => all.map((entry) => (entry.key === key ? { ...entry, ...next } : entry)));
  const remove = (key: number): void => {
    running.current.get(key)?.abort();
    setEntries((all) => all.filter((entry) => entry.key !== key));
  };
  const send = async (key: number, file: File): Promise<void> => {
    const controller = new AbortController();
    running.current.set(key, controller);
    try {
      const onSent = (sent: number): void => change(key, { sent });
      const { file_id } = await attachFile({ conversation, file, signal: controller.signal, onSent });
      change(key, { file: file_id, sent: 1 });
    } catch (error) {
      if (!controller.signal.aborted) toastProblem(error);
      remove(key);
    }
  };
  const add = (files: readonly File[]): void => {
    for (const file of files) {
      last.current += 1;
      const key = last.current;
      setEntries((all) => [...all, { key, name: file.name, sent: 0, file: null }]);
      void send(key, file);
    }
  };
  return { entries, add, remove, clear: () => setEntries([]), sending: entries.some(({ file }) => file === null) };
}
