import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import type { LikenessKind, ScreenshotVerdict } from "#domain/payment-request";
import { isSamePicture } from "#domain/picture-likeness";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import * as queries from "./likeness-queries.ts";
import { shownAsMatch } from "./shown.ts";

/** More than the admin is ever shown; a file that is sent again and again must not fill the table. */
const mostLikenesses = 20;

/** How many likely copies are looked at closely. */
const mostLikelyCopies = 200;

/** Stores what a screenshot is, and which earlier ones are the same file or the same picture. Not to be run twice for one object. */
export async function rememberFingerprint(tx: Transaction, objectId: string, fingerprint: queries.Fingerprint): Promise<void> {
  await queries.waitForTurn(tx);
  await queries.insertFingerprint(tx, objectId, fingerprint);
  await queries.insertLikenesses(tx, objectId, await likenessesOf(tx, objectId, fingerprint));
}

/**
 * Looks again, once a payment request has the screenshot, for those that other requests have: of many like it that nothing used
 * when it came, any may have been left out. One that is like nothing waits for nobody.
 */
export async function rememberUsedLikenesses(tx: Transaction, objectId: string): Promise<void> {
  if (!(await queries.hasLikeness(tx, objectId))) return;
  const fingerprint = await queries.findFingerprint(tx, objectId);
  if (!fingerprint) return;
  await queries.waitForTurn(tx);
  const found = await likenessesOf(tx, objectId, fingerprint);
  await queries.insertLikenesses(
    tx,
    objectId,
    found.filter(({ isUsed }) => isUsed),
  );
}

/** The other requests with the same screenshot, and what that says in one word. */
export type ScreenshotComparison = Pick<ReviewedPaymentRequest, "screenshot_matches" | "screenshot_verdict">;

/** Returns the requests with their comparisons, by two queries for all of them. */
export async function withScreenshotComparisons(
  connection: Connection,
  requests: ReviewedPaymentRequest[],
): Promise<ReviewedPaymentRequest[]> {
  const ids = requests.map(({ id }) => id);
  const matches = await queries.matchesOf(connection, ids);
  const comparable = await queries.findComparable(connection, ids);
  return requests.map((request) => ({
    ...request,
    ...comparisonOf(matches.get(request.id) ?? [], comparable.has(request.id)),
  }));
}

/** Returns the comparison of one request's screenshot. */
export async function screenshotComparison(connection: Connection, requestId: string): Promise<ScreenshotComparison> {
  const matches = await queries.matchesOf(connection, [requestId]);
  const comparable = await queries.findComparable(connection, [requestId]);
  return comparisonOf(matches.get(requestId) ?? [], comparable.has(requestId));
}

function comparisonOf(matches: queries.MatchRow[], isComparable: boolean): ScreenshotComparison {
  return { screenshot_matches: matches.map(shownAsMatch), screenshot_verdict: verdictOf(matches, isComparable) };
}

function verdictOf(matches: queries.MatchRow[], isComparable: boolean): ScreenshotVerdict {
  if (matches.some(({ kind }) => kind === "same_file")) return "same_file";
  if (matches.length > 0) return "similar";
  return isComparable ? "new" : "not_compared";
}

interface Found {
  id: string;
  kind: LikenessKind;
  isUsed: boolean;
}

async function likenessesOf(tx: Transaction, objectId: string, fingerprint: queries.Fingerprint): Promise<Found[]> {
  const files = await queries.sameFiles(tx, objectId, fingerprint.sha256, mostLikenesses);
  const known = new Set(files.map(({ id }) => id));
  const pictures = (await copiesOf(tx, objectId, fingerprint)).filter(({ id }) => !known.has(id));
  return [...ofKind("same_file", files), ...ofKind("same_picture", pictures)].slice(0, mostLikenesses);
}

/** First those that a payment request has. */
async function copiesOf(
  tx: Transaction,
  objectId: string,
  { picture, edges, bands }: queries.Fingerprint,
): Promise<queries.Alike[]> {
  if (picture === null || edges === null || bands === null) return [];
  const likely = await queries.likelyCopies(tx, objectId, { edges, bands }, mostLikelyCopies);
  const copies = likely.filter((other) => isSamePicture(picture, other.picture));
  return copies.toSorted((one, other) => Number(other.isUsed) - Number(one.isUsed));
}

function ofKind(kind: LikenessKind, alike: queries.Alike[]): Found[] {
  return alike.map(({ id, isUsed }) => ({ id, kind, isUsed }));
}
