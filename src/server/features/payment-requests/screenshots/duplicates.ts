import { isSamePicture, sampleOf, type Picture } from "#domain/payments/perceptual-fingerprint";
import type { ScreenshotVerdict } from "#domain/evidence/screenshot";
import type { DuplicateKind } from "#domain/payments/payment-request";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { together } from "../../../platform/db/together.ts";
import type { OwnProof } from "../evidence/own-proofs.ts";
import { findAllComparable, findAllMatches, type MatchRow } from "./match-queries.ts";
import * as queries from "./queries.ts";

/** Duplicates stored for each screenshot: more than the admin sees, few enough that one file sent many times does not fill the table. */
const maxStoredDuplicates = 20;

/** Screenshots whose pictures are compared cell by cell. */
// Stryker disable next-line Limit: one more takes time alone.
const maxComparedPictures = 200;

/** Pictures in memory at a time, of those that a sample does not tell apart; each has 18 KB. */
const picturesPerBatch = 20;

/** Stores a new screenshot's fingerprint, and which earlier ones are duplicates of it. Not to be called twice for one object. */
export async function insertFingerprintAndDuplicates(
  tx: Transaction,
  objectId: string,
  fingerprint: queries.Fingerprint,
): Promise<void> {
  await queries.lockDuplicates(tx);
  const [duplicates] = await together(
    findDuplicates(tx, objectId, fingerprint),
    queries.insertFingerprint(tx, objectId, fingerprint),
  );
  await queries.insertDuplicates(tx, objectId, duplicates);
}

/**
 * Stores those duplicates of a screenshot that belong to payment requests, once a request has the screenshot: when it was uploaded,
 * they may have been left out among many that no request had. Takes no lock when no duplicate is stored.
 */
export async function insertUsedDuplicates(tx: Transaction, objectId: string): Promise<void> {
  // Stryker disable next-line ConditionFalse: saves a lock.
  if (!(await queries.existsDuplicate(tx, objectId))) return;
  const fingerprint = await queries.findFingerprint(tx, objectId);
  // Stryker disable next-line ConditionFalse: what has a duplicate has a fingerprint.
  if (!fingerprint) return;
  await queries.lockDuplicates(tx);
  const found = await findDuplicates(tx, objectId, fingerprint);
  // Stryker disable next-line MethodExpression: saves rows of screenshots that no request has.
  const used = found.filter(({ usedAt }) => usedAt !== null);
  await queries.insertDuplicates(tx, objectId, used);
}

/** What comparing a request's screenshot with those of other requests found. */
export interface ScreenshotComparison {
  /** The approved requests first, then the oldest first. */
  matches: MatchRow[];
  verdict: ScreenshotVerdict;
}

/** Returns a function from a request's proofs to its comparison; makes two queries for those of all requests. */
export async function findComparisons(
  connection: Connection,
  proofs: readonly OwnProof[],
): Promise<(ofRequest: readonly OwnProof[]) => ScreenshotComparison> {
  const [matchesById, comparable] = await together(findAllMatches(connection, proofs), findAllComparable(connection, proofs));
  return (ofRequest) => {
    const matches = matchesById.get(ofRequest[0]!.request_id) ?? [];
    const isComparable = ofRequest.every(({ object_id }) => comparable.has(object_id));
    return { matches, verdict: verdictOf(matches, isComparable) };
  };
}

function verdictOf(matches: MatchRow[], isComparable: boolean): ScreenshotVerdict {
  if (matches.some(({ kind }) => kind === "same_file")) return "same_file";
  if (matches.length > 0) return "similar";
  return isComparable ? "new" : "not_compared";
}

interface Duplicate extends queries.OtherScreenshot {
  kind: DuplicateKind;
}

/** Returns at most `maxStoredDuplicates`: one of the same file, which the verdict needs, then those whose requests are named first (DECIDE-6). */
async function findDuplicates(tx: Transaction, objectId: string, fingerprint: queries.Fingerprint): Promise<Duplicate[]> {
  const [files, candidates] = await together(
    queries.findAllBySha256(tx, objectId, fingerprint.sha256, maxStoredDuplicates),
    findCandidates(tx, objectId, fingerprint),
  );
  const fileIds = new Set(files.map(({ id }) => id));
  const others = candidates.filter(({ id }) => !fileIds.has(id));
  const pictures = await findSamePictures(tx, others, fingerprint.picture);
  const [file, ...moreFiles] = ofKind("same_file", files);
  const further = [...moreFiles, ...ofKind("same_picture", pictures)].toSorted(asNamed);
  return [...(file ? [file] : []), ...further].slice(0, maxStoredDuplicates);
}

async function findCandidates(
  tx: Transaction,
  objectId: string,
  { edges, bands }: queries.Fingerprint,
): Promise<queries.OtherScreenshot[]> {
  // Stryker disable next-line ConditionFalse,LeftOperand,RightOperand,LogicalOperator,ArrayDeclaration: saves a query that would find nothing, as would a text that is no screenshot; both are null, or neither is.
  if (edges === null || bands === null) return [];
  return queries.findAllSimilar(tx, objectId, { edges, bands }, maxComparedPictures);
}

/** Returns at most `maxStoredDuplicates` of some screenshots that are the same picture, first those whose requests are named first. */
async function findSamePictures(
  tx: Transaction,
  candidates: queries.OtherScreenshot[],
  picture: Picture | null,
): Promise<queries.OtherScreenshot[]> {
  // Stryker disable next-line ConditionFalse,LeftOperand,RightOperand,LogicalOperator,ArrayDeclaration: saves queries that would find nothing, as would a text that is no screenshot.
  if (picture === null || candidates.length === 0) return [];
  const samples = await queries.findAllSamples(tx, idsOf(candidates));
  const sample = sampleOf(picture);
  // Stryker disable next-line MethodExpression: the sample saves reading pictures, which are compared whole below.
  const similar = candidates.filter(({ id }) => isSame(sample, samples.get(id))).toSorted(asNamed);
  const same: queries.OtherScreenshot[] = [];
  // Stryker disable next-line RightOperand,Boundary: what further rounds find is cut off.
  for (let from = 0; from < similar.length && same.length < maxStoredDuplicates; from += picturesPerBatch) {
    // Stryker disable next-line MethodExpression: saves reading pictures.
    const batch = similar.slice(from, from + picturesPerBatch);
    const pictures = await queries.findAllPictures(tx, idsOf(batch));
    same.push(...batch.filter(({ id }) => isSame(picture, pictures.get(id))));
  }
  return same.slice(0, maxStoredDuplicates);
}

/** Orders screenshots as their requests are named: the approved ones first, then the oldest. Those that no request has come last. */
function asNamed(one: queries.OtherScreenshot, other: queries.OtherScreenshot): number {
  return Number(other.isApproved) - Number(one.isApproved) || timeOf(one) - timeOf(other);
}

const timeOf = ({ usedAt }: queries.OtherScreenshot): number => usedAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

function idsOf(screenshots: queries.OtherScreenshot[]): string[] {
  return screenshots.map(({ id }) => id);
}

function isSame(picture: Picture, other: Picture | undefined): boolean {
  // Stryker disable next-line LeftOperand: a screenshot may be deleted between two queries.
  return other !== undefined && isSamePicture(picture, other);
}

function ofKind(kind: DuplicateKind, screenshots: queries.OtherScreenshot[]): Duplicate[] {
  return screenshots.map((screenshot) => ({ ...screenshot, kind }));
}
