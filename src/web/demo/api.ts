// Over 250 lines: one table of every call of the contract that the demo stands in for.
import { deviceName } from "#domain/accounts/device";
import type { Me, OwnSession } from "#domain/api/account";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { Quote } from "#domain/api/payments/quotes";
import { packageTypes, type PackageType } from "#domain/packages";
import { normaliseReference } from "#domain/payment-methods/reference";
import { discountPercent, launchCoupon, launchOffer } from "#domain/payments/coupon";
import { texts } from "#domain/texts/texts";
import { ProductError } from "#domain/errors/messages";
import { maxAttachmentBytes } from "#domain/materials/attachment";
import { quoteMethods } from "#domain/payment-methods/methods";
import { priceOf, quoteLifetimeSeconds } from "#domain/payments/quote";
import { maxUploadBytes } from "#domain/files/buckets";
import { canPlay } from "#domain/video-access";
import type { Api } from "../platform/api-shape.ts";
import { randomUuid } from "../platform/browsers/random-uuid.ts";
import { demoFilm, demoLiveOccurrences, demoWallet, makeDemoNews, makeDemoVideos } from "./course.ts";

/** The demo's submit takes this long (DEMO-1). */
const submitMs = 2000;

/** What a site takes unless its operator sets another limit (`MAX_SCREENSHOT_BYTES`). */
const maxScreenshotBytes = 20 * 1024 ** 2;

export const demoStudent: Me = {
  id: "00000000-0000-4000-8000-000000000001",
  email: "student@example.com",
  full_name: "Sample Student",
  subscription_status: "unpaid",
  email_verified: true,
  role: "student",
  second_factor: false,
  verification: null,
  max_upload_bytes: {
    "payment-screenshots": maxScreenshotBytes,
    "course-videos": maxUploadBytes,
    "lesson-attachments": maxAttachmentBytes,
  },
};

/** The sample student's only session. */
function demoSession(): OwnSession {
  const now = new Date().toISOString();
  const device = deviceName(navigator.userAgent);
  return { id: demoStudent.id, device, network: "127.0.0.1", created_at: now, last_seen_at: now, current: true };
}

const missing = (): Promise<never> => Promise.reject(new ProductError("backend_not_configured"));

function demoQuote(packageType: Quote["package_type"], code: string | null | undefined): Quote {
  const isLaunch = code === launchCoupon.code;
  if (code && !isLaunch) throw new ProductError("coupon_invalid_demo");
  const price = priceOf(packageType, isLaunch ? discountPercent(launchCoupon, packageType) : "0");
  const now = Date.now();
  return {
    id: randomUuid(),
    package_type: packageType,
    coupon_code: isLaunch ? launchCoupon.code : null,
    coupon_held: false,
    discount_percent: price.discountPercent,
    original_usd: price.originalUsd,
    discount_usd: price.discountUsd,
    upgrade_credit_usd: price.upgradeCreditUsd,
    amount_usd: price.amountUsd,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + quoteLifetimeSeconds * 1000).toISOString(),
    methods: quoteMethods(price.amountUsd, demoWallet),
    earlier: [],
    is_sample: true,
  };
}

function demoRequest(quote: Quote, cryptoType: PaymentRequest["crypto_type"], reference: string | null): PaymentRequest {
  const method = quote.methods.find(({ crypto_type }) => crypto_type === cryptoType);
  return {
    id: randomUuid(),
    user_id: demoStudent.id,
    package_type: quote.package_type,
    original_usd: quote.original_usd,
    discount_percent: quote.discount_percent,
    discount_usd: quote.discount_usd,
    upgrade_credit_usd: quote.upgrade_credit_usd,
    amount_usd: quote.amount_usd,
    amount_crypto: method?.amount_crypto ?? "0",
    crypto_type: cryptoType,
    coupon_code: quote.coupon_code,
    wallet_address: method?.wallet_address ?? "",
    reference,
    paid_by_earlier_quote: null,
    destination_current: true,
    status: "pending",
    rejection_reason: null,
    amount_received: null,
    amount_owed: null,
    rest: null,
    parts: [],
    resubmits: null,
    approval_seen_at: null,
    // The chosen picture is kept nowhere.
    screenshot_url: null,
    created_at: new Date().toISOString(),
    decided_at: null,
    receipt_number: null,
  };
}

