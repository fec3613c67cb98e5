import { type MarkedToken, marked, type Token, type Tokens } from "marked";
import { Fragment, memo, type ReactNode } from "react";
import { visible } from "../lib/words.ts";

/** What others wrote as Markdown: made of elements, so that no HTML of theirs is any, and without pictures, which would tell other hosts who reads. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5 leading-relaxed wrap-anywhere">
      {blocks(marked.lexer(text))}
    </div>
  );
});

const keyed = (tokens: readonly Token[], make: (token: MarkedToken) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a text grows at its end, so places stay
  tokens.map((token, at) => <Fragment key={at}>{make(token as MarkedToken)}</Fragment>);
const blocks = (tokens: readonly Token[]): ReactNode => keyed(tokens, block);
const inline = (tokens: readonly Token[] | undefined, text = ""): ReactNode =>
  tokens === undefined ? visible(text) : keyed(tokens, span);

function block(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "heading":
      // The page has headings of its own: those of a message are none of its outline.
      return <p className="font-semibold">{inline(token.tokens)}</p>;
    case "paragraph":
      return <p>{inline(token.tokens)}</p>;
    case "code":
      return (
        <pre className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-[0.8125rem] whitespace-pre-wrap">
          {visible(token.text)}
        </pre>
      );
    case "blockquote":
      return <blockquote className="border-l-2 border-line-strong pl-3 text-muted">{blocks(token.tokens)}</blockquote>;
    case "list":
      return <List list={token} />;
    case "table":
      return <Rows table={token} />;
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "hr":
      return <hr className="border-line" />;
    case "space":
    case "def":
      return null;
    case "text":
      return <p>{inline(token.tokens, token.text)}</p>;
    default:
      return <p>{visible(token.raw)}</p>;
  }
}

function List({ list: { ordered, start, items } }: { readonly list: Tokens.List }) {
  const rows = items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <li key={at}>
      {item.tokens.map((token, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <Fragment key={place}>
          {token.type === "text"
            ? inline((token as Tokens.Text).tokens, (token as Tokens.Text).text)
            : block(token as MarkedToken)}
        </Fragment>
      ))}
    </li>
  ));
  return ordered ? (
    <ol start={start === "" ? undefined : start} className="list-decimal pl-6">
      {rows}
    </ol>
  ) : (
    <ul className="list-disc pl-6">{rows}</ul>
  );
}

function Rows({ table: { header, rows } }: { readonly table: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group that scrolls, no fieldset
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <div role="group" aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table className="text-left text-sm">
        <thead>
          <tr>
            {header.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <th key={at} scope="col" className="border-b border-line py-1 pr-4 font-medium">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <tr key={line}>
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={at} className="border-b border-line py-1 pr-4 align-top">
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function span(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inline(token.tokens)}</strong>;
    case "em":
      return <em>{inline(token.tokens)}</em>;
    case "del":
      return <del>{inline(token.tokens)}</del>;
    case "codespan":
      return <code className="rounded bg-sunken px-1 font-mono text-[0.87em]">{visible(token.text)}</code>;
    case "br":
      return <br />;
    case "link":
      return <Out href={token.href}>{inline(token.tokens)}</Out>;
    case "image":
      return <span className="text-muted">[picture: {visible(token.text || "no description")}]</span>;
    case "escape":
      return token.text;
    case "text":
      return inline(token.tokens, decoded(token.text));
    default:
      return visible(token.raw);
  }
}

/** A link out of the portal, which tells the other side nothing of where it was; of any other scheme only its text. */
function Out({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return children;
  return (
    <a
      href={href}
      title={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent underline underline-offset-2"
    >
      {children}
    </a>
  );
}

const signs: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
/** Entities as the signs that they stand for. */
const decoded = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => signs[sign] as string);
