// @ts-check
import pg from "pg";

/**
 * Server-sent events of the changes that the triggers notify.
 * @param {import("pg").ClientConfig} connection @returns {Promise<import("./server.mjs").Routes>}
 */
export async function streamRoutes(connection) {
  /** @type {Map<import("node:http").ServerResponse, import("./server.mjs").Principal>} */
  const open = new Map();
  let lastId = Date.now();
  const client = new pg.Client(connection);
  await client.connect();
  client.on("notification", ({ payload = "{}" }) => {
    const { topic, id, user_id } = JSON.parse(payload);
    const text = `id: ${++lastId}\nevent: ${topic}\ndata: ${JSON.stringify({ id })}\n\n`;
    for (const [response, principal] of open) if (topic === "videos" || principal.id === user_id) response.write(text);
  });
  await client.query("listen changes");
  return {
    "GET /api/events": async ({ response, principal }) => {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write(": ready\n\n");
      open.set(response, principal);
      response.on("close", () => open.delete(response));
      return undefined;
    },
  };
}
