/**
 * Hears each event of a stream as it happens, until it is left or the service ends it. The browser takes a lost stream up again by itself, from the event after
 * the last one that it heard.
 *
 * @param names - the types of its events
 * @param heard - called with each event, and when the stream is left: that its subject ended may be known from elsewhere before the stream tells its last event
 * @param broken - called when the stream is lost (true) and when it is there again (false)
 */
export function hear(
  url: string,
  names: readonly string[],
  heard: () => void,
  broken: (lost: boolean) => void,
): () => void {
  const stream = new EventSource(url);
  for (const name of names) stream.addEventListener(name, heard);
  stream.addEventListener("message", heard);
  stream.addEventListener("open", () => broken(false));
  stream.addEventListener("error", () => broken(stream.readyState !== EventSource.OPEN));
  return () => {
    stream.close();
    heard();
  };
}
