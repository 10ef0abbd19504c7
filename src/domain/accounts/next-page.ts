import { packageTypes, type PackageType } from "../packages.ts";

/**
 * Segments that do not begin with a full stop, then an optional query and a plain fragment: every browser leaves such a page unchanged. The
 * query may have each character that browsers leave in one (URL Standard), except the backslash.
 */
const ownPage = /^(?:\/[\w~-][\w.~-]*)+(?:\?[\w.~=&%+!$()*,;:@/?|[\]{}^`-]+)?(?:#[\w-]+)?$/;
/** Long enough for the link of an advertisement, with what its service appends. */
const maxPageLength = 1000;

/**
 * Returns a page of this site, as path, query and fragment, that a user may be sent to after signing in; undefined for everything else: other
 * sites in any spelling, other schemes, and the sign-in page itself (JOURNEY-1).
 */
export function ownPageOf(text: unknown): string | undefined {
  if (typeof text !== "string" || text.length > maxPageLength || !ownPage.test(text)) return undefined;
  return /^\/auth(?:[/?#]|$)/i.test(text) ? undefined : text;
}

/** Returns the address of the sign-in page that leads on to `next`; `mode` is the form that it opens with. */
export function signInPage(next: string | undefined, mode: SignInForm["mode"] = "login"): string {
  const page = ownPageOf(next);
  const query = [
    ...(mode === "login" ? [] : [`mode=${mode}`]),
    ...(page === undefined ? [] : [`next=${encodeURIComponent(page)}`]),
  ];
  return query.length === 0 ? "/auth" : `/auth?${query.join("&")}`;
}

/** Returns the address where a package is bought. */
export function paymentPage(packageType: PackageType): string {
  return `/payment?package=${packageType}`;
}

/** Returns the package that a page sells; undefined for every page but the payment page of a package, whatever else its query has. */
export function packageSoldOn(page: string | undefined): PackageType | undefined {
  const asked = /^\/payment\?(?:[^#]*?&)?package=([^&#]*)/.exec(page ?? "")?.[1];
  return packageTypes.find((packageType) => packageType === asked);
}

/** Returns the package that the query of the payment page names; Starter where it names none. */
export function packageAskedFor({ package: asked }: { package?: unknown }): PackageType {
  return packageTypes.find((packageType) => packageType === asked) ?? "starter";
}

/** Returns the name of the file that the payment page of a package arrives in, without its ending. */
export function paymentFile(packageType: PackageType): string {
  return packageType === "starter" ? "payment" : `payment-${packageType}`;
}

/** What the sign-in page opens with: its form, and the package that is bought afterwards. */
export interface SignInForm {
  mode: "login" | "sign-up" | "forgot";
  /** The form for a forgotten password names none. */
  chosen: PackageType | undefined;
}

/** Every form that the sign-in page can open with. */
export const signInForms: readonly SignInForm[] = [
  ...(["login", "sign-up"] as const).flatMap((mode) => [undefined, ...packageTypes].map((chosen) => ({ mode, chosen }))),
  { mode: "forgot", chosen: undefined },
];

/** Returns what the query of an address, of `signInPage` or of anybody, makes the sign-in page open with. */
export function signInFormOf({ mode, next }: { mode?: unknown; next?: unknown }): SignInForm {
  if (mode === "forgot") return { mode, chosen: undefined };
  return { mode: mode === "sign-up" ? mode : "login", chosen: packageSoldOn(ownPageOf(next)) };
}

/** Returns the name of the file that the sign-in page arrives in, without its ending. */
export function signInFile({ mode, chosen }: SignInForm): string {
  return ["auth", ...(mode === "login" ? [] : [mode]), ...(chosen === undefined ? [] : [chosen])].join("-");
}
