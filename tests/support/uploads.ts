import { request, type ClientRequest } from "node:http";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import type { TestApp } from "./app.ts";
import { tinyPng } from "./payments.ts";
import type { Answer, Person } from "./people.ts";

const start = (bytes: number[], size: number): Buffer => {
  const file = Buffer.alloc(size, 0);
  for (let position = bytes.length; position < size; position += 1) file[position] = (position * 31) % 251;
  file.set(bytes);
  return file;
};

/** A PNG of one pixel, filled up to a size by what stands behind its end. */
export const pngOf = (size: number): Buffer => start([...tinyPng], size);

/** Bytes that a look at the beginning takes for an MP4 film. */
export const mp4Of = (size: number): Buffer => start([0, 0, 0, 24, ...Buffer.from("ftypisom\0\0\0\0isomavc1")], size);

/** The headers that begin an upload by tus. */
export const tusHeaders = (bucketName: string, filetype: string) => ({
  "tus-resumable": "1.0.0",
  "upload-length": "67",
  "upload-metadata": `bucketName ${btoa(bucketName)},filename ${btoa("a.png")},filetype ${btoa(filetype)}`,
});

export interface Uploader {
  start(bucketName: string, size: number | string, headers?: Record<string, string>): Promise<Answer>;
  patch(location: string, offset: number, bytes: Buffer, headers?: Record<string, string>): Promise<Answer>;
  head(location: string): Promise<Answer>;
  remove(location: string): Promise<Answer>;
  /** Uploads all bytes; returns the upload id. */
  upload(bucketName: string, bytes: Buffer, filename?: string): Promise<string>;
}

/** Someone who speaks tus by hand, request by request. */
export function uploader(app: TestApp, person: Person): Uploader {
  const send = async (method: string, path: string, headers: Record<string, string>, body?: Buffer): Promise<Answer> => {
    const reply = await fetch(new URL(path, app.url), {
      method,
      headers: {
        "tus-resumable": "1.0.0",
        ...(person.accessToken ? { authorization: `Bearer ${person.accessToken}` } : {}),
        ...headers,
      },
      ...(body ? { body: new Uint8Array(body) } : {}),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, body: text === "" ? "" : JSON.parse(text) };
  };
  const self: Uploader = {
    start: (bucketName, size, headers = {}) =>
      send("POST", "/storage/v1/upload/resumable", {
        "upload-length": String(size),
        "upload-metadata": metadata({ bucketName, filename: "file.bin", filetype: "application/octet-stream" }),
        ...headers,
      }),
    patch: (location, offset, bytes, headers = {}) =>
      send(
        "PATCH",
        location,
        { "upload-offset": String(offset), "content-type": "application/offset+octet-stream", ...headers },
        bytes,
      ),
    head: (location) => send("HEAD", location, {}),
    remove: (location) => send("DELETE", location, {}),
    async upload(bucketName, bytes, filename = "file.bin") {
      const started = await self.start(bucketName, bytes.length, {
        "upload-metadata": metadata({ bucketName, filename, filetype: "" }),
      });
      const location = started.headers.get("location") ?? "";
      const sent = await self.patch(location, 0, bytes);
      if (sent.status !== 204) throw new Error(`The upload answered ${sent.status}: ${JSON.stringify(sent.body)}`);
      return idOf(location);
    },
  };
  return self;
}

/** Begins to send all bytes of an upload, and hangs after the first `sent` of them. */
export function hangingPatch(app: TestApp, person: Person, location: string, bytes: Buffer, sent: number): ClientRequest {
  const hanging = request(new URL(location, app.url), {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${person.accessToken}`,
      "tus-resumable": "1.0.0",
      "upload-offset": 0,
      "content-type": "application/offset+octet-stream",
      "content-length": bytes.length,
    },
  });
  hanging.on("error", () => {});
  hanging.write(bytes.subarray(0, sent));
  return hanging;
}

/** The last segment of an upload's address. */
export const idOf = (location: string): string => location.slice(location.lastIndexOf("/") + 1);

export function metadata(pairs: Record<string, string>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(",");
}

export interface ShakyLine {
  url: string;
  /** How often the line was cut. */
  cuts: number;
  close(): Promise<void>;
}

/** A way to the app that is cut after so many bytes, a given number of times. */
export async function shakyLine(app: TestApp, bytesBeforeCut: number, times: number): Promise<ShakyLine> {
  const { hostname, port } = new URL(app.url);
  const open = new Set<Socket>();
  const close = (): Promise<void> => {
    for (const socket of open) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  const line: ShakyLine = { url: "", cuts: 0, close };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    open.add(near);
    let passed = 0;
    near.on("data", (bytes) => {
      // Counted when it has left: what waits in a buffer is lost with the line.
      far.write(bytes, () => {
        passed += bytes.length;
        if (passed <= bytesBeforeCut || line.cuts >= times || near.destroyed) return;
        line.cuts += 1;
        near.destroy();
        far.destroy();
      });
    });
    near.on("end", () => far.end());
    far.pipe(near);
    for (const end of [near, far]) end.on("error", () => {}).on("close", () => [near, far].forEach((other) => other.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  line.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return line;
}
