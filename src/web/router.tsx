import type { RouteObject } from "react-router";
import { texts } from "#domain/texts/texts";
import { ClosedMailboxPage } from "./closed-mailbox.tsx";
import { DeadLinkPage } from "./dead-link.tsx";
import { NotFoundPage } from "./not-found.tsx";
import { Root } from "./root.tsx";
import { RouteError } from "./route-error.tsx";
import { PageLoading } from "./ui/spinner.tsx";

/** Not in what is built for visitors: the condition is known while building, and the part falls away. */
const styleguide: RouteObject[] =
  import.meta.env.DEV || import.meta.env.MODE === "styleguide"
    ? [
        {
          path: "styleguide",
          lazy: async () => ({ Component: (await import("./features/styleguide/page.tsx")).StyleguidePage }),
        },
      ]
    : [];

/** Every page (ACCESS-1). Each feature is a chunk of its own; the landing page loads nothing of the session. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouteError,
    HydrateFallback: () => <PageLoading text={texts.session.loading} />,
    children: [
      { index: true, lazy: async () => ({ Component: (await import("./features/landing/page.tsx")).LandingPage }) },
      {
        lazy: async () => ({ Component: (await import("./entities/session/session-layout.tsx")).SessionLayout }),
        children: [
          { path: "auth", lazy: async () => ({ Component: (await import("./features/auth/page.tsx")).AuthPage }) },
          {
            lazy: async () => ({ Component: (await import("./entities/session/guards.tsx")).StudentGuard }),
            children: [
              {
                path: "student",
                lazy: async () => {
                  const { StudentPage, StudentLoading, loader } = await import("./features/student/page.tsx");
                  return { Component: StudentPage, loader, handle: { Loading: StudentLoading } };
                },
              },
              {
                path: "payment",
                lazy: async () => {
                  const { PaymentPage, PaymentLoading, loader } = await import("./features/payment/page.tsx");
                  return { Component: PaymentPage, loader, handle: { Loading: PaymentLoading } };
                },
              },
              {
                path: "student/receipts/:id",
                lazy: async () => ({ Component: (await import("./features/receipt/page.tsx")).ReceiptPage }),
              },
            ],
          },
          {
            lazy: async () => ({ Component: (await import("./entities/session/guards.tsx")).MemberGuard }),
            children: [
              { path: "account", lazy: async () => ({ Component: (await import("./features/account/page.tsx")).AccountPage }) },
            ],
          },
          {
            lazy: async () => ({ Component: (await import("./entities/session/guards.tsx")).WatchGuard }),
            children: [
              {
                path: "watch/:id",
                loader: async ({ params }) => {
                  (await import("./features/watch/source/early-play.ts")).beginPlaying(params["id"] ?? "");
                  return null;
                },
                // A click on the lesson that is open: its page would not take the reply.
                shouldRevalidate: ({ currentParams, nextParams }) => currentParams["id"] !== nextParams["id"],
                lazy: async () => ({ Component: (await import("./features/watch/page.tsx")).WatchPage }),
              },
            ],
          },
          {
            lazy: async () => ({ Component: (await import("./entities/session/guards.tsx")).AdminGuard }),
            children: [
              {
                lazy: async () => ({ Component: (await import("./features/admin/layout.tsx")).AdminLayout }),
                children: [
                  { path: "admin", lazy: async () => ({ Component: (await import("./features/admin/page.tsx")).AdminPage }) },
                  {
                    path: "admin/preview",
                    lazy: async () => ({ Component: (await import("./features/student/preview-page.tsx")).PreviewPage }),
                  },
                  {
                    path: "admin/users/:id",
                    lazy: async () => ({ Component: (await import("./features/admin/users/page/page.tsx")).UserPage }),
                  },
                  {
                    path: "admin/payments/:id",
                    lazy: async () => ({
                      Component: (await import("./features/admin/payments/request/page.tsx")).PaymentRequestPage,
                    }),
                  },
                ],
              },
            ],
          },
        ],
      },
      {
        path: "unsubscribe",
        lazy: async () => ({ Component: (await import("./features/unsubscribe/page.tsx")).UnsubscribePage }),
      },
      { path: "undo", lazy: async () => ({ Component: (await import("./features/undo/page.tsx")).UndoPage }) },
      ...styleguide,
      // Sent only when the link, or a request without the mailbox's token, is refused.
      { path: "storage/v1/object/sign/*", Component: DeadLinkPage },
      { path: "mailbox/*", Component: ClosedMailboxPage },
      { path: "*", Component: NotFoundPage },
    ],
  },
];
