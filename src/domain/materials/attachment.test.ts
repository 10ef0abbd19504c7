import { expect, it } from "vitest";
import {
  attachmentType,
  checkAttachmentFile,
  maxAttachmentBytes,
  maxAttachments,
  maxCaptionLanguages,
  maxPosterBytes,
} from "./attachment.ts";
import { canonicalLanguage } from "./language.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const png = bytes("\x89PNG\r\n\x1a\n");
const program = bytes("MZ\x90\0");

// FILE-14
it.each([
  ["book.pdf", bytes("%PDF-1.7"), "application/pdf"],
  ["book.PDF", bytes("\n\n%PDF-1.7"), "application/pdf"],
  ["sizes.xlsx", bytes("PK\x03\x04"), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["all.zip", bytes("PK\x03\x04"), "application/zip"],
  ["sizes.csv", bytes("a,b"), "text/csv"],
  ["pesos.csv", bytes("MZN,price"), "text/csv"],
  ["notes.txt", bytes("Read me"), "text/plain"],
  ["script.txt", bytes("#!/bin/sh"), "text/plain"],
  ["trend.pine", bytes("//@version=5"), "text/plain"],
  ["trend.mq4", bytes("#property strict"), "text/plain"],
  ["trend.mq5", bytes("\xff\xfe#\0p\0"), "text/plain"],
  ["trend.ex4", bytes("EX4\0\x01"), "application/octet-stream"],
  ["trend.ex5", bytes("EX5\0\x01"), "application/octet-stream"],
  ["chart.png", png, "image/png"],
  ["chart.jpg", png, "image/png"],
])("finds the type of %s", (filename, head, type) => expect(attachmentType(head, filename)).toBe(type));

it.each("png jpg jpeg webp gif avif heic heif bmp tif tiff".split(" "))("takes an image as a file that ends in .%s", (end) => {
  expect([attachmentType(png, `chart.${end}`), attachmentType(bytes("<svg/>"), `chart.${end}`)]).toEqual([
    "image/png",
    undefined,
  ]);
});

// FILE-14 and FILE-15
it("limits a lesson to 20 files of 100 MB, 20 languages and a picture of 10 MB", () => {
  expect([maxAttachments, maxCaptionLanguages]).toEqual([20, 20]);
  expect([maxAttachmentBytes, maxPosterBytes]).toEqual([104_857_600, 10_485_760]);
});

it("refuses a file before it is sent by its name, and by its size", () => {
  const limit = 1024 ** 2;
  expect(() => checkAttachmentFile({ name: "book.PDF", size: limit - 1 }, limit)).not.toThrow();
  expect(() => checkAttachmentFile({ name: "chart.webp", size: 0 }, limit)).not.toThrow();
  expect(() => checkAttachmentFile({ name: "setup.exe", size: 1 }, limit)).toThrow(
    expect.objectContaining({ code: "attachment_type_invalid" }),
  );
  expect(() => checkAttachmentFile({ name: "book.pdf", size: limit }, limit)).toThrow(
    expect.objectContaining({ code: "attachment_too_large" }),
  );
});

it.each([
  ["setup.exe", program],
  ["trend.ex4", program],
  ["notes.txt", program],
  ["trend.ex4", bytes("#!/bin/sh")],
  ["sizes.csv", program],
  ["run.txt", bytes("\x7fELF\x02\x01\x01\0")],
  ["run.txt", bytes("\xcf\xfa\xed\xfe\x07\0\0\x01")],
  ["run.ex5", bytes("\x7fELF")],
  ["data.csv", bytes("a\0b")],
  ["book.txt", bytes("%PDF-1.7")],
  ["book.pdf", bytes("a,b")],
  ["sizes.xlsx", bytes("a,b")],
  ["all.zip", bytes("Rar!")],
  ["chart.svg", bytes("<svg/>")],
  ["chart.png", bytes("<svg/>")],
  ["page.html", bytes("<p>")],
  ["macro.xlsm", bytes("PK\x03\x04")],
  ["app.jar", bytes("PK\x03\x04")],
  ["constructor", bytes("x")],
  [".pdf.exe", bytes("%PDF-1.7")],
  ["pdf", bytes("%PDF-1.7")],
  ["", bytes("%PDF-1.7")],
])("refuses an attachment: %j", (filename, head) => expect(attachmentType(head, filename)).toBeUndefined());

// FILE-13
it.each([
  ["en", "en"],
  ["TH", "th"],
  ["PT-br", "pt-BR"],
  ["zh-hant-tw", "zh-Hant-TW"],
  ["", undefined],
  ["e", undefined],
  ["english language", undefined],
  ["en_US", undefined],
  ["../en", undefined],
  [`en-x-${"a-".repeat(40)}b`, undefined],
])("takes the language tag %j for %s", (tag, canonical) => expect(canonicalLanguage(tag)).toBe(canonical));
