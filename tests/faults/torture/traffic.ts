import { randomBytes, randomInt } from "node:crypto";
import { walletForm } from "../../support/payments.ts";
import { adminEmail, adminPassword } from "../../support/sites/site-process.ts";
import { mp4Of } from "../../support/uploads.ts";
import { pause, type Ask } from "../client.ts";
import { hashOf, Promises, type PromisedRequest } from "../promises.ts";
import { holdStream } from "../stream.ts";
import { studentLife, upload } from "../student.ts";
import type { World } from "./world.ts";

export interface TortureTraffic {
  promises: Promises;
  /** SHA-256 of the films of acknowledged lessons, by the lesson's id. */
  lessons: Map<string, string>;
  /** Students who came through to a decided request. */
  lives(): number;
  stop(): Promise<void>;
}

const students = 10;

/** Students who sign up and pay, the admin who decides and uploads films, each at once again. */
export async function startTortureTraffic(world: World): Promise<TortureTraffic> {
  const { journal, admin } = world;
  const promises = new Promises();
  const lessons = new Map<string, string>();
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  const codeFor = codeReader(world);
  let lives = 0;
  const asAdmin = renewing(world.ask, { email: adminEmail, password: adminPassword }, (token) => (admin.token = token));
  const wallets = await asAdmin("PUT", "/api/wallet-settings", { ...walletForm, current_password: adminPassword });
  if (wallets.status !== 200) throw new Error(`Wallet settings: ${wallets.status} ${JSON.stringify(wallets.body)}`);
  const stream = holdStream(world.parts[0]!.url, () => admin.token);

  const decide = async (request: PromisedRequest): Promise<void> => {
    const isGood = randomInt(10) < 7;
    const [call, body] = isGood ? (["approve", {}] as const) : (["reject", { reason: "Nothing has arrived." }] as const);
    while (!isOver()) {
      const { status } = await asAdmin("POST", `/api/payment-requests/${request.id}/${call}`, body);
      // 409: a decision that got no answer was made all the same.
      if (status === 200 || status === 409) {
        request.decision = isGood ? "approved" : "rejected";
        lives += 1;
        return;
      }
      await pause(200);
    }
  };
  const student = async (): Promise<void> => {
    while (!isOver()) {
      const life = await studentLife({
        ask: renewing(world.ask),
        journal,
        promises,
        codeFor,
        isOver,
        // A mail whose process was killed waits for the end of its lease.
        codePatienceMs: 10_000,
        payment: somePayment(),
      });
      for (const request of life?.student.requests ?? []) await decide(request);
    }
  };
  const teacher = async (): Promise<void> => {
    for (let count = 1; !isOver(); count++) {
      await pause(4000);
      const film = Buffer.concat([mp4Of(200_000), randomBytes(1000)]);
      const file = { bucketName: "course-videos", filename: "film.mp4", filetype: "video/mp4" };
      const upload_id = await upload({ ask: asAdmin, isOver, journal }, admin.token, film, file);
      if (upload_id === undefined) continue;
      const lesson = { title: `Lesson ${count}`, description: "A film.", module: "Films", package_type: "both" };
      const made = await asAdmin("POST", "/api/videos", { ...lesson, order_index: count, upload_id });
      if (made.status === 201) lessons.set(made.body.id, hashOf(film));
    }
  };
  const reader = async (): Promise<void> => {
    while (!isOver()) {
      await asAdmin("GET", "/api/payment-requests?limit=20");
      await pause(500);
    }
  };
  const all = Promise.all([teacher(), reader(), ...Array.from({ length: students }, student)]);
  return {
    promises,
    lessons,
    lives: () => lives,
    async stop() {
      over.abort();
      stream.close();
      await all;
    },
  };
}

/** Mostly bank transfers: lookups on a chain are paced for public services. */
function somePayment(): Record<string, unknown> {
  if (randomInt(12) === 0) return { crypto_type: "bitcoin" };
  return { crypto_type: "thai_bank", reference: String(randomInt(1e11, 1e12)) };
}

/**
 * Signs in again where a session has ended, as the clock's jumps do to it, and repeats the call. Whom: the given account, or the one that
 * signs up by this.
 */
function renewing(ask: Ask, account?: { email: string; password: string }, onToken?: (token: string) => unknown): Ask {
  let own = account;
  let token: string | undefined;
  const renew = async (): Promise<void> => {
    const reply = await ask("POST", "/auth/v1/token?grant_type=password", own);
    if (reply.status === 200) onToken?.((token = reply.body.access_token));
  };
  return async (method, path, body, options = {}) => {
    if (path === "/auth/v1/signup") own = body as typeof own;
    if (account && token === undefined) await renew();
    const isSigned = account !== undefined || options.token !== undefined;
    const send = () => {
      const current = isSigned ? (token ?? options.token) : undefined;
      return ask(method, path, body, { ...options, ...(current === undefined ? {} : { token: current }) });
    };
    const reply = await send();
    if (reply.status !== 401 || !isSigned || own === undefined) return reply;
    await renew();
    return send();
  };
}

/** Reads codes from the mails that arrived, each mail once. */
function codeReader({ services: { mail } }: World): (email: string) => Promise<string | undefined> {
  const codes = new Map<string, string>();
  let read = 0;
  return async (email) => {
    for (; read < mail.taken.length; read++) {
      const { to, message } = mail.taken[read]!;
      const code = /^\d{6}\r?$/m.exec(message)?.[0].trim();
      if (code !== undefined && to[0] !== undefined) codes.set(to[0], code);
    }
    return codes.get(email);
  };
}
