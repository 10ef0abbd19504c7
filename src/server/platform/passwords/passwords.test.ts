import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openPasswordChecker, type PasswordChecker } from "./password-checker.ts";

let passwords: PasswordChecker;
beforeAll(() => {
  passwords = openPasswordChecker(inject("passwordWorker"));
});
afterAll(() => passwords.close());

const isGuessable = (password: string, own: string[] = []): Promise<boolean> => passwords.isGuessable(password, own);

describe("a password", () => {
  it.each([
    "password",
    "PassWord123",
    "P@ssw0rd",
    "passw0rd123",
    "Password1!",
    "qwertyuiop",
    "1q2w3e4r5t",
    "12345678a",
    "iloveyou123",
    "letmein123",
    "abcdefgh1",
    "forexforex",
    "a".repeat(256),
    "password".repeat(32),
  ])("finds a common password guessable: %s", async (password) => expect(await isGuessable(password)).toBe(true));

  it.each([
    "a fine long password",
    "correct horse battery",
    "Passw0rd!23",
    "Tr4d3r!x",
    "Str0ng-Pass-123",
    "กขคงจฉชซ",
    `${"password".repeat(8)} and then some words of my own`,
    "4@8({[</369&#!1/|0$5+7%2".repeat(10),
    "P@ssw0rd!".repeat(20) + "zebra lamp 71",
  ])("that is not on any list is good enough: %s", async (password) => expect(await isGuessable(password)).toBe(false));

  it.each([
    ["somchai.jaidee", ["somchai.jaidee@example.com", "somchai.jaidee"]],
    ["Somchai1990", ["Somchai Jaidee", "Somchai", "Jaidee"]],
    ["pipwright1", ["Pipwright"]],
    ["สมชายสมชาย", ["สมชาย"]],
    ["wirongrong.suwannaphum@example.com", ["wirongrong.suwannaphum@example.com", "wirongrong", "suwannaphum", "example"]],
    ["XWirongrong.Su@Example.com9Wirongrong.Su@Example.com", ["example", "wirongrong.su@example.com"]],
    ["aWirongrong Suwannaphumisiri Phongz", ["Wirongrong Suwannaphumisiri Phong", "Wirongrong"]],
  ])("made of its owner's words is guessable: %s", async (password, own) => {
    expect(await isGuessable(password, own)).toBe(true);
  });

  it("that has its owner's words among others is good enough", async () => {
    expect(await isGuessable("ann@example.com paints blue doors", ["ann@example.com", "ann"])).toBe(false);
  });
});
