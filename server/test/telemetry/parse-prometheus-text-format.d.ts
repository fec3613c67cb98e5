declare module "parse-prometheus-text-format" {
  /** Reads Prometheus's text format; throws for what is none. */
  export default function parse(text: string): unknown[];
}
