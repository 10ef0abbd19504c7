import { account, changeOfEmail, changeProfile, changeSession, factor, nok } from "./rows.ts";
import type { Refusal } from "./parts.ts";

/** What the database refuses of accounts, profiles, codes, sessions and factors: what must not be, the statement that tries, the constraint. */
export const accountRefusals: Refusal[] = [
  [
    "a deleted student's step without the day of the sign-up",
    "insert into student_changes (account_id, step) values (gen_random_uuid(), 1)",
    "student_changes_of_deletion",
  ],
  ["a second set-up card", "insert into setup_card (id, closed_at) values (2, now())", "setup_card_id_check"],
  ["an address in capitals", account("Nok2@example.com"), "accounts_email_check"],
  ["an address of two letters", account("a@"), "accounts_email_check"],
  ["an unknown role", `update accounts set role = 'owner' where id = ${nok}`, "accounts_role_check"],
  ["a second admin", `update accounts set role = 'admin' where id = ${nok}`, "accounts_one_admin"],
  ["two verified accounts of one address", account("nok@example.com", "now()"), "accounts_verified_email"],
  ["a profile of another address", changeProfile("email = 'lek@example.com'"), "profiles_id_email_fkey"],
  ["a profile without a name", changeProfile("full_name = ''"), "profiles_full_name_check"],
  ["a name of 101 letters", changeProfile("full_name = repeat('n', 101)"), "profiles_full_name_check"],
  ["an unknown tier", changeProfile("subscription_status = 'gold'"), "profiles_subscription_status_check"],
  [
    "two live codes of one student",
    `insert into verification_codes (user_id, email, code_hash, created_at, expires_at) values (${nok}, '', '', now(), now() + interval '1 s')`,
    "verification_codes_one_live",
  ],
  ["a sixth try of a code", "update verification_codes set tries = 6", "verification_codes_tries_check"],
  ["a code that ends before it begins", "update verification_codes set expires_at = created_at", "verification_codes_check"],
  [
    "a recovery that ends before it begins",
    `insert into password_recoveries values ('', ${nok}, now(), now())`,
    "password_recoveries_check",
  ],
  ["a device name of 301 letters", changeSession("user_agent = repeat('a', 301)"), "sessions_user_agent_check"],
  [
    "an unknown kind of second factor",
    changeSession("second_factor_at = now(), second_factor_by = 'luck'"),
    "sessions_second_factor_by_check",
  ],
  ["a second factor passed at no time", changeSession("second_factor_by = 'totp'"), "sessions_second_factor"],
  ["a factor's name of 101 letters", factor("friendly_name", "repeat('n', 101)"), "mfa_factors_friendly_name_check"],
  ["two verified factors of one account", factor("friendly_name, verified_at", "'', now()"), "mfa_factors_one_verified"],
  ["two unfinished factors of one account", factor("friendly_name", "''"), "mfa_factors_one_unverified"],
  ["a sixth try of a challenge", "update mfa_challenges set tries = 6", "mfa_challenges_tries_check"],
  ["a new address in capitals", changeOfEmail("new_email = 'New@example.com'"), "email_changes_new_email_check"],
  ["a sixth try of a new address", changeOfEmail("tries = 6"), "email_changes_tries_check"],
  ["a change of address that ends before it begins", changeOfEmail("expires_at = created_at"), "email_changes_check"],
  [
    "an empty note about a student",
    `insert into user_notes (account_id, text, created_at) values (${nok}, '', now())`,
    "user_notes_text_check",
  ],
];
