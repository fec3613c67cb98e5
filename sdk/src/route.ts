/** Where an operation is reached, and how what it is given is sent. */
export type Route = readonly [
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  /** With its parameters in braces. */
  path: string,
  more?: {
    /** Takes a body. */
    readonly body?: "required" | "optional";
    /** Reads a file of YAML as well, given as `yaml`. */
    readonly yaml?: true;
    /** Of an operation that takes a body: which of the given members are query parameters. */
    readonly query?: readonly string[];
    /** Names of path parameters that the body must repeat. */
    readonly both?: readonly string[];
    /** Can be followed as `text/event-stream`. */
    readonly streams?: true;
  },
];
