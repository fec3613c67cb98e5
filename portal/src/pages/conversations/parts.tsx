import { Link } from "@tanstack/react-router";
import { FileText, Gavel, Quote, Wrench } from "lucide-react";
import { useState } from "react";
import { fileAddress } from "../../api/chat.ts";
import type {
  ApprovalPart,
  CitationPart,
  FilePart,
  Message,
  NoticePart,
  Part,
  ToolCallPart,
} from "../../api/chat-types.ts";
import { useMay } from "../../api/rights.ts";
import { sizeText } from "../../lib/size.ts";
import { visible } from "../../lib/words.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { JsonView } from "../../ui/code.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { Notice } from "../../ui/states.tsx";
import { ApprovalInPlace } from "../approvals/public.tsx";
import { noticeTones } from "./words.ts";

/** The parts of a message in their order; what is cited stands behind them. */
export function Parts({ message }: { readonly message: Message }) {
  const citations = message.parts.filter((part): part is CitationPart => part?.type === "citation");
  return (
    <>
      {message.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is named by its place
        <PartView key={index} part={part} message={message} />
      ))}
      {citations.length > 0 ? <Citations citations={citations} /> : null}
    </>
  );
}

function PartView({ part, message }: { readonly part: Part | undefined; readonly message: Message }) {
  switch (part?.type) {
    case "text":
      // What people typed is shown as they typed it; agents write Markdown.
      return message.role === "user" ? (
        <p className="leading-relaxed wrap-anywhere whitespace-pre-wrap">{visible(part.text)}</p>
      ) : (
        <Markdown text={part.text} />
      );
    case "tool_call":
      return <ToolCall call={part} />;
    case "file":
      return <Attached conversation={message.conversation_id} file={part} />;
    case "approval":
      return <Approval approval={part} />;
    case "notice":
      return <Noticed notice={part} />;
    default:
      return null;
  }
}

const callWords = {
  running: "running",
  waiting: "waiting",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

const callersWord = "Result (as the caller says; data, never an instruction)";

function ToolCall({ call }: { readonly call: ToolCallPart }) {
  const { tool, by, state, result, failure } = call;
  return (
    <details className="min-w-0 rounded-md border border-line bg-surface text-sm">
      <summary className="flex flex-wrap items-center gap-2 rounded-md px-3 py-2 hover:bg-sunken">
        <Wrench className="size-4 text-muted" aria-hidden="true" />
        <code className="id min-w-0">{visible(tool)}</code>
        {by === "caller" ? <span className="text-muted">run by the caller</span> : null}
        <StatusBadge status={callWords[state]} className="ml-auto" />
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1 border-t border-line px-3 py-2">
        <JsonView value={call.arguments} label="Arguments" open />
        {result === null || result === undefined ? null : (
          <JsonView value={result} label={by === "caller" ? callersWord : "Result (data, never an instruction)"} open />
        )}
        {failure ? (
          <p className="text-bad">
            <code className="id">{failure.code}</code> {visible(failure.detail)}
          </p>
        ) : null}
      </div>
    </details>
  );
}

function Citations({ citations }: { readonly citations: readonly CitationPart[] }) {
  return (
    <ol aria-label="Sources" className="grid grid-cols-[minmax(0,1fr)] gap-1 border-l-2 border-line pl-3 text-sm">
      {citations.map((citation, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: numbered by their places
        <li key={index}>
          <details>
            <summary className="w-fit rounded py-0.5 text-muted hover:text-ink">
              <Quote className="mr-1.5 inline size-3.5" aria-hidden="true" />
              {index + 1}. {visible(citation.title)}
            </summary>
            <blockquote className="mt-1 rounded-md bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-wrap">
              {visible(citation.quote)}
            </blockquote>
            <SourceLinks citation={citation} />
          </details>
        </li>
      ))}
    </ol>
  );
}

/** To the document here, and to where it was read from. */
function SourceLinks({ citation: { base, document_id: document, url } }: { readonly citation: CitationPart }) {
  const look = "font-medium text-accent underline underline-offset-2 wrap-anywhere";
  return (
    <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
      {base !== null && document !== null ? (
        <Link to="/knowledge/bases/$base/documents/$document" params={{ base, document }} search={{}} className={look}>
          Open the document in {base}
        </Link>
      ) : null}
      {url !== null && /^https?:\/\//i.test(url) ? (
        <a href={url} target="_blank" rel="noopener noreferrer nofollow" className={look}>
          {url}
        </a>
      ) : null}
    </p>
  );
}

function Attached({ conversation, file }: { readonly conversation: string; readonly file: FilePart }) {
  return (
    <a
      href={fileAddress(conversation, file.file_id)}
      download={file.name}
      className="inline-flex w-fit max-w-full items-center gap-2 rounded-md border border-line bg-surface px-3 py-2 text-sm hover:bg-sunken"
    >
      <FileText className="size-4 shrink-0 text-muted" aria-hidden="true" />
      <span className="min-w-0 font-medium break-all">{visible(file.name)}</span>
      <span className="shrink-0 text-muted">{sizeText(file.size)}</span>
    </a>
  );
}

/** What people are asked to approve, decided in its place. */
function Approval({ approval }: { readonly approval: ApprovalPart }) {
  const [open, setOpen] = useState(false);
  const mayRead = useMay("approvals:read");
  const pending = approval.state === "pending";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-warn/40 bg-warn-soft p-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Gavel className="size-4 shrink-0 text-warn" aria-hidden="true" />
        <span className="min-w-0 flex-1 basis-48 wrap-anywhere">{visible(approval.summary)}</span>
        <StatusBadge status={approval.state} />
        {mayRead ? (
          <Button
            size="small"
            kind={pending && !open ? "primary" : "plain"}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? "Fold" : pending ? "Review and decide" : "Show"}
          </Button>
        ) : null}
      </div>
      {open ? <ApprovalInPlace task={approval.approval_id} /> : null}
    </div>
  );
}

function Noticed({ notice }: { readonly notice: NoticePart }) {
  const tone = noticeTones[notice.code];
  if (tone === undefined)
    return <p className="text-sm wrap-anywhere whitespace-pre-wrap text-muted">{visible(notice.text)}</p>;
  return (
    <Notice tone={tone}>
      <p className="whitespace-pre-wrap">{visible(notice.text)}</p>
    </Notice>
  );
}
