// Over 250 lines: the one catalogue, a line or two for each error.
/**
 * The one catalogue of error texts (TEXT-2). Quoted texts stand here exactly as quoted (TEXT-1); the others are ours, in the
 * same tone. Keys are the stable `code` of an answer.
 */
export const errors = {
  // Quoted (TEXT-1)
  backend_not_configured: { status: 503, text: "Supabase configuration is missing. Please set up your environment variables." },
  auth_unreachable: {
    status: 503,
    text: "Unable to connect to authentication service. Please check your internet connection and try again.",
  },
  unexpected: { status: 500, text: "An unexpected error occurred. Please try again." },
  verification_failed: { status: 500, text: "Verification failed. Please try again." },
  verification_code_invalid: { status: 400, text: "Invalid or expired verification code" },
  verification_code_incomplete: { status: 400, text: "Please enter the complete 6-digit code" },
  verification_email_failed: { status: 500, text: "Failed to send verification email" },
  resend_failed: { status: 500, text: "Failed to resend code. Please try again." },
  email_reserved: {
    status: 422,
    text: "This email is reserved for admin access. Please use the login form instead.",
  },
  dashboard_load_failed: { status: 500, text: "Failed to load dashboard data" },
  no_session: { status: 401, text: "No session found" },
  users_fetch_failed: { status: 500, text: "Failed to fetch users" },
  user_role_update_failed: { status: 500, text: "Failed to update user role" },
  user_delete_failed: { status: 500, text: "Failed to delete user" },
  bitcoin_price_failed: { status: 503, text: "Failed to fetch Bitcoin price" },
  ethereum_price_failed: { status: 503, text: "Failed to fetch Ethereum price" },
  video_source_missing: { status: 400, text: "Please either upload a video file or provide a video URL" },
  video_type_invalid: { status: 415, text: "Please upload a video file" },
  video_too_large: { status: 413, text: "Video file size must be less than 5GB" },
  payment_info_failed: { status: 500, text: "Failed to load payment information" },
  coupon_empty: { status: 400, text: "Please enter a coupon code" },
  coupon_invalid: { status: 400, text: "Invalid or expired coupon code" },
  coupon_lookup_failed: { status: 500, text: "Failed to validate coupon code" },
  coupon_invalid_demo: { status: 400, text: "Invalid coupon code" },
  screenshot_type_invalid: { status: 415, text: "Please upload an image file" },
  screenshot_too_large: { status: 413, text: "File size must be less than 5GB" },
  screenshot_missing: { status: 400, text: "Please upload a payment screenshot" },
  payment_submit_failed: { status: 500, text: "Failed to submit payment request" },
  // Ours: requests and access
  invalid_input: { status: 400, text: "Some of what was sent is not valid. Please check it and try again." },
  not_signed_in: { status: 401, text: "Please sign in to continue." },
  not_allowed: { status: 403, text: "You do not have access to this." },
  email_not_verified: { status: 403, text: "Please verify your email address first." },
  not_found: { status: 404, text: "Not found." },
  request_timed_out: { status: 408, text: "The request took too long to arrive. Please try again." },
  range_not_satisfiable: { status: 416, text: "The file has no such part." },
  headers_too_large: { status: 431, text: "The headers of this request are too large." },
  method_not_allowed: { status: 405, text: "This is not possible here." },
  too_many_requests: { status: 429, text: "Too many attempts. Please wait a moment and try again." },
  body_type_invalid: { status: 415, text: "This kind of content is not accepted here." },
  body_too_large: { status: 413, text: "What was sent is too large." },
  unavailable: { status: 503, text: "The service is not available right now. Please try again in a moment." },
  offline: { status: 503, text: "There was no connection. Please try again once you are online." },
  part_not_loaded: {
    status: 503,
    text: "A part of this page could not be loaded. Please try again. If that does not help, copy what you have typed and reload the page.",
  },
  // Ours: accounts
  credentials_invalid: { status: 400, text: "Invalid login credentials" },
  email_invalid: { status: 422, text: "Please enter a valid email address." },
  email_same: { status: 422, text: "This is your present email address already." },
  full_name_missing: { status: 422, text: "Please enter your full name." },
  full_name_invalid: {
    status: 422,
    text: "Please use at most 100 characters for your name, at least one of them a letter or a digit, and none of them invisible.",
  },
  password_too_long: { status: 422, text: "Your password is too long. Please use at most 256 characters." },
  password_weak: {
    status: 422,
    text: "Please choose a stronger password: at least 8 characters, not easy to guess, and not your name, your email or this site's name.",
  },
  password_same: { status: 422, text: "The new password must differ from the old one." },
  refresh_token_invalid: { status: 400, text: "Invalid Refresh Token" },
  recovery_link_invalid: { status: 403, text: "This link is invalid or has expired. Please request a new one." },
  code_resend_too_soon: { status: 429, text: "Please wait before requesting another code." },
  email_already_verified: { status: 409, text: "Your email address is already verified." },
  password_confirmation_wrong: { status: 403, text: "Your current password is not correct." },
  second_factor_needed: { status: 403, text: "Please enter the code from your authenticator app first." },
  second_factor_code_invalid: { status: 422, text: "This code is not correct, or it was used before." },
  second_factor_challenge_expired: { status: 422, text: "This took too long or too many tries. Please start again." },
  second_factor_not_found: { status: 404, text: "This second factor does not exist." },
  second_factor_exists: { status: 422, text: "Your account already has a second factor. Turn it off first to set up another." },
  step_up_needed: { status: 403, text: "Please confirm that it is you." },
  session_ended: { status: 404, text: "This session has already ended." },
  phone_unsupported: { status: 422, text: "Accounts have no phone number here." },
  admin_email_fixed: { status: 409, text: "The admin's email address is set on the server, as ADMIN_EMAIL." },
  // Ours: mails
  mailbox_token_needed: { status: 401, text: "Please open the mailbox with the link that was printed when the site started." },
  mail_failure_not_found: { status: 404, text: "This mail is no longer in the list of failed mails." },
  mail_expired: { status: 409, text: "This mail cannot be sent again: its code or link has expired." },
  alert_email_missing: { status: 409, text: "There is no alert email. Save one in the wallet settings first." },
  unsubscribe_link_invalid: {
    status: 400,
    text: "This link is not complete. Open it from the mail again, or choose your mails on your account page.",
  },
  // Ours: the guard on destinations
  undo_link_invalid: { status: 403, text: "This link is not complete. Please open it from the mail again." },
  undo_link_expired: {
    status: 403,
    text: "This link has expired: changes can be undone for 72 hours. Sign in as the admin to change the settings.",
  },
  undo_link_used: { status: 409, text: "This change has been undone already." },
  undo_nothing_left: {
    status: 409,
    text: "There is nothing to undo: these settings have since been changed back or to something else.",
  },
  wallet_settings_changed: {
    status: 409,
    text: "An address, an account or the alert email was changed elsewhere meanwhile. Please look at the settings and save again.",
  },
  // Ours: news
  news_not_found: { status: 404, text: "This announcement no longer exists." },
  mail_origin_unknown: {
    status: 409,
    text: "Mails need links to this site. Set PUBLIC_URL on the server, or publish without mail.",
  },
  // Ours: users
  user_not_found: { status: 404, text: "This user no longer exists." },
  user_not_verified: { status: 409, text: "This student has not verified the e-mail address yet." },
  user_owns_package: { status: 409, text: "This student already has this package, or a better one." },
  user_note_not_found: { status: 404, text: "This note no longer exists." },
  tier_changed: { status: 409, text: "The package of this student was changed meanwhile. Please look at it again." },
  admin_account_fixed: { status: 409, text: "The admin account cannot be changed here." },
  downgrade_unconfirmed: {
    status: 409,
    text: "This student already has the Advanced package. Approving would lower it to Starter. Please confirm.",
  },
  // Ours: videos
  video_not_found: { status: 404, text: "This video no longer exists." },
  video_locked: { status: 403, text: "Your package does not include this video." },
  playing_elsewhere: { status: 403, text: "Another device is now playing with this account, so the film has stopped here." },
  video_url_invalid: { status: 400, text: "Please enter a web address that starts with https:// or http://" },
  order_repeats: { status: 400, text: "An order can contain each entry only once." },
  order_outdated: { status: 409, text: "The course has changed in the meantime. Please look at its order and try again." },
  module_not_found: { status: 404, text: "This module no longer exists." },
  module_exists: { status: 409, text: "Another module has this name. Merge the two, or choose another name." },
  film_unplayable: { status: 415, text: "This film does not play in this browser. Please try again, or use another one." },
  // Ours: captions, attachments and posters
  captions_file_missing: { status: 400, text: "Please choose a caption file." },
  captions_too_large: { status: 413, text: "Captions must be smaller than 1 MB." },
  captions_encoding: { status: 400, text: "This caption file is not UTF-8 text. Please save it as UTF-8 and choose it again." },
  captions_empty: { status: 400, text: "This file has no captions." },
  captions_too_many: { status: 400, text: "Captions have at most 20,000 cues." },
  captions_line_signature: {
    status: 400,
    text: "Line 1: a WebVTT file begins with WEBVTT. Please choose a .vtt or .srt file.",
  },
  captions_line_time: {
    status: 400,
    text: "Line 1: here a cue needs its times, as in 00:01:02.500 --> 00:01:05.000.",
  },
  captions_line_end: { status: 400, text: "Line 1: a cue must end after it starts." },
  captions_line_order: { status: 400, text: "Line 1: a cue must not start before the one above it." },
  captions_line_gap: { status: 400, text: "Line 1: please leave an empty line before the times of a cue." },
  captions_not_found: { status: 404, text: "This lesson has no captions in this language." },
  captions_full: { status: 409, text: "A lesson has captions in at most 20 languages." },
  attachment_type_invalid: {
    status: 415,
    text: "Please choose a PDF, XLSX, CSV, TXT, ZIP, an image or an indicator (pine, mq4, mq5, ex4, ex5) that is what its name says.",
  },
  attachment_too_large: { status: 413, text: "An attachment must be smaller than 5GB" },
  attachment_not_found: { status: 404, text: "This attachment no longer exists." },
  attachments_full: { status: 409, text: "A lesson has at most 20 attachments." },
  poster_invalid: {
    status: 400,
    text: "This picture cannot be read. Please choose a PNG, JPEG, WebP, AVIF or GIF of at most 100 megapixels.",
  },
  poster_too_large: { status: 413, text: "A picture must be smaller than 10 MB." },
  poster_not_found: { status: 404, text: "This lesson has no poster." },
  // Ours: uploads
  insufficient_storage: {
    status: 503,
    text: "There is not enough space left on the server right now. Please try again later.",
  },
  uploads_unfinished: {
    status: 429,
    text: "You have too many uploads that are not finished or not submitted. Please finish, submit or cancel one, or try again later.",
  },
  upload_part_type_invalid: { status: 415, text: "A part of an upload must be sent as application/offset+octet-stream." },
  upload_not_found: { status: 404, text: "This upload does not exist or is not complete." },
  upload_used: { status: 409, text: "This file is already in use." },
  upload_moved_on: { status: 409, text: "This upload was continued or ended by another request. Please try again." },
  upload_protocol_unknown: { status: 412, text: "This way of uploading is not supported." },
  file_empty: { status: 400, text: "This file is empty." },
  file_unreadable: { status: 400, text: "This file cannot be read any more. Please choose it again." },
  // Ours: links to files
  link_invalid: { status: 403, text: "This link is invalid or has expired." },
  link_other_browser: { status: 403, text: "This link was made for another browser. Open the lesson from your dashboard." },
  account_deleted: { status: 403, text: "This account no longer exists." },
  file_damaged: { status: 500, text: "This file is missing or damaged on the server. Please tell the operator." },
  // Ours: live sessions
  live_session_not_found: { status: 404, text: "This live session no longer exists." },
  live_session_locked: { status: 403, text: "Live sessions are part of the Advanced package." },
  live_session_closed: { status: 409, text: "You can join from 15 minutes before the start until the end." },
  live_session_in_past: { status: 400, text: "Please choose a time that has not passed yet." },
  live_session_begun: { status: 409, text: "This live session has begun or is over, so it cannot be cancelled or moved." },
  live_session_unplanned: {
    status: 409,
    text: "The day it was moved from is no longer in the plan. Please move it to another day, or cancel it.",
  },
  live_session_not_begun: { status: 409, text: "A recording can be added once the live session has begun." },
  live_session_ends_early: { status: 400, text: "Please choose a last day that is not before the first one." },
  // Ours: payments
  coupon_exists: { status: 409, text: "A coupon with this code already exists." },
  coupon_other_package: { status: 400, text: "This coupon code is for the other package." },
  coupon_used_up: { status: 409, text: "This coupon code has been used up." },
  quote_not_found: { status: 404, text: "This quote no longer exists. Please reload the page." },
  quote_expired: { status: 409, text: "This quote has expired. Please check the new amounts before you submit." },
  quote_void: {
    status: 409,
    text: "This quote was ended because the payment details changed. Please check the new ones before you submit.",
  },
  quote_used: { status: 409, text: "A payment request was already submitted with this quote." },
  method_unavailable: { status: 409, text: "This payment method is not available right now. Please choose another one." },
  payment_details_changed: {
    status: 409,
    text: "The payment details changed while the screenshot was uploading. Please check them and submit again.",
  },
  submit_unanswered: {
    status: 503,
    text: "The connection was lost before the answer came. Please submit again: your request is never stored twice.",
  },
  payment_request_open: {
    status: 409,
    text: "You already have a payment request for this package that is waiting for approval.",
  },
  package_owned: {
    status: 409,
    text: "You already have everything in this package, or a better one. There is nothing to pay.",
  },
  method_missing: { status: 400, text: "Please choose a payment method." },
  nothing_to_pay: {
    status: 409,
    text: "There was nothing to pay for this request, so it takes no screenshot and no reference.",
  },
  screenshot_none: { status: 404, text: "There was nothing to pay for this request, so it has no screenshot." },
  screenshot_shape_invalid: {
    status: 400,
    text: "Please upload an image of at most 100 megapixels, 20,000 pixels a side, and 50 times as long as wide.",
  },
  screenshot_too_complex: { status: 400, text: "This image could not be checked. Please upload a smaller one." },
  payment_request_not_rejected: { status: 409, text: "Only a rejected payment request can be submitted again." },
  payment_request_resubmitted: { status: 409, text: "This payment request was already submitted again." },
  payment_request_not_found: { status: 404, text: "This payment request does not exist." },
  receipt_not_found: { status: 404, text: "There is a receipt once the payment is approved." },
  payment_request_decided: { status: 409, text: "This payment request was already decided." },
  payment_request_own: { status: 409, text: "You made this payment request yourself, so you cannot approve it." },
  idempotency_key_missing: { status: 400, text: "The Idempotency-Key header is missing." },
  idempotency_key_reused: { status: 409, text: "This Idempotency-Key was used for a different request." },
  reference_invalid: { status: 400, text: "This is not a transaction reference of the chosen payment method." },
  reference_approved: { status: 409, text: "Another payment request with this transaction reference was already approved." },
  consent_missing: { status: 400, text: "Please confirm that you have read the no-refund policy and the risk disclaimer." },
  amount_received_invalid: {
    status: 400,
    text: "Please enter what has arrived, in the currency of the payment: less than the amount due.",
  },
  amount_received_unreadable: {
    status: 400,
    text: "Please enter what has arrived as a number in the currency of the payment, such as 1250.50.",
  },
  rest_amount_invalid: {
    status: 400,
    text: "Please enter what has arrived, in the currency of the payment: more than 0 and less than the amount due.",
  },
  rest_asked: { status: 409, text: "The rest of this payment was already asked for. The student has not sent it yet." },
  rest_destination_changed: {
    status: 409,
    text: "The payment details have changed since this page was opened. Nothing was submitted. Please check the new ones; if you have already paid by the former ones, say so and submit again.",
  },
  rest_not_asked: { status: 409, text: "No further part of this payment is asked for right now." },
  reference_repeated: {
    status: 409,
    text: "This is the reference of a transaction you have sent before. Please enter the one of the new transaction.",
  },
  reason_missing: { status: 400, text: "Please give a reason for the rejection." },
  reopen_reason_missing: { status: 400, text: "Please give a reason for reopening the request." },
  payment_request_not_decided: {
    status: 409,
    text: "This payment request is waiting for a decision, so there is nothing to reopen.",
  },
  payment_request_decided_again: {
    status: 409,
    text: "This payment request has been decided again in the meantime, and that decision stands.",
  },
  payment_request_other_open: {
    status: 409,
    text: "The student has another request for this package that is waiting. Decide that one first.",
  },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof errors;

/** An error of the catalogue, where its code has a status and a text. */
export class ProductError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Seconds to wait, for the `Retry-After` header. */
  readonly retryAfter: number | undefined;
  /** Whether the text is another than the catalogue's. */
  readonly hasOwnText: boolean;
  /** The account that was refused or attacked, for the operator's log. */
  readonly accountId: string | undefined;

  /** `details.cause` is what the operator's log says beside the text. */
  constructor(
    code: ErrorCode,
    details: { text?: string; retryAfter?: number; cause?: Error; accountId?: string | undefined } = {},
  ) {
    super(details.text ?? errors[code].text, { cause: details.cause });
    this.name = "ProductError";
    this.code = code;
    this.status = errors[code].status;
    this.retryAfter = details.retryAfter;
    this.hasOwnText = details.text !== undefined;
    this.accountId = details.accountId;
  }
}
