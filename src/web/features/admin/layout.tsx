import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { Toasts } from "../../ui/toast.tsx";

/** The layout of the admin's pages: a toast stays while the admin goes from one to another. */
export function AdminLayout(): ReactNode {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}