/** Returns an API without a server (DEMO-1); what is submitted lasts until the page is reloaded. */
export function createDemoApi(): Api {
  const quotes = new Map<string, Quote>();
  const requests: PaymentRequest[] = [];
  const demoVideos = makeDemoVideos();
  const demoNews = makeDemoNews();
  return {
    account: {
      me: () => Promise.resolve(demoStudent),
      sessions: () => Promise.resolve({ items: [demoSession()], next_cursor: null }),
      endSession: missing,
      endOtherSessions: missing,
      stepUp: missing,
      sendVerificationEmail: missing,
      verifyEmail: missing,
    },
    users: {
      list: missing,
      search: missing,
      setTier: missing,
      remove: missing,
      removeSecondFactor: missing,
      get: missing,
      audit: missing,
      endSession: missing,
      endSessions: missing,
      grant: missing,
      addNote: missing,
      updateNote: missing,
      removeNote: missing,
    },
    videos: {
      list: () =>
        Promise.resolve({
          items: demoVideos.map((video) => ({ ...video, playable: canPlay(demoStudent, video.package_type) })),
          next_cursor: null,
        }),
      play: ({ params }) => {
        const video = demoVideos.find(({ id }) => id === params.id);
        if (!video || !canPlay(demoStudent, video.package_type)) return Promise.reject(new ProductError("video_locked"));
        const expires_at = new Date(Date.now() + 3_600_000).toISOString();
        return Promise.resolve({ url: demoFilm(video.title), expires_at, watermark: null, progress: video.progress });
      },
      saveProgress: ({ params, body }) => {
        const video = demoVideos.find(({ id }) => id === params.id);
        const progress = { position_seconds: body.position_seconds, done: body.done ?? video?.progress?.done ?? false };
        if (video) video.progress = { ...progress, watched_at: new Date().toISOString() };
        return Promise.resolve(progress);
      },
      create: missing,
      update: missing,
      remove: missing,
      updateSelected: missing,
      removeSelected: missing,
    },
    statistics: { videos: missing, notBegun: missing },
    modules: { order: missing, orderVideos: missing, rename: missing },
    mailChoices: { get: () => Promise.resolve({ news: false, live_session_reminder: true }), put: missing },
    liveSessions: {
      list: missing,
      create: missing,
      update: missing,
      remove: missing,
      occurrences: ({ when }) => {
        const now = Date.now();
        const items = when === "recorded" ? [] : demoLiveOccurrences(now);
        return Promise.resolve({ items, next_cursor: null, now: new Date(now).toISOString() });
      },
      changeOccurrence: missing,
      join: missing,
      calendarLink: missing,
      renewCalendarLink: missing,
    },
    materials: {
      saveCaptions: missing,
      removeCaptions: missing,
      addAttachment: missing,
      removeAttachment: missing,
      openAttachment: missing,
      savePoster: missing,
      removePoster: missing,
    },
    playback: { sharing: missing },
    audit: { list: missing },
    exports: { link: missing },
    news: {
      // A copy: the page would not see a change of what it holds itself.
      list: () => Promise.resolve({ items: [{ ...demoNews }], next_cursor: null }),
      reach: missing,
      publish: missing,
      update: missing,
      remove: missing,
      see: () => {
        demoNews.unread = false;
        return Promise.resolve({ seen: true });
      },
    },
    mailFailures: { list: missing, sendAgain: missing, dismiss: missing },
    coupons: { list: missing, create: missing, update: missing, remove: missing },
    environment: { list: missing },
    testMail: { send: missing, read: missing },
    coinPrices: { list: missing, fetch: missing, set: missing, setBounds: missing },
    walletSettings: { get: missing, put: missing, cryptoPrice: missing },
    rejectionReasons: { get: missing, put: missing },
    guard: { changes: missing, openQuotes: missing, voidQuotes: missing, previewUndo: missing, undo: missing },
    quotes: {
      create: async ({ package_type, coupon_code }) => {
        const quote = demoQuote(package_type, coupon_code);
        quotes.set(quote.id, quote);
        return quote;
      },
      state: missing,
      // Nobody in the demo has Starter.
      upgradeOffer: missing,
      launchOffer: async () => {
        const isPending = (packageType: PackageType) => requests.some(({ package_type }) => package_type === packageType);
        const offer = launchOffer(
          launchCoupon,
          packageTypes.filter((packageType) => !isPending(packageType)),
        );
        return offer ? { status: 200, body: { ...offer, code: texts.payment.launchCode } } : { status: 204 };
      },
    },
    overview: {
      stats: missing,
      setup: missing,
      closeSetup: missing,
      sampleCourse: missing,
      removeSampleCourse: missing,
    },
    paymentRequests: {
      submit: async ({ body }) => {
        await new Promise((resolve) => setTimeout(resolve, submitMs));
        const quote = quotes.get(body.quote_id);
        if (!quote) throw new ProductError("quote_not_found");
        const cryptoType = body.crypto_type ?? null;
        const reference = cryptoType && normaliseReference(cryptoType, body.reference);
        const request = demoRequest(quote, cryptoType, reference);
        requests.unshift(request);
        return request;
      },
      resubmit: missing,
      mine: () => Promise.resolve({ items: [...requests], next_cursor: null }),
      list: missing,
      counts: missing,
      get: missing,
      check: missing,
      approve: missing,
      reject: missing,
      reopen: missing,
      askRest: missing,
      payRest: missing,
      screenshot: missing,
      receipt: missing,
      seeApproval: missing,
      approvalTime: () => Promise.resolve({ typical_seconds: null }),
    },
  };
}
