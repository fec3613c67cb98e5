import { type Answer, type GetQuery, get, getTagged, send } from "./client.ts";
import { hear } from "./hear.ts";
import { type Read, read, untold } from "./queries.ts";
import type {
  RunControl,
  RunDetail,
  RunFilter,
  RunStep,
  StartRun,
  TaggedWorkflow,
  TriggerDefinition,
} from "./workflow-types.ts";

export const listWorkflows = (filter: GetQuery<"/v1/workflows">) => untold(read("/v1/workflows", { query: filter }));
/** A workflow with its draft, of whose changes no event tells. */
export const readWorkflow = (workflow: string): Read<TaggedWorkflow> => ({
  queryKey: ["/v1/workflows/{workflow}", workflow],
  queryFn: ({ signal }) => getTagged("/v1/workflows/{workflow}", { path: { workflow } }, signal),
  untold: true,
});
export const listVersions = (workflow: string) =>
  untold(read("/v1/workflows/{workflow}/versions", { path: { workflow }, query: { limit: 50 } }));
/** A version; with `against` also what changed from that one. Its definition never changes. */
export const readVersion = (workflow: string, version: number, against?: number) => ({
  ...read("/v1/workflows/{workflow}/versions/{version}", {
    path: { workflow, version: String(version) },
    query: against === undefined ? {} : { against },
  }),
  staleTime: 300_000,
});
export const listAllRuns = (filter: RunFilter) => read("/v1/workflows/runs", { query: filter });
export const listRuns = (workflow: string, filter: GetQuery<"/v1/workflows/{workflow}/runs">) =>
  read("/v1/workflows/{workflow}/runs", { path: { workflow }, query: filter });
export const listDeadLetters = (filter: GetQuery<"/v1/workflows/dead-letters">) =>
  untold(read("/v1/workflows/dead-letters", { query: filter }));

/** Pages of steps that are read at most: more are no picture and no list for people. */
const mostPages = 20;

/** A run with all of its steps. Its stream tells of every change. */
export const readRun = (workflow: string, run: string): Read<RunDetail> => ({
  queryKey: ["/v1/workflows/{workflow}/runs/{run}", { path: { workflow, run } }],
  queryFn: async ({ signal }) => {
    const page = (after?: string): Promise<Answer<"/v1/workflows/{workflow}/runs/{run}">> =>
      get(
        "/v1/workflows/{workflow}/runs/{run}",
        { path: { workflow, run }, query: after === undefined ? {} : { steps_after: after } },
        signal,
      );
    const first = await page();
    const steps: RunStep[] = [...first.steps];
    let after = first.steps_after;
    for (let pages = 1; pages < mostPages && after !== null; pages += 1) {
      const next = await page(after);
      steps.push(...next.steps);
      after = next.steps_after;
    }
    return { ...first, steps, steps_after: after };
  },
});

export const createWorkflow = (source: string) => send("post", "/v1/workflows", { body: { source } });
export const saveDraft = ({ workflow, etag, source }: { workflow: string; etag: string; source: string }) =>
  send("put", "/v1/workflows/{workflow}", { path: { workflow }, headers: { "If-Match": etag }, body: { source } });
interface Publishing {
  readonly workflow: string;
  /** Of the draft that was shown: somebody may have changed it since. */
  readonly revision: number;
  readonly note?: string;
  readonly version?: number;
}
export const publishWorkflow = ({ workflow, revision, ...body }: Publishing) =>
  send("post", "/v1/workflows/{workflow}/publish", {
    path: { workflow },
    ...(body.version === undefined && { headers: { "If-Match": `"${revision}-json"` } }),
    body,
  });
export const rollback = ({ workflow, ...body }: { workflow: string; reason: string; to?: number }) =>
  send("post", "/v1/workflows/{workflow}/rollback", { path: { workflow }, body });
export const pauseWorkflow = ({ workflow, reason }: { workflow: string; reason: string }) =>
  send("post", "/v1/workflows/{workflow}/pause", { path: { workflow }, body: { reason } });
export const resumeWorkflow = ({ workflow }: { workflow: string }) =>
  send("post", "/v1/workflows/{workflow}/resume", { path: { workflow } });
export const archiveWorkflow = ({ workflow, reason }: { workflow: string; reason: string }) =>
  send("delete", "/v1/workflows/{workflow}", { path: { workflow }, body: { reason } });
/** What is wrong with a draft that is not saved. */
export const validateDraft = ({ workflow, source }: { workflow: string; source: string }) =>
  send("post", "/v1/workflows/{workflow}/validate", { path: { workflow }, body: { source } });

/** A draft from plain words, by a model where one is connected, else from a template. Nothing is saved. */
export const generateWorkflow = (body: { description: string; name: string }) =>
  send("post", "/v1/workflows/generate", { body });

export const startRun = ({ workflow, ...body }: { workflow: string } & StartRun) =>
  send("post", "/v1/workflows/{workflow}/runs", { path: { workflow }, body });
export const controlRun = ({ workflow, run, ...body }: { workflow: string; run: string } & RunControl) =>
  send("post", "/v1/workflows/{workflow}/runs/{run}/control", { path: { workflow, run }, body });
export const compensateRun = ({ workflow, run, ...body }: { workflow: string; run: string; reason?: string }) =>
  send("post", "/v1/workflows/{workflow}/runs/{run}/compensate", { path: { workflow, run }, body });
export const listTriggers = (workflow: string) =>
  untold(read("/v1/workflows/{workflow}/triggers", { path: { workflow }, query: { limit: 100 } }));
export const addTrigger = ({ workflow, definition }: { workflow: string; definition: TriggerDefinition }) =>
  send("post", "/v1/workflows/{workflow}/triggers", { path: { workflow }, body: { definition } });
export const removeTrigger = ({ workflow, trigger }: { workflow: string; trigger: string }) =>
  send("delete", "/v1/workflows/{workflow}/triggers/{trigger}", { path: { workflow, trigger } });

export const listHooks = () => untold(read("/v1/hooks", { query: { limit: 100 } }));
/** Makes an inbound hook; the answer is the only one that ever holds its secret. */
export const createHook = (body: { name: string; description?: string }) => send("post", "/v1/hooks", { body });
export const rotateHook = (hook: string) => send("post", "/v1/hooks/{hook}/rotate-secret", { path: { hook } });
export const removeHook = (hook: string) => send("delete", "/v1/hooks/{hook}", { path: { hook } });

/** Delivers an event that a step waits for. */
export const signalRun = ({
  workflow,
  run,
  ...body
}: {
  workflow: string;
  run: string;
  event: string;
  data?: Record<string, unknown>;
}) => send("post", "/v1/workflows/{workflow}/runs/{run}/signal", { path: { workflow, run }, body });

/** Hears each change of a run, until it is left or the run has ended. */
export const hearRun = (
  { workflow, run_id: run }: { readonly workflow: string; readonly run_id: string },
  heard: () => void,
  broken: (lost: boolean) => void,
): (() => void) =>
  hear(
    `/v1/workflows/${encodeURIComponent(workflow)}/runs/${encodeURIComponent(run)}/events`,
    ["run", "step", "end"],
    heard,
    broken,
  );
