// Over 250 lines: the one list of parts, a few lines for each.
// @ts-check
// What is mutated, part by part, and the tests that must notice. A part of the server lists its deciding files, each with what it decides.

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {number} threshold Percent of its mutants that must die.
 * @property {Record<string, string>} files Files or patterns, and what each decides.
 * @property {readonly string[]} tests
 * @property {boolean} needsDatabase
 */

const features = "src/server/features";
const platform = "src/server/platform";

/** @param {string} name @param {Record<string, string>} files @param {readonly string[]} tests @returns {Part} */
const serverPart = (name, files, tests) => ({ name, threshold: 90, files, tests, needsDatabase: true });

/** A part whose tests start no server. @param {string} name @param {Record<string, string>} files @param {readonly string[]} tests @returns {Part} */
const plainPart = (name, files, tests) => ({ ...serverPart(name, files, tests), needsDatabase: false });

/** Races that the tests of several parts need, what calls are counted against, and when old rows go. */
const waits = "tests/server/waiting-changes.test.ts";
const counted = "tests/server/rate-limits.test.ts";
const retention = "tests/server/retention.test.ts";

/** @type {readonly Part[]} */
export const parts = [
  {
    name: "domain",
    threshold: 95,
    needsDatabase: false,
    files: {
      "src/domain/**/*.ts": "every rule",
      "!src/domain/**/*.test.ts": "",
      // What the journeys look for on the screens; no rule.
      "!src/domain/texts/quoted-texts.ts": "",
      // The part below.
      "!src/domain/payments/perceptual-fingerprint.ts": "",
    },
    tests: ["src/domain/**/*.test.ts"],
  },
  {
    // Computes with every pixel, so that each of its mutants takes as long as a hundred others.
    name: "fingerprint",
    threshold: 95,
    needsDatabase: false,
    files: { "src/domain/payments/perceptual-fingerprint.ts": "which screenshots are the same" },
    tests: ["src/domain/payments/perceptual-fingerprint.test.ts"],
  },
  serverPart(
    "outbox",
    {
      [`${platform}/mail/outbox.ts`]: "waits between attempts, when a mail is given up, the lease",
      [`${platform}/mail/queries.ts`]: "which mail is due, who has its lease, which attempt may be recorded",
      [`${platform}/mail/failure-queries.ts`]: "which mails failed, and which of them can be sent again",
      [`${platform}/mail/sender.ts`]: "what happens to a mail after each kind of failure",
      [`${platform}/delivery-worker.ts`]: "how many mails or events are on their way, and what a stop waits for",
      [`${features}/webhooks/{deliver,queries}.ts`]: "which event is due, in which order, when it is tried again and given up",
    },
    [
      `${platform}/mail/*.test.ts`,
      `${platform}/delivery-worker.test.ts`,
      `${features}/{mail-choices,mail-failures,test-mail,webhooks}/*.test.ts`,
      `${features}/verification/status.test.ts`,
      `${platform}/logging/request-id.test.ts`,
      waits,
    ],
  ),
  serverPart(
    "requests",
    {
      [`${features}/payment-requests/decide.ts`]: "who wins of two decisions, what an approval sets",
      [`${features}/payment-requests/queries.ts`]: "row locks, receipts without gaps, whose references are used",
      [`${features}/payment-requests/submit.ts`]: "which figures are stored",
      [`${features}/payment-requests/store.ts`]: "what a race ends in, and what is stored with a request",
      [`${features}/payment-requests/resubmit.ts`]: "which rejected request is submitted again",
      [`${features}/payment-requests/submit-checks.ts`]: "which quote, screenshot and retry is accepted",
      [`${features}/payment-requests/screenshots/duplicates.ts`]: "which screenshots are duplicates, and how many are kept",
      [`${features}/payment-requests/screenshots/{queries,match-queries}.ts`]:
        "which screenshots are compared, who may open one",
      [`${features}/payment-requests/slips/job.ts`]: "which process has a slip, when it is read again, when it is given up",
      [`${platform}/db/locks.ts`]: "whether changes of the same thing take turns",
    },
    [
      `${features}/payment-requests/**/*.test.ts`,
      `${features}/overview/stats.test.ts`,
      // Which quote no longer holds.
      `${features}/wallet-settings/guard/void-quotes.test.ts`,
      waits,
    ],
  ),
  serverPart(
    "accounts",
    {
      [`${features}/auth/admin/create-admin.ts`]: "who is the admin",
      [`${features}/auth/admin/queries.ts`]: "that there is one admin",
      [`${features}/auth/queries.ts`]: "which account an address means",
      [`${features}/auth/account.ts`]: "that the admin changes no admin",
      [`${features}/auth/sign-up.ts`]: "who may sign up, and what a taken address ends in",
      [`${features}/auth/sign-in.ts`]: "who may sign in, and how often it may be tried",
      [`${features}/auth/passwords/*.ts`]: "what a new password ends, whom a recovery link lets in",
      [`!${features}/auth/passwords/{mail,*.test}.ts`]: "",
      [`${features}/verification/{code-hash,send-code,verify-email,queries}.ts`]:
        "which code verifies an address, and how often it may be tried",
      [`${features}/users/{manage,queries}.ts`]: "whom the admin may change",
      [`${platform}/http/access.ts`]: "who may do what",
    },
    [
      `${features}/{auth,verification,users}/**/*.test.ts`,
      `${features}/payment-requests/decide.test.ts`,
      `${platform}/logging/security-events.test.ts`,
      `${platform}/http/access.test.ts`,
      "tests/server/{access,list-plans,preview}.test.ts",
      waits,
      counted,
      retention,
    ],
  ),
  serverPart(
    "sessions",
    {
      [`${features}/auth/sessions/*.ts`]: "whose session lives, which refresh token is taken twice",
      [`!${features}/auth/sessions/*.test.ts`]: "",
    },
    [
      `${features}/auth/{sessions,passwords,second-factor}/*.test.ts`,
      `${features}/auth/auth-js.test.ts`,
      `${features}/auth/admin/create-admin.test.ts`,
      `${features}/users/detail.test.ts`,
      `${features}/exports/*.test.ts`,
      "tests/server/link-sessions.test.ts",
      waits,
      counted,
    ],
  ),
  serverPart(
    "quotes",
    {
      [`${features}/quotes/{create,methods,queries,quoted-payment,upgrade-credit}.ts`]:
        "what is to be paid, and by whose quote",
      [`${features}/quotes/own-amounts/{queries,reserve}.ts`]: "which amount is whose alone",
      [`${features}/bitcoin-addresses/{give,queries}.ts`]: "which address is whose alone",
      [`${features}/coupons/{find,queries}.ts`]: "which coupon holds",
      [`${features}/wallet-settings/prices/{fetch,public-price,queries,refresh,set,store}.ts`]:
        "which price is taken, and by which process",
    },
    [
      `${features}/{quotes,coupons}/*.test.ts`,
      `${features}/quotes/{own-amounts,address-reuse}/*.test.ts`,
      `${features}/wallet-settings/prices/*.test.ts`,
      `${features}/payment-requests/{late-payment,rest/destination}.test.ts`,
      `${features}/payment-requests/chain/*.test.ts`,
      `${features}/wallet-settings/wallet-settings.test.ts`,
      `${features}/wallet-settings/guard/void-quotes.test.ts`,
      // Which price needs a step-up.
      `${features}/auth/sessions/step-up.test.ts`,
      waits,
      counted,
      retention,
    ],
  ),
  plainPart(
    "downloads",
    { [`${platform}/storage/downloads/{signed-links,ranges}.ts`]: "whom a link lets in, which bytes are sent" },
    [`${platform}/storage/downloads/{signed-links,ranges}.test.ts`],
  ),
  plainPart(
    "film-files",
    {
      [`${platform}/films/{probe,webm}.ts`]: "what is said of a film, and which one is damaged",
      [`${platform}/films/mp4/{fast-start,layout,movie}.ts`]: "which film is rewritten, and where its chunks go",
    },
    [`${platform}/films/**/*.test.ts`],
  ),
  serverPart(
    "storage",
    {
      [`${platform}/storage/sweep.ts`]: "what is deleted, checked again before it is",
      [`${platform}/storage/queries.ts`]: "what nobody refers to",
      [`${platform}/storage/uploads/{new-upload,unfinished-uploads}.ts`]: "how much may be uploaded at once",
      [`${features}/videos/play.ts`]: "who may play a film now",
      [`${features}/videos/materials/{attachments,buckets,captions,poster,queries}.ts`]: "what a lesson takes, who may open it",
    },
    [
      `${platform}/storage/*.test.ts`,
      `${platform}/storage/{disk,downloads,uploads,tus}/*.test.ts`,
      `${features}/videos/*.test.ts`,
      `${features}/videos/films/fragments.test.ts`,
      `${features}/videos/materials/*.test.ts`,
      `${features}/playback/devices.test.ts`,
      "tests/server/link-sessions.test.ts",
      waits,
      counted,
    ],
  ),
  serverPart(
    "films",
    {
      [`${features}/videos/films/{job,prepare,rewrite,queries}.ts`]: "which process has a film, when a copy takes its place",
      [`${platform}/storage/outage.ts`]: "which failure does not count",
    },
    [`${features}/videos/films/{fetched-twice,films,film-claims,film-failures,fragments}.test.ts`],
  ),
  serverPart(
    "guard",
    {
      [`${features}/wallet-settings/guard/{alert,list,queries,record,undo,void-quotes}.ts`]:
        "which change of destinations waits, who hears of it, what undoes it",
    },
    [`${features}/wallet-settings/guard/*.test.ts`, `${features}/wallet-settings/sample.test.ts`, waits],
  ),
  serverPart(
    "chain",
    {
      [`${features}/payment-requests/chain/{attempt,check,due-payment,find-transactions,look-up,pace,paying,queries,scan,scan-queries}.ts`]:
        "which transaction pays a request, when it is looked for again, which process does",
    },
    [`${features}/payment-requests/chain/*.test.ts`, retention],
  ),
  serverPart(
    "rests",
    {
      [`${features}/payment-requests/rest/{ask,change-tier,destination,pay,queries}.ts`]:
        "what of a payment is missing, where its rest goes, who may pay it",
      [`${features}/payment-requests/reopen/{reopen,queries}.ts`]: "which decision may be taken back, and what that gives back",
    },
    [
      `${features}/payment-requests/{rest,reopen}/*.test.ts`,
      `${features}/payment-requests/{amount-received,decide,late-payment}.test.ts`,
      `${features}/webhooks/events.test.ts`,
      waits,
    ],
  ),
  serverPart(
    "evidence",
    {
      [`${features}/payment-requests/evidence/*.ts`]: "what speaks for a payment or against it",
      [`!${features}/payment-requests/evidence/*.test.ts`]: "",
      [`${features}/payment-requests/flags/{job,queries}.ts`]: "which requests are flagged anew, and by which process",
    },
    [
      `${features}/payment-requests/{evidence,flags,slips}/*.test.ts`,
      `${features}/payment-requests/chain/check.test.ts`,
      `${features}/payment-requests/rest/{compared,destination}.test.ts`,
    ],
  ),
  serverPart(
    "factors",
    {
      [`${features}/auth/second-factor/{check-code,enroll,queries,recovery-codes,remove-by-admin,totp,unenroll,verify}.ts`]:
        "which second proof lets in, once each",
      [`${features}/auth/profile/{details,email-change,queries,resend,update}.ts`]: "whose address changes, and by which code",
    },
    [`${features}/auth/{second-factor,profile}/*.test.ts`, `${features}/auth/sessions/step-up.test.ts`, waits, counted],
  ),
  serverPart(
    "devices",
    {
      [`${features}/playback/{continue-playing,queries,sharing,start-playing}.ts`]:
        "which device may play, and who shares an account",
      [`${features}/videos/progress/{queries,read,save}.ts`]: "whose place in a lesson is kept",
    },
    [
      `${features}/playback/*.test.ts`,
      `${features}/videos/progress/*.test.ts`,
      // What the admin sees of a student's progress.
      `${features}/users/detail.test.ts`,
      waits,
      counted,
    ],
  ),
  serverPart(
    "limits",
    {
      [`${platform}/http/rate-limit.ts`]: "how calls are counted",
      [`${features}/auth/limits/*.ts`]: "whose tries count together, and as one place",
      [`!${features}/auth/limits/*.test.ts`]: "",
      [`${platform}/retention/*.ts`]: "when old rows go, and in which process",
      [`${features}/{auth,verification}/retention*.ts`]: "which accounts, sessions and codes go",
      [`!${features}/auth/retention.test.ts`]: "",
      [`${platform}/mail/retention.ts`]: "which mails go",
    },
    [counted, retention, `${features}/auth/limits/*.test.ts`, `${features}/auth/{retention,sign-in}.test.ts`],
  ),
];
