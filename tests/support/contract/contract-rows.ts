// Over 250 lines: one table of every call, with what each caller gets.
import type { Contract } from "#domain/api/contract";
import { captionsForm, posterForm, webVtt } from "../course/materials.ts";
import { unknownId, type Row } from "./access-rows.ts";

/** What a test has made before the first call. */
export interface Known {
  paymentRequestId: string;
  approvedRequestId: string;
  lockedVideoId: string;
  attachmentId: string;
  victimId: string;
}

const captionForm = (): FormData => captionsForm(webVtt);

const film = "https://films.example/x";
export const video = { title: "T", description: "D", module: "M", order_index: 1, package_type: "both", video_url: film };

/** Every call of the contract: one without a row does not compile. */
export const contractRows = (known: Known): { [Part in keyof Contract]: { [Name in keyof Contract[Part]]: Row } } => ({
  account: {
    me: { gets: [401, 200, 200, 200, 200] },
    sessions: { gets: [401, 200, 200, 200, 200] },
    endSession: { path: () => `/api/sessions/${unknownId}`, gets: [401, 404, 404, 404, 404] },
    endOtherSessions: { gets: [401, 200, 200, 200, 200] },
    stepUp: { body: () => ({ current_password: "wrong" }), gets: [401, 403, 403, 403, 403] },
    sendVerificationEmail: { body: () => ({}), gets: [401, 200, 409, 409, 409] },
    verifyEmail: { body: () => ({ code: "000000" }), gets: [401, 400, 409, 409, 409] },
  },
  users: {
    list: { gets: [401, 403, 403, 403, 200] },
    search: { gets: [401, 403, 403, 403, 200] },
    setTier: { body: () => ({ userId: known.victimId, newRole: "starter" }), gets: [401, 403, 403, 403, 200] },
    remove: { path: () => `/functions/v1/admin-users?userId=${unknownId}`, gets: [401, 403, 403, 403, 404] },
    removeSecondFactor: {
      path: () => `/functions/v1/admin-users/second-factor?userId=${unknownId}`,
      gets: [401, 403, 403, 403, 404],
    },
    get: { path: () => `/api/users/${known.victimId}`, gets: [401, 403, 403, 403, 200] },
    audit: { path: () => `/api/users/${known.victimId}/audit`, gets: [401, 403, 403, 403, 200] },
    endSession: { path: () => `/api/users/${known.victimId}/sessions/${unknownId}`, gets: [401, 403, 403, 403, 404] },
    endSessions: { path: () => `/api/users/${unknownId}/sessions`, gets: [401, 403, 403, 403, 404] },
    grant: {
      path: () => `/api/users/${unknownId}/grant`,
      body: () => ({ package_type: "starter", reason: "Gift" }),
      gets: [401, 403, 403, 403, 404],
    },
    addNote: {
      path: () => `/api/users/${known.victimId}/notes`,
      body: () => ({ text: "Called" }),
      gets: [401, 403, 403, 403, 201],
    },
    updateNote: {
      path: () => `/api/users/${known.victimId}/notes/${unknownId}`,
      body: () => ({ text: "Called" }),
      gets: [401, 403, 403, 403, 404],
    },
    removeNote: { path: () => `/api/users/${known.victimId}/notes/${unknownId}`, gets: [401, 403, 403, 403, 404] },
  },
  videos: {
    list: { gets: [401, 403, 200, 200, 200] },
    create: { body: () => video, gets: [401, 403, 403, 403, 201] },
    update: {
      path: () => `/api/videos/${known.lockedVideoId}`,
      body: () => ({ order_index: 2 }),
      gets: [401, 403, 403, 403, 200],
    },
    remove: { path: () => `/api/videos/${unknownId}`, gets: [401, 403, 403, 403, 404] },
    updateSelected: {
      body: () => ({ ids: [known.lockedVideoId], changes: { package_type: "advanced" } }),
      gets: [401, 403, 403, 403, 200],
    },
    removeSelected: { body: () => ({ ids: [unknownId] }), gets: [401, 403, 403, 403, 404] },
    play: { path: () => `/api/videos/${known.lockedVideoId}/play`, gets: [401, 403, 403, 403, 200] },
    saveProgress: {
      path: () => `/api/videos/${known.lockedVideoId}/progress`,
      body: () => ({ position_seconds: 1, duration_seconds: 60 }),
      gets: [401, 403, 403, 403, 200],
    },
  },
  statistics: {
    videos: { gets: [401, 403, 403, 403, 200] },
    notBegun: { gets: [401, 403, 403, 403, 200] },
  },
  modules: {
    order: { body: () => ({ modules: ["Unknown"] }), gets: [401, 403, 403, 403, 409] },
    orderVideos: {
      path: () => "/api/modules/Unknown/videos",
      body: () => ({ ids: [unknownId] }),
      gets: [401, 403, 403, 403, 409],
    },
    rename: { path: () => "/api/modules/Unknown", body: () => ({ name: "M" }), gets: [401, 403, 403, 403, 404] },
  },
  materials: {
    saveCaptions: {
      path: () => `/api/videos/${known.lockedVideoId}/captions`,
      body: captionForm,
      gets: [401, 403, 403, 403, 201],
    },
    removeCaptions: { path: () => `/api/videos/${known.lockedVideoId}/captions/th`, gets: [401, 403, 403, 403, 404] },
    addAttachment: {
      path: () => `/api/videos/${known.lockedVideoId}/attachments`,
      body: () => ({ upload_id: unknownId }),
      gets: [401, 403, 403, 403, 404],
    },
    removeAttachment: {
      path: () => `/api/videos/${known.lockedVideoId}/attachments/${unknownId}`,
      gets: [401, 403, 403, 403, 404],
    },
    openAttachment: {
      path: () => `/api/videos/${known.lockedVideoId}/attachments/${known.attachmentId}/open`,
      gets: [401, 403, 403, 403, 200],
    },
    savePoster: { path: () => `/api/videos/${known.lockedVideoId}/poster`, body: posterForm, gets: [401, 403, 403, 403, 200] },
    removePoster: { path: () => `/api/videos/${unknownId}/poster`, gets: [401, 403, 403, 403, 404] },
  },
  environment: { list: { gets: [401, 403, 403, 403, 200] } },
  testMail: {
    send: { body: () => ({ to: "admin" }), gets: [401, 403, 403, 403, 201] },
    read: { path: () => "/api/test-mail/1000000", gets: [401, 403, 403, 403, 404] },
  },
  coupons: {
    list: { gets: [401, 403, 403, 403, 200] },
    create: { body: () => ({}), gets: [401, 403, 403, 403, 400] },
    update: { path: () => "/api/coupons/NONE", body: () => ({ active: true }), gets: [401, 403, 403, 403, 404] },
    remove: { path: () => "/api/coupons/NONE", gets: [401, 403, 403, 403, 404] },
  },
  walletSettings: {
    get: { gets: [401, 403, 403, 403, 200] },
    put: { body: () => ({}), gets: [401, 403, 403, 403, 400] },
    cryptoPrice: { path: () => "/api/crypto-price/bitcoin", gets: [401, 403, 403, 403, 200] },
  },
  coinPrices: {
    list: { gets: [401, 403, 403, 403, 200] },
    fetch: { gets: [401, 403, 403, 403, 200] },
    set: { path: () => "/api/coin-prices/bitcoin", body: () => ({}), gets: [401, 403, 403, 403, 400] },
    setBounds: { path: () => "/api/coin-prices/bitcoin/bounds", body: () => ({}), gets: [401, 403, 403, 403, 200] },
  },
  guard: {
    changes: { gets: [401, 403, 403, 403, 200] },
    openQuotes: { gets: [401, 403, 403, 403, 200] },
    voidQuotes: { gets: [401, 403, 403, 403, 200] },
    previewUndo: { body: () => ({ token: "none" }), gets: [403, 403, 403, 403, 403] },
    undo: { body: () => ({ token: "none" }), gets: [403, 403, 403, 403, 403] },
  },
  quotes: {
    state: { path: () => `/api/quotes/${unknownId}`, gets: [401, 403, 404, 404, 403] },
    create: { body: () => ({ package_type: "starter" }), gets: [401, 403, 409, 201, 403] },
    launchOffer: { gets: [401, 403, 200, 200, 403] },
    upgradeOffer: { gets: [401, 403, 200, 200, 403] },
  },
  paymentRequests: {
    submit: { body: () => ({}), gets: [401, 403, 400, 400, 403] },
    resubmit: { path: () => `/api/payment-requests/${unknownId}/resubmit`, gets: [401, 403, 400, 400, 403] },
    list: { gets: [401, 403, 403, 403, 200] },
    counts: { gets: [401, 403, 403, 403, 200] },
    mine: { gets: [401, 403, 200, 200, 200] },
    get: { path: () => `/api/payment-requests/${known.paymentRequestId}`, gets: [401, 403, 403, 403, 200] },
    check: { path: () => `/api/payment-requests/${known.paymentRequestId}/check`, gets: [401, 403, 403, 403, 200] },
    approve: { path: () => `/api/payment-requests/${unknownId}/approve`, gets: [401, 403, 403, 403, 404] },
    reject: {
      path: () => `/api/payment-requests/${unknownId}/reject`,
      body: () => ({ reason: "No" }),
      gets: [401, 403, 403, 403, 404],
    },
    reopen: {
      path: () => `/api/payment-requests/${unknownId}/reopen`,
      body: () => ({ reason: "No" }),
      gets: [401, 403, 403, 403, 404],
    },
    askRest: {
      path: () => `/api/payment-requests/${unknownId}/ask-rest`,
      body: () => ({ amount_received: "1" }),
      gets: [401, 403, 403, 403, 404],
    },
    payRest: {
      path: () => `/api/payment-requests/${unknownId}/rest`,
      body: () => ({ upload_id: unknownId }),
      gets: [401, 403, 400, 400, 403],
    },
    screenshot: { path: () => `/api/payment-requests/${known.paymentRequestId}/screenshot`, gets: [401, 403, 200, 404, 200] },
    receipt: { path: () => `/api/payment-requests/${known.approvedRequestId}/receipt`, gets: [401, 403, 200, 404, 200] },
    seeApproval: { path: () => `/api/payment-requests/${known.approvedRequestId}/seen`, gets: [401, 403, 200, 404, 403] },
    approvalTime: { gets: [401, 403, 200, 200, 200] },
  },
  rejectionReasons: {
    get: { gets: [401, 403, 403, 403, 200] },
    put: { body: () => ({ reasons: ["No payment."] }), gets: [401, 403, 403, 403, 200] },
  },
  liveSessions: {
    list: { gets: [401, 403, 200, 200, 200] },
    create: { body: () => ({}), gets: [401, 403, 403, 403, 400] },
    update: {
      path: () => `/api/live-sessions/${unknownId}`,
      body: () => ({ title: "T" }),
      gets: [401, 403, 403, 403, 404],
    },
    remove: { path: () => `/api/live-sessions/${unknownId}`, gets: [401, 403, 403, 403, 404] },
    occurrences: { gets: [401, 403, 200, 200, 200] },
    changeOccurrence: {
      path: () => `/api/live-sessions/occurrences/${unknownId}`,
      body: () => ({ cancelled: true }),
      gets: [401, 403, 403, 403, 404],
    },
    join: { path: () => `/api/live-sessions/occurrences/${unknownId}/join`, gets: [401, 403, 403, 403, 404] },
    calendarLink: { gets: [401, 403, 403, 403, 200] },
    renewCalendarLink: { gets: [401, 403, 403, 403, 200] },
  },
  overview: {
    stats: { gets: [401, 403, 403, 403, 200] },
    setup: { gets: [401, 403, 403, 403, 200] },
    closeSetup: { gets: [401, 403, 403, 403, 200] },
    sampleCourse: { gets: [401, 403, 403, 403, 200] },
    removeSampleCourse: { gets: [401, 403, 403, 403, 200] },
  },
  mailFailures: {
    list: { gets: [401, 403, 403, 403, 200] },
    sendAgain: { path: () => "/api/mail-failures/999999/send-again", gets: [401, 403, 403, 403, 404] },
    dismiss: { path: () => "/api/mail-failures/999999", gets: [401, 403, 403, 403, 404] },
  },
  mailChoices: {
    get: { gets: [401, 403, 200, 200, 403] },
    put: { body: () => ({ news: true }), gets: [401, 403, 200, 200, 403] },
  },
  playback: { sharing: { gets: [401, 403, 403, 403, 200] } },
  news: {
    list: { gets: [401, 403, 200, 200, 200] },
    reach: { gets: [401, 403, 403, 403, 200] },
    publish: { body: () => ({}), gets: [401, 403, 403, 403, 400] },
    update: { path: () => `/api/news/${unknownId}`, body: () => ({ title: "T" }), gets: [401, 403, 403, 403, 404] },
    remove: { path: () => `/api/news/${unknownId}`, gets: [401, 403, 403, 403, 404] },
    see: { path: () => `/api/news/${unknownId}/seen`, gets: [401, 403, 404, 404, 403] },
  },
  audit: { list: { gets: [401, 403, 403, 403, 200] } },
  exports: { link: { path: () => "/api/export/users/link", body: () => ({ filters: {} }), gets: [401, 403, 403, 403, 200] } },
});
