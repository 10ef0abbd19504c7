import { connect, type Socket } from "node:net";
import type { HostileRequest } from "./request.ts";

export interface SocketReply {
  /** 0 when the connection was closed without a reply. */
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends a request over a connection of its own, byte for byte. Its length must be right: the server would wait for the rest. */
export function sendOverSocket(address: string, { method, url, headers = {}, payload }: HostileRequest): Promise<SocketReply> {
  const body = Buffer.from(payload ?? "");
  const length = payload === undefined ? {} : { "content-length": body.length };
  const lines = Object.entries({ host: "localhost", connection: "close", ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  return exchange(address, (socket) => socket.write(Buffer.concat([head, body])));
}

/** Sends bytes and ends the sending side, so that the server cannot wait for more; it may close without a reply. */
export function sendBytes(address: string, bytes: string): Promise<SocketReply> {
  return exchange(address, (socket) => socket.end(bytes, "latin1"));
}

/** Sends bytes and waits for the server to close, as a client does whose request never becomes whole. */
export function sendUnfinished(address: string, bytes: string): Promise<SocketReply> {
  return exchange(address, (socket) => socket.write(bytes, "latin1"));
}

/** Returns what comes back until the server closes the connection. */
function exchange(address: string, send: (socket: Socket) => void): Promise<SocketReply> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => send(socket));
    // The server may close while more is being sent.
    socket.on("error", () => {});
    socket.on("data", (part: Buffer) => parts.push(part));
    socket.on("close", () => resolve(replyOf(Buffer.concat(parts).toString("latin1"))));
  });
}

/** Reads the first reply. After one to an unfinished request, another may follow to the bytes that end it. */
function replyOf(text: string): SocketReply {
  const end = text.indexOf("\r\n\r\n");
  const [start = "", ...lines] = text.slice(0, Math.max(end, 0)).split("\r\n");
  const pairs = lines.map((line) => [line.split(":", 1)[0]!.toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]);
  const headers = Object.fromEntries(pairs) as Record<string, string>;
  const body = Buffer.from(text.slice(end + 4), "latin1").subarray(0, Number(headers["content-length"] ?? Infinity));
  return { statusCode: Number(start.split(" ")[1] ?? 0), headers, body: body.toString() };
}
