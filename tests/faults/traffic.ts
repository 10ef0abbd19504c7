import { adminEmail, adminPassword, type Site } from "../support/sites/site-process.ts";
import { walletForm } from "../support/payments.ts";
import { asker, newJournal, pause, type Ask, type Journal } from "./client.ts";
import { byForm } from "./form.ts";
import { Promises } from "./promises.ts";
import { holdStream, type Stream } from "./stream.ts";
import { studentLife } from "./student.ts";

export interface Traffic {
  journal: Journal;
  promises: Promises;
  /** Students who came through to a submitted request. */
  lives(): number;
  stream: Stream;
  /** Everything acknowledged that the site no longer has. */
  missing(): Promise<string[]>;
  ask: Ask;
  adminToken(): string;
  stop(): Promise<void>;
}

export interface TrafficOptions {
  students?: number;
  /** Where mails are read; by default the site's mailbox. */
  mailsFor?: Site["mailsFor"];
}

/** Milliseconds between a student's payment and the next student: in the short form other tests run beside. */
const nextStudentMs = byForm(500, 100);

/** Students who sign up and pay one after the other, an admin who lists and approves, and the admin's event stream. */
export async function startTraffic(site: Site, { students = 2, mailsFor }: TrafficOptions = {}): Promise<Traffic> {
  const journal = newJournal();
  const promises = new Promises();
  const ask = asker(site.url, journal);
  const readMails = mailsFor ?? site.mailsFor;
  const codeFor = async (email: string): Promise<string | undefined> => {
    const mails = await readMails(email).catch(() => []);
    return mails.map(({ text }) => /^\d{6}\r?$/m.exec(text)?.[0].trim()).find(Boolean);
  };
  const over = new AbortController();
  let lives = 0;
  let token = await signInAsAdmin(ask);
  const wallets = await ask("PUT", "/api/wallet-settings", { ...walletForm, current_password: adminPassword }, { token });
  if (wallets.status !== 200) throw new Error(`Wallet settings: ${wallets.status} ${JSON.stringify(wallets.body)}`);
  const stream = holdStream(site.url, () => token);

  const approve = async (id: string): Promise<boolean> => {
    while (!over.signal.aborted) {
      const reply = await ask("POST", `/api/payment-requests/${id}/approve`, {}, { token });
      // 409: an approval that got no answer was done all the same.
      if (reply.status === 200 || reply.status === 409) return true;
      await pause(200);
    }
    return false;
  };
  const student = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const life = await studentLife({ ask, journal, promises, codeFor, isOver: () => over.signal.aborted });
      if (!life) continue;
      lives += 1;
      if (await approve(life.id)) for (const request of life.student.requests) request.decision = "approved";
      await pause(nextStudentMs);
    }
  };
  const admin = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const { status } = await ask("GET", "/api/payment-requests?limit=20", undefined, { token });
      if (status === 401) token = await signInAsAdmin(ask).catch(() => token);
      await pause(200);
    }
  };
  const all = Promise.all([admin(), ...Array.from({ length: students }, student)]);
  return {
    journal,
    promises,
    lives: () => lives,
    stream,
    missing: () => promises.missing(site.url, readMails),
    ask,
    adminToken: () => token,
    async stop() {
      over.abort();
      stream.close();
      await all;
    },
  };
}

async function signInAsAdmin(ask: Ask): Promise<string> {
  const credentials = { email: adminEmail, password: adminPassword };
  const { status, body } = await ask("POST", "/auth/v1/token?grant_type=password", credentials);
  if (status !== 200) throw new Error(`The admin's sign-in answered ${status}: ${JSON.stringify(body)}`);
  return body.access_token;
}
