import type { TestQuestion } from "../../api/knowledge.ts";

/** Questions as people keep them: JSON, JSON lines, or lines of question, tab or semicolon, and ids. Throws an Error that names the line. */
export function questionsIn(text: string): TestQuestion[] {
  const trimmed = text.trim();
  if (trimmed.startsWith("[")) return (JSON.parse(trimmed) as unknown[]).map((item, at) => ofObject(item, at + 1));
  const lines = trimmed.split(/\r?\n/).map((line, at) => ({ line: line.trim(), number: at + 1 }));
  return lines
    .filter(({ line }) => line !== "" && !line.startsWith("#"))
    .map(({ line, number }) => (line.startsWith("{") ? ofObject(parsed(line, number), number) : ofLine(line, number)));
}

function ofLine(line: string, number: number): TestQuestion {
  const separator = line.includes("\t") ? "\t" : ";";
  const cut = line.lastIndexOf(separator);
  const expected = cut < 0 ? [] : idsIn(line.slice(cut + 1));
  const question = line.slice(0, Math.max(0, cut)).trim();
  if (question === "" || expected.length === 0)
    throw new Error(
      `Line ${number} has no answer: write the question, a semicolon or tab, and the ids of documents that answer it.`,
    );
  return { question, expected };
}

function ofObject(item: unknown, number: number): TestQuestion {
  const { question, expected } = (item ?? {}) as Record<string, unknown>;
  if (typeof question !== "string" || !Array.isArray(expected) || expected.length === 0)
    throw new Error(`Question ${number} needs "question" and "expected", a list of ids of documents.`);
  return { question, expected };
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`Line ${number} begins like JSON, and is none.`);
  }
}

const idsIn = (text: string): string[] => text.split(/[\s,]+/).filter((id) => id !== "");
