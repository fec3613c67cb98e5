import { counted } from "../../lib/words.ts";

/** What there is, of which the title of the page says the most urgent. */
export interface Standing {
  /** What the reader may decide now. */
  readonly decisions: number;
  /** What agents ask that the reader may answer; with `moreQuestions` there are more. */
  readonly questions: number;
  readonly moreQuestions: boolean;
  /** Decisions that wait for anybody. */
  readonly waiting: number;
  /** Kill switches that are engaged. */
  readonly stops: number;
  readonly running: number;
}

/** What needs the reader; else what stands still or waits for others; quiet only where nothing does. */
export function headline({ decisions, questions, moreQuestions, waiting, stops, running }: Standing): string {
  const mine = [
    decisions > 0 && counted(decisions, "decision"),
    questions > 0 && `${moreQuestions ? "more than " : ""}${counted(questions, "question")}`,
  ].filter((each) => each !== false);
  if (mine.length > 0) {
    const one = decisions + questions === 1 && !moreQuestions;
    return capital(`${mine.join(" and ")} ${one ? "needs" : "need"} you`);
  }
  const others = waiting > 0 && `${counted(waiting, "decision")} ${waiting === 1 ? "waits" : "wait"} for others`;
  const stopped = stops > 0 && (stops === 1 ? "a kill switch is engaged" : `${stops} kill switches are engaged`);
  const standing = [stopped, others].filter((each) => each !== false);
  if (standing.length > 0) return capital(standing.join(", "));
  return running > 0 ? `${counted(running, "task")} running, nothing needs you` : "Nothing needs attention";
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
