import pg from "pg";
import { expect, inject } from "vitest";
import { errors } from "#domain/errors/messages";
import { startApp, type TestApp, type TestAppOptions } from "../app.ts";
import type { HostileRequest } from "./request.ts";
import { sendOverSocket } from "./socket.ts";
import { everyCall, sampleFileText, type ApiCall } from "../contract/calls.ts";
import { setUpWallets } from "../payments.ts";
import { admin, student, type Person } from "../people.ts";

const hangMs = 60_000;

export interface RowsNow {
  id: string;
  change: string;
  unfinished: string | null;
}

export interface AttackedSite {
  app: TestApp;
  operator: Person;
  buyer: Person;
  /** A caller who passes the access check, so that a refusal is due to the input. */
  personFor(call: ApiCall): Person;
  /** Sends one request and checks its reply: it arrives, is not a 5xx, and any error has the form of its API. */
  send(request: HostileRequest, person?: Pick<Person, "accessToken">): Promise<number>;
  /** How many requests were sent. */
  sent(): number;
  /** The number of the last change of any row, and what it was: it differs after any committed insert, update or delete. */
  rowsNow(): Promise<RowsNow | undefined>;
  close(): Promise<void>;
}

export const calls = everyCall();

/** An app for requests with hostile input. */
export async function startAttackedSite(options?: TestAppOptions): Promise<AttackedSite> {
  const app = await startApp(options);
  const operator = await admin(app);
  const buyer = await student(app);
  await setUpWallets(operator);
  await noteChanges(app);
  let sent = 0;
  let connectionsUsed = 0;
  app.deps.db.$client.on("acquire", () => (connectionsUsed += 1));
  let known: { rows: RowsNow | undefined; connectionsUsed: number } | undefined;
  return {
    app,
    operator,
    buyer,
    sent: () => sent,
    personFor: ({ name }) => (/^(quotes|paymentRequests\.(submit|mine)|auth|account)/.test(name) ? buyer : operator),
    async rowsNow() {
      // A request that used no connection to the database has changed no row.
      if (known?.connectionsUsed === connectionsUsed) return known.rows;
      // One of them is this question's.
      const upToHere = connectionsUsed + 1;
      known = { rows: (await app.sql<RowsNow>(lastChange))[0], connectionsUsed: upToHere };
      return known.rows;
    },
    close: () => app.close(),
    async send(request, person) {
      sent += 1;
      const headers = { ...(person ? { authorization: `Bearer ${person.accessToken}` } : {}), ...request.headers };
      let timer: NodeJS.Timeout | undefined;
      const hang = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`No reply to ${JSON.stringify(request).slice(0, 500)}`)), hangMs);
      });
      const reply = await Promise.race<Reply>([sendTo(app, { ...request, headers }), hang]);
      clearTimeout(timer);
      const { statusCode: status, body } = reply;
      const shown = { ...request, payload: request.payload?.toString().slice(0, 300) };
      const about = `${JSON.stringify(shown).slice(0, 800)} -> ${status} ${body.slice(0, 300)}`;
      expect(status, about).toBeGreaterThan(0);
      const isRefused = status >= 400 && request.method !== "HEAD";
      const code = isRefused && !isPageFor(request, reply.headers) ? codeOf(request, body, status, about) : undefined;
      if (status >= 500) expect({ code, "retry-after": reply.headers["retry-after"] }, about).toMatchObject(documentedOutage);
      return status;
    },
  };
}

type Reply = { statusCode: number; headers: Record<string, unknown>; body: string };

const lastChange = `select id, change, (select md5(string_agg(u::text, ',' order by id)) from unfinished_uploads u) as unfinished
  from noted_changes order by id desc limit 1`;

/**
 * Notes each committed change of a row. Left out are updates of mails, which the sender makes at its own time, the cache of public
 * prices, which a question for prices fills, and unfinished uploads, which a form has until it is refused: those are compared whole.
 */
