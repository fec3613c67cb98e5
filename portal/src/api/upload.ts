import { noteConnection } from "./connection.ts";
import { Problem, problemOf, unreachable } from "./problem.ts";
import { csrfHeaders } from "./session-state.ts";

export interface Upload {
  readonly path: string;
  readonly form: FormData;
  readonly signal: AbortSignal;
  /** Called with how much has been sent, from 0 to 1. */
  readonly onSent: (share: number) => void;
}

/** Sends a form with files. `fetch` cannot say how far it is, `XMLHttpRequest` can. Throws a {@link Problem} for every answer but success. */
export function upload<T>({ path, form, signal, onSent }: Upload): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [name, value] of Object.entries(csrfHeaders("POST"))) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total));
    request.addEventListener("load", () => {
      noteConnection(true);
      const body = parsed(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as T);
      else reject(problemOf(new Response(null, { status: request.status }), body));
    });
    request.addEventListener("error", () => reject(unreachable(new Error("the upload broke off"))));
    request.addEventListener("abort", () => reject(cancelled()));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) reject(cancelled());
    else request.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const cancelled = (): Problem =>
  new Problem({ status: 0, code: "cancelled", title: "Cancelled", detail: "The upload was cancelled here." });
