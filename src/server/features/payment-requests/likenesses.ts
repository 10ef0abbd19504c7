import type { ReviewedPaymentRequest, ScreenshotMatch } from "#domain/api/payment-requests";
import type { LikenessKind } from "#domain/payment-request";
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
  const files = await queries.sameFiles(tx, objectId, fingerprint.sha256, mostLikenesses);
  const pictures = (await copiesOf(tx, objectId, fingerprint)).filter((id) => !files.includes(id));
  const found = [...ofKind("same_file", files), ...ofKind("same_picture", pictures)].slice(0, mostLikenesses);
  await queries.insertLikenesses(tx, objectId, found);
}

/** Adds to each request what other requests have its screenshot, by one query for all of them. */
export async function withScreenshotMatches(
  connection: Connection,
  requests: ReviewedPaymentRequest[],
): Promise<ReviewedPaymentRequest[]> {
  const ids = requests.map(({ id }) => id);
  const matches = await queries.matchesOf(connection, ids);
  return requests.map((request) => ({ ...request, screenshot_matches: (matches.get(request.id) ?? []).map(shownAsMatch) }));
}

/** The other requests that have the screenshot of one. */
export async function screenshotMatches(connection: Connection, requestId: string): Promise<ScreenshotMatch[]> {
  return ((await queries.matchesOf(connection, [requestId])).get(requestId) ?? []).map(shownAsMatch);
}

/** First those that a payment request has. */
async function copiesOf(tx: Transaction, objectId: string, { picture, edges, bands }: queries.Fingerprint): Promise<string[]> {
  if (picture === null || edges === null || bands === null) return [];
  const likely = await queries.likelyCopies(tx, objectId, { edges, bands }, mostLikelyCopies);
  const copies = likely.filter((other) => isSamePicture(picture, other.picture));
  return copies.toSorted((one, other) => Number(other.isUsed) - Number(one.isUsed)).map(({ id }) => id);
}

function ofKind(kind: LikenessKind, ids: string[]): { id: string; kind: LikenessKind }[] {
  return ids.map((id) => ({ id, kind }));
}
