import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export interface StaticHost {
  origin: string;
  close: () => void;
}

/** Any static host: files, a folder's index.html, and 404.html for the rest. */
export async function startStaticHost(folder: string): Promise<StaticHost> {
  const server = createServer((request, reply) => {
    const path = new URL(request.url ?? "/", "http://host").pathname;
    const file = [join(folder, path), join(folder, path, "index.html")].find(
      (candidate) => existsSync(candidate) && statSync(candidate).isFile(),
    );
    const found = file ?? join(folder, "404.html");
    reply.writeHead(file ? 200 : 404, { "content-type": types[extname(found)] ?? "application/octet-stream" });
    createReadStream(found).pipe(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
