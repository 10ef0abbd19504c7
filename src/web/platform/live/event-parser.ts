export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/**
 * Cuts a stream of text into server-sent events (HTML Living Standard, section 9.2.6). Takes pieces of any size; an event that is
 * not finished waits for the next piece. Written here because `eventsource-parser` drops events with an id but no data, by which the
 * server says where to resume.
 */
export function createEventParser(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let rest = "";
  let id = "";
  let event = "";
  let data: string[] = [];
  const takeLine = (line: string): void => {
    if (line === "") {
      // An id without data is reported as an event without a name, so that a reconnect can resume there.
      if (data.length > 0 || id !== "")
        onEvent({ id, event: data.length > 0 ? event || "message" : "", data: data.join("\n") });
      event = "";
      data = [];
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") id = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  };
  return (piece) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) takeLine(line.replace(/\r$/, ""));
  };
}
