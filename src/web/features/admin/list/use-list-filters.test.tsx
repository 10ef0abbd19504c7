// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { choiceFilter, searchFilter, useListFilters } from "./use-list-filters.ts";

const Filters = z.object({ search: searchFilter, sort: choiceFilter(["newest", "oldest"], "newest") });

function open(address: string) {
  let routed: ReactNode;
  const router = createMemoryRouter([{ path: "*", Component: () => routed }], { initialEntries: [address] });
  const hook = renderHook(() => useListFilters(Filters), {
    wrapper: ({ children }) => {
      routed = children;
      return <RouterProvider router={router} />;
    },
  });
  return { hook, router, filters: () => hook.result.current[0] };
}

// LIST-4.
test("reads the filters of a shared link and ignores values that are none", () => {
  expect(open("/admin?tab=users&search=ann&sort=oldest").filters()).toEqual({ search: "ann", sort: "oldest" });
  expect(open(`/admin?search=${"a".repeat(201)}&sort=sideways`).filters()).toEqual({ search: "", sort: "newest" });
  expect(open("/admin?search=a%00b").filters()).toEqual({ search: "", sort: "newest" });
});

test("keeps other parts of the address and leaves out what is the default", async () => {
  const { hook, router } = open("/admin?tab=users&search=ann");
  await act(async () => hook.result.current[1]({ sort: "oldest" }));
  expect(router.state.location.search).toBe("?tab=users&search=ann&sort=oldest");
  await act(async () => hook.result.current[1]({ sort: "newest", search: "" }));
  expect(router.state.location.search).toBe("?tab=users");
});

test("goes back filter by filter, and over a whole search at once", async () => {
  const { hook, router, filters } = open("/admin");
  await act(async () => hook.result.current[1]({ sort: "oldest" }));
  await act(async () => hook.result.current[1]({ search: "a" }, { replace: true }));
  await act(async () => hook.result.current[1]({ search: "an" }, { replace: true }));
  expect(filters()).toEqual({ search: "an", sort: "oldest" });
  await act(async () => router.navigate(-1));
  expect(filters()).toEqual({ search: "", sort: "newest" });
});
