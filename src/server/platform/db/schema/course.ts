import { boolean, date, doublePrecision, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { newsAudiences } from "#domain/news";
import { videoPackageTypes } from "#domain/video-access";
import { bytes, timestamptz } from "./columns.ts";

export const videos = pgTable("videos", {
  id: uuid().primaryKey().defaultRandom(),
  title: text().notNull(),
  description: text().notNull(),
  video_url: text(),
  object_id: uuid(),
  module: text().notNull(),
  order_index: integer().notNull(),
  package_type: text({ enum: videoPackageTypes }).notNull(),
  created_at: timestamptz("created_at").notNull(),
  poster_object_id: uuid(),
  idempotency_key: text(),
  idempotency_sha256: bytes(),
});

export const videoCaptions = pgTable(
  "video_captions",
  {
    video_id: uuid().notNull(),
    language: text().notNull(),
    label: text().notNull(),
    object_id: uuid().notNull(),
  },
  ({ video_id, language }) => [primaryKey({ columns: [video_id, language] })],
);

export const videoAttachments = pgTable("video_attachments", {
  id: uuid().primaryKey().defaultRandom(),
  video_id: uuid().notNull(),
  object_id: uuid().notNull(),
  created_at: timestamptz("created_at").notNull(),
});

export const moduleOrder = pgTable("module_order", {
  module: text().primaryKey(),
  position: integer().notNull(),
});

export const videoProgress = pgTable(
  "video_progress",
  {
    account_id: uuid().notNull(),
    video_id: uuid().notNull(),
    position_seconds: doublePrecision().notNull(),
    furthest_seconds: doublePrecision().notNull(),
    duration_seconds: doublePrecision().notNull(),
    done: boolean().notNull(),
    done_at: timestamptz("done_at"),
    started_at: timestamptz("started_at").notNull(),
    updated_at: timestamptz("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.video_id] })],
);

export const liveSessions = pgTable("live_sessions", {
  id: uuid().primaryKey().defaultRandom(),
  title: text().notNull(),
  description: text().notNull(),
  join_url: text().notNull(),
  date: date().notNull(),
  time: text().notNull(),
  time_zone: text().notNull(),
  duration_minutes: integer().notNull(),
  weekly: boolean().notNull(),
  ends_on: date(),
  planned_until: date().notNull(),
  sequence: integer().notNull().default(0),
  created_at: timestamptz("created_at").notNull(),
  updated_at: timestamptz("updated_at").notNull(),
  idempotency_key: text(),
  idempotency_sha256: bytes(),
});

export const liveOccurrences = pgTable("live_occurrences", {
  id: uuid().primaryKey().defaultRandom(),
  session_id: uuid().notNull(),
  date: date().notNull(),
  starts_at: timestamptz("starts_at").notNull(),
  ends_at: timestamptz("ends_at").notNull(),
  moved: boolean().notNull().default(false),
  cancelled: boolean().notNull().default(false),
  video_id: uuid(),
  sequence: integer().notNull().default(0),
  updated_at: timestamptz("updated_at").notNull(),
});

export const courseVersion = pgTable("course_version", {
  id: integer().primaryKey().default(1),
  version: uuid().notNull().defaultRandom(),
});

export const liveReminders = pgTable(
  "live_reminders",
  {
    occurrence_id: uuid().notNull(),
    account_id: uuid().notNull(),
    starts_at: timestamptz("starts_at").notNull(),
    remind_again: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.occurrence_id, table.account_id] })],
);

export const calendarLinks = pgTable("calendar_links", {
  account_id: uuid().primaryKey(),
  version: integer().notNull(),
  renewed_at: timestamptz("renewed_at").notNull(),
});

export const playingSessions = pgTable("playing_sessions", {
  session_id: uuid().primaryKey(),
  account_id: uuid().notNull(),
  played_at: timestamptz("played_at").notNull(),
  displaced_at: timestamptz("displaced_at"),
});

export const playingDays = pgTable(
  "playing_days",
  {
    account_id: uuid().notNull(),
    day: date().notNull(),
    network_hash: bytes().notNull(),
    device_hash: bytes().notNull(),
    displaced: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.day, table.network_hash, table.device_hash] })],
);

export const news = pgTable("news", {
  id: uuid().primaryKey().defaultRandom(),
  title: text().notNull(),
  body: text().notNull(),
  audience: text({ enum: newsAudiences }).notNull(),
  published_at: timestamptz("published_at").notNull(),
  edited_at: timestamptz("edited_at"),
  idempotency_key: text().notNull(),
  idempotency_sha256: bytes(),
});

export const newsReads = pgTable(
  "news_reads",
  { account_id: uuid().notNull(), news_id: uuid().notNull(), read_at: timestamptz("read_at").notNull() },
  (table) => [primaryKey({ columns: [table.account_id, table.news_id] })],
);

export const newsMailings = pgTable("news_mailings", {
  news_id: uuid().primaryKey(),
  origin: text().notNull(),
  started_at: timestamptz("started_at").notNull(),
  last_account_id: uuid(),
  mails: integer().notNull().default(0),
  finished_at: timestamptz("finished_at"),
});
