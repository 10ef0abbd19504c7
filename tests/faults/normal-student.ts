import { randomUUID } from "node:crypto";
import { joinSite } from "../support/sites/members.ts";
import type { Site } from "../support/sites/site-process.ts";
import { asker, newJournal, pause, type Mishap, type Reply } from "./client.ts";
import { stepper, somePicture } from "./student.ts";

export interface NormalStudent {
  /** Ends the student's rounds: how many there were, the longest wait for one reply, and replies of 5xx. */
  stop(): Promise<{ rounds: number; worst: { what: string; ms: number }; mishaps: Mishap[] }>;
}

/** A new student in each round signs in, asks for a quote and submits a payment request, in the pace of a person in a hurry. */
export async function startNormalStudent(site: Site): Promise<NormalStudent> {
  const journal = newJournal();
  const ask = asker(site.url, journal);
  const worst = { what: "", ms: 0 };
  const over = new AbortController();
  let rounds = 0;
  const timed = async (what: string, send: () => Promise<Reply>): Promise<Reply | undefined> => {
    const reply = await stepper({ journal, isOver: () => true })(send);
    if (reply && reply.ms > worst.ms) Object.assign(worst, { what, ms: reply.ms });
    return reply;
  };
  const round = async (): Promise<void> => {
    const { email, password } = await joinSite(site, `Normal ${randomUUID()}`, true);
    const signedIn = await timed("sign-in", () => ask("POST", "/auth/v1/token?grant_type=password", { email, password }));
    const token = signedIn?.body.access_token as string;
    const quote = await timed("quote", () => ask("POST", "/api/quotes", { package_type: "starter" }, { token }));
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(await somePicture())], { type: "image/png" }), "paid.png");
    const uploaded = await timed("upload", () => ask("POST", "/storage/v1/object/payment-screenshots", form, { token }));
    const body = { quote_id: quote?.body.id, crypto_type: "bitcoin", upload_id: uploaded?.body.upload_id, consent: true };
    const headers = { "idempotency-key": randomUUID() };
    const submitted = await timed("submit", () => ask("POST", "/api/payment-requests", body, { token, headers }));
    if (submitted?.status === 201) rounds += 1;
  };
  const all = (async () => {
    while (!over.signal.aborted) {
      await round();
      await pause(200);
    }
  })();
  return {
    async stop() {
      over.abort();
      await all;
      const refused = journal.wrongs.map((what): Mishap => ({
        at: 0,
        status: 400,
        what: `the normal student was refused: ${what}`,
      }));
      return { rounds, worst, mishaps: [...journal.mishaps, ...refused] };
    },
  };
}
