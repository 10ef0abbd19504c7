import { accountScreens } from "./account.ts";
import { adminScreens } from "./admin.ts";
import { auditScreens } from "./audit.ts";
import { authScreens } from "./auth.ts";
import { guardScreens } from "./guard.ts";
import { adminLiveScreens, liveScreens } from "./live.ts";
import { newsScreens } from "./news.ts";
import { openScreens } from "./open.ts";
import { paymentFormScreens } from "./payment-form.ts";
import { paymentRequestScreens } from "./payment-request.ts";
import { paymentScreens } from "./payment.ts";
import { restScreens } from "./rest.ts";
import type { Screen } from "./screen.ts";
import { studentScreens } from "./student.ts";
import { userScreens } from "./users.ts";
import { watchScreens } from "./watch.ts";

/** Every screen in every state, for axe and for the gallery. The longest first, so that no worker is left with it at the end. */
export const areas: Record<string, Screen[]> = {
  admin: adminScreens,
  users: userScreens,
  audit: auditScreens,
  "payment-request": paymentRequestScreens,
  payment: paymentScreens,
  student: studentScreens,
  rest: restScreens,
  watch: watchScreens,
  live: [...liveScreens, ...adminLiveScreens],
  guard: guardScreens,
  news: newsScreens,
  account: accountScreens,
  "payment-form": paymentFormScreens,
  auth: authScreens,
  open: openScreens,
};
