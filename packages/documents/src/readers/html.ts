import { declaredCharset, decoded, htmlCharset, markedCharset } from "./encoding.ts";
import { tellBlocks } from "./html-blocks.ts";
import { elements, htmlTree, isText, mainOf } from "./html-tree.ts";
import type { Output, Source } from "./output.ts";

/** The main content of an HTML page. */
export function readHtml({ bytes, mediaType }: Source, output: Output): void {
  const charset = markedCharset(bytes) ?? declaredCharset(mediaType) ?? htmlCharset(bytes);
  const { head, body } = htmlTree(
    decoded(bytes, charset?.startsWith("utf-16") && !markedCharset(bytes) ? "utf-8" : charset),
  );
  for (const element of elements(head))
    if (element.tagName === "title")
      output.title(element.childNodes.map((node) => (isText(node) ? node.value : "")).join(""));
  tellBlocks(mainOf(body), output, { around: true });
  if (output.isEmpty) tellBlocks(body, output, { around: false }); // a page of links alone
}

/** All of a piece of HTML that another reader made. */
export function readFragment(html: string, output: Output): void {
  tellBlocks(htmlTree(html).body, output, { around: false });
}
