import { hash, timingSafeEqual } from "node:crypto";

/** Who may read metrics. */
export interface MetricsAccess {
  /** `Authorization: Bearer …` must name it; null: everybody who reaches the address may, if `open`. */
  readonly token: string | null;
  readonly open: boolean;
}

export interface MetricsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const bearer = /^Bearer +([!-~]+) *$/i;
const digest = (text: string): Buffer => hash("sha256", text, "buffer");

/** Responds with the metrics; 401 without the token, 403 where none is set and the address is that of the API. */
export async function serveMetrics(
  { token, open }: MetricsAccess,
  authorization: string | undefined,
  expose: () => Promise<{ readonly contentType: string; readonly text: string }>,
): Promise<MetricsAnswer> {
  if (token !== null) {
    const given = bearer.exec(authorization ?? "")?.[1] ?? "";
    if (!timingSafeEqual(digest(given), digest(token))) {
      return refusal(401, "Metrics want `Authorization: Bearer` with the value of AOS_METRICS_TOKEN.", {
        "WWW-Authenticate": "Bearer",
      });
    }
  } else if (!open) {
    return refusal(
      403,
      "Metrics are closed at the address of the API: set AOS_METRICS_TOKEN, or AOS_METRICS_PORT for a port of their own.",
    );
  }
  const { contentType, text } = await expose();
  return { status: 200, headers: { "Content-Type": contentType, "Cache-Control": "no-store" }, body: text };
}

function refusal(status: number, detail: string, headers: Record<string, string> = {}): MetricsAnswer {
  const title = status === 401 ? "Unauthorized" : "Forbidden";
  return {
    status,
    headers: { ...headers, "Content-Type": "application/problem+json" },
    body: JSON.stringify({ title, status, detail }),
  };
}