async function noteChanges(app: TestApp): Promise<void> {
  const tables = await app.sql<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('unfinished_uploads', 'public_prices')",
  );
  await app.sql("create table noted_changes (id bigint generated always as identity primary key, change text not null)");
  // A refused call that has a wrong password of the admin is in the audit log all the same (AUDIT-3).
  await app.sql(`create function note_change() returns trigger language plpgsql as $$ begin
    if tg_table_name = 'audit_log' and tg_op = 'INSERT' then
      if new.action = 'admin.sign-in-failed' then return null; end if;
    end if;
    insert into noted_changes (change) values (tg_op || ' ' || tg_table_name);
    return null;
  end $$`);
  const triggers = tables.map(({ name }) => {
    const events = name === "mail_outbox" ? "insert or delete" : "insert or update or delete";
    return `create trigger noted after ${events} on "${name}" for each row execute function note_change()`;
  });
  // The site's role may not put one on the audit log.
  const superuser = new pg.Client({ ...inject("postgres"), database: app.deps.db.$client.options.database });
  await superuser.connect();
  await superuser.query(triggers.join(";"));
  await superuser.end();
}

/** Uploads and downloads lean on sockets; elsewhere these would add nothing but time. Wrong lengths have a test of their own. */
function sendTo(app: TestApp, { headers = {}, ...request }: HostileRequest): Promise<Reply> {
  if (!/^\/storage\/|\/(captions|poster)\b/.test(request.url)) return app.server.inject({ ...request, headers });
  const { "content-length": _wrong, ...others } = headers;
  return sendOverSocket(app.url, { ...request, headers: others });
}

/** The disk may be as good as full where the tests run, and the queue for hashing is bounded. */
const documentedOutage = {
  code: expect.stringMatching(/^(unavailable|insufficient_storage)$/),
  "retry-after": expect.anything(),
};

/** A browser that asks for a page may get one. */
function isPageFor(request: HostileRequest, headers: Record<string, unknown>): boolean {
  return request.headers?.["accept"]?.includes("text/html") === true && String(headers["content-type"]).startsWith("text/html");
}

/** Returns the code of an error reply, which has the form of its API and, outside auth, the status that the catalogue has for it. */
function codeOf({ url }: HostileRequest, body: string, status: number, about: string): string {
  const reply = JSON.parse(body) as { code: string };
  if (url.startsWith("/auth/v1/")) {
    expect(reply, about).toMatchObject({ code: expect.stringMatching(/^\w+$/), message: expect.stringMatching(/./) });
    return reply.code;
  }
  expect(reply, about).toEqual({ code: expect.any(String), error: expect.stringMatching(/./) });
  expect((errors as Record<string, { status: number }>)[reply.code]?.status, about).toBe(status);
  return reply.code;
}

/** Percent-encoded UTF-8, also of what has none: lone surrogates as the three bytes that a careless encoder writes. */
function percentEncoded(text: string): string {
  return text.replace(/[^\w.~-]/gu, (character) =>
    /\p{Surrogate}/u.test(character) ? "%ED%A0%80" : encodeURIComponent(character).replace(/^\.$/, "%2E"),
  );
}

export function requestOf(call: ApiCall, input: ApiCall["input"]): HostileRequest {
  const path = call.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    percentEncoded(textOf((input.params as Record<string, unknown>)[name])),
  );
  const pairs = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined);
  const query = pairs.map(([name, value]) => `${name}=${percentEncoded(textOf(value))}`).join("&");
  const headers = Object.entries(input.headers ?? {}).map(([name, value]) => [name, textOf(value)]);
  const [type, payload] = isForm(input.body)
    ? [`multipart/form-data; boundary=${boundary}`, formOf(input.body)]
    : ["application/json", JSON.stringify(input.body)];
  const body = payload === undefined ? {} : { payload };
  return {
    method: call.method as HostileRequest["method"],
    url: path + (query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`),
    headers: {
      ...(input.body === undefined ? {} : { "content-type": type }),
      ...(Object.fromEntries(headers) as Record<string, string>),
    },
    ...body,
  };
}

const boundary = "--------boundary";

/** A call that takes a file takes a form. */
const isForm = (body: unknown): body is Record<string, unknown> =>
  typeof body === "object" && body !== null && Object.values(body).some((value) => value instanceof Blob);

/** A form of bytes, in which lone surrogates stand as a careless encoder writes them. Every file is the same one. */
function formOf(fields: Record<string, unknown>): Buffer {
  const parts = Object.entries(fields).map(([name, value]) => {
    const isFile = value instanceof Blob;
    const about = isFile ? '; filename="a.vtt"\r\nContent-Type: text/vtt' : "";
    const start = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${about}\r\n\r\n`;
    const text = isFile ? percentEncoded(sampleFileText) : percentEncoded(textOf(value));
    const bytes = text.replace(/%([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(`${start}${bytes}\r\n`, "latin1");
  });
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
