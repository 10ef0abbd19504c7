import type { Browser, BrowserContext, BrowserContextOptions } from "@playwright/test";
import { adminEmail, adminPassword, type Site } from "./site.ts";

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>;

export interface Session {
  access_token: string;
  refresh_token: string;
  user: { id: string };
}

export interface Member {
  email: string;
  password: string;
  session: Session;
  call: Call;
}

const password = "a fine long password";

/** Asks a running site; throws at whatever is not a success. */
export const caller =
  (site: Site, signedInBy?: string | LastingSession): Call =>
  async (method, path, body, headers = {}) => {
    const isForm = body instanceof FormData;
    const token = signedInBy instanceof LastingSession ? await signedInBy.accessToken() : signedInBy;
    const reply = await fetch(site.url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  };

/** The admin's session on a running site. */
export async function adminSessionOf(site: Site): Promise<Session> {
  return caller(site)("POST", "/auth/v1/token?grant_type=password", { email: adminEmail, password: adminPassword });
}

const renewedAfterMs = 5 * 60_000;
/** Milliseconds after which the admin's session is proven again, some minutes before that ends. */
const provenForMs = 4 * 60_000;

/** A session that tests share for as long as they run: longer than an access token is valid (SESSION-2). */
export class LastingSession {
  readonly #site: Site;
  #session: Session;
  #renewedAt = Date.now();

  constructor(site: Site, session: Session) {
    this.#site = site;
    this.#session = session;
  }

  async accessToken(): Promise<string> {
    if (Date.now() - this.#renewedAt > renewedAfterMs) await this.#renew();
    return this.#session.access_token;
  }

  /** Tokens for one window alone: two windows that used one refresh token would end the session (SESSION-3). */
  async forWindow(): Promise<Session> {
    const [tokens] = await Promise.all([this.#refreshed(), this.#renew()]);
    return tokens;
  }

  async #renew(): Promise<void> {
    this.#session = await this.#refreshed();
    this.#renewedAt = Date.now();
  }

  #refreshed(): Promise<Session> {
    const { refresh_token } = this.#session;
    return caller(this.#site)("POST", "/auth/v1/token?grant_type=refresh_token", { refresh_token });
  }
}

/** The admin's, which stays proven too: the tests of one worker may take longer than a sign-in proves it (STEPUP-1). */
export class AdminSession extends LastingSession {
  readonly #prove: (accessToken: string) => Promise<unknown>;
  #provenAt = Date.now();

  constructor(site: Site, session: Session) {
    super(site, session);
    this.#prove = (accessToken) => caller(site, accessToken)("POST", "/api/step-up", { current_password: adminPassword });
  }

  static async of(site: Site): Promise<AdminSession> {
    return new AdminSession(site, await adminSessionOf(site));
  }

  override async accessToken(): Promise<string> {
    const token = await super.accessToken();
    if (Date.now() - this.#provenAt > provenForMs) {
      await this.#prove(token);
      this.#provenAt = Date.now();
    }
    return token;
  }

  override async forWindow(): Promise<Session> {
    await this.accessToken();
    return super.forWindow();
  }
}

/** A new account, whose address is made of the name; unverified unless told. */
export async function joinSite(site: Site, fullName: string, isVerified = false): Promise<Member> {
  const email = `${fullName.toLowerCase().replaceAll(" ", ".")}@example.com`;
  const session = await caller(site)("POST", "/auth/v1/signup", { email, password, data: { full_name: fullName } });
  const call = caller(site, session.access_token);
  if (isVerified) {
    await call("POST", "/functions/v1/send-verification-email", { email, fullName });
    await call("POST", "/functions/v1/verify-email", { code: await site.codeFor(email) });
  }
  return { email, password, session, call };
}

/** What a browser has stored in which somebody is signed in, or nobody. */
export function browserStateOf(site: Site, session: Session | undefined) {
  const localStorage = [{ name: "sb-pipwright-auth-token", value: JSON.stringify(session) }];
  return { cookies: [], origins: session === undefined ? [] : [{ origin: site.url, localStorage }] };
}

/** Opens a browser window in which somebody is signed in, or nobody. */
export function windowOf(
  browser: Browser,
  site: Site,
  session: Session | undefined,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  return browser.newContext({ baseURL: site.url, storageState: browserStateOf(site, session), ...options });
}
