// @ts-check
// A small server of node:http and pg that does the same work as the product, by prepared statements and as little code as it takes: what the product is
// measured beside. A token is a session's id. Its parent ends it.
import { createServer } from "node:http";
import pg from "pg";
import { listRoutes } from "./list.mjs";
import { quoteRoutes } from "./quote.mjs";
import { rangeRoutes } from "./ranges.mjs";
import { signInRoutes } from "./sign-in.mjs";
import { streamRoutes } from "./streams.mjs";
import { submitRoutes } from "./submit.mjs";
import { uploadRoutes } from "./upload.mjs";
import { adminRoutes } from "./admin.mjs";

/** @typedef {{ id: string, email: string, full_name: string, role: string, subscription_status: string }} Principal */
/**
 * @typedef {object} Call
 * @property {import("node:http").IncomingMessage} request
 * @property {import("node:http").ServerResponse} response
 * @property {URL} url
 * @property {Principal} principal
 * @property {any} body
 */
/** What it returns is sent as JSON, with 201 to a POST; undefined where it has replied itself. @typedef {(call: Call) => Promise<unknown>} Handler */
/** `open` routes ask for no session before the handler runs. @typedef {Record<string, Handler | { open: Handler }>} Routes */

process.on("disconnect", () => process.exit());
const [host, database] = process.argv.slice(2);
const connection = { host, user: "pipwright", database };
const pool = new pg.Pool({ ...connection, max: 20 });
/** @type {Routes} */
const routes = {
  ...listRoutes(pool),
  ...quoteRoutes(pool),
  ...submitRoutes(pool),
  ...rangeRoutes(pool),
  ...signInRoutes(pool),
  ...(await streamRoutes(connection)),
  ...uploadRoutes(),
  ...adminRoutes(pool),
};

const findPrincipal = {
  name: "principal",
  text: `
    select accounts.id, accounts.email, role, email_verified_at, full_name, subscription_status,
      exists (select from mfa_factors where account_id = accounts.id and verified_at is not null) as has_factor
    from sessions join accounts on accounts.id = account_id join profiles on profiles.id = accounts.id
    where sessions.id = $1 and revoked_at is null and sessions.created_at > now() - interval '30 days'`,
};

const server = createServer((request, response) => {
  reply(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500, { "content-length": 0 }).end();
  });
});
server.listen(0, "localhost", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address ? address.port : 0);
});

/** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
async function reply(request, response) {
  const url = new URL(request.url ?? "/", "http://localhost");
  const route = routes[`${request.method} ${url.pathname}`];
  if (route === undefined) return response.writeHead(404, { "content-length": 0 }).end();
  const handler = typeof route === "function" ? route : route.open;
  const principal = typeof route === "function" ? await authenticate(request) : undefined;
  if (typeof route === "function" && principal === undefined) return response.writeHead(401, { "content-length": 0 }).end();
  const body = request.headers["content-type"] === "application/json" ? JSON.parse(await bodyOf(request)) : undefined;
  const result = await handler({ request, response, url, principal: /** @type {Principal} */ (principal), body });
  if (result === undefined) return undefined;
  const json = JSON.stringify(result);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(json) };
  return response.writeHead(request.method === "POST" ? 201 : 200, headers).end(json);
}

/** @param {import("node:http").IncomingMessage} request @returns {Promise<Principal | undefined>} */
async function authenticate({ headers }) {
  const { rows } = await pool.query({ ...findPrincipal, values: [headers.authorization?.slice("Bearer ".length)] });
  return rows[0];
}

/** @param {import("node:http").IncomingMessage} request */
async function bodyOf(request) {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  return text;
}
