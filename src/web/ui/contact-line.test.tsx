// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { show } from "../../../tests/support/render.tsx";
import { siteLinksOf, type SiteLinks } from "#domain/site-links";
import { errors, ProductError } from "#domain/errors/messages";
import { ActionError } from "./action-error.tsx";
import { Banner } from "./banner.tsx";

const site = vi.hoisted(() => ({ siteLinks: { contacts: [], footer: {} } as SiteLinks }));
vi.mock("../platform/site.ts", () => site);
beforeEach(() => {
  site.siteLinks = siteLinksOf({ contactEmail: "help@example.com", contactUrl: "https://chat.example/course" });
});

// CONTACT-1
test("an error that the user cannot fix displays the contacts", () => {
  show(
    <Banner tone="loss" offersHelp>
      Failed
    </Banner>,
  );
  const alert = screen.getByRole("alert");
  expect(alert.textContent).toBe("FailedIf this goes on, write to help@example.com or chat.example/course.");
  expect(screen.getByRole("link", { name: "help@example.com" }).getAttribute("href")).toBe("mailto:help@example.com");
});

test("an error has no contact line where the operator has set no address", () => {
  site.siteLinks = siteLinksOf({});
  show(
    <Banner tone="loss" offersHelp>
      Failed
    </Banner>,
  );
  expect(screen.getByRole("alert").textContent).toBe("Failed");
});

test("an error that the user can fix has no contact line", () => {
  show(<Banner tone="loss">Please choose another</Banner>);
  expect(screen.getByRole("alert").textContent).toBe("Please choose another");
});

test("a failed action displays the contacts, a refused one does not", () => {
  const { container, rerender } = show(<ActionError error={new ProductError("unavailable")} />);
  expect(container.textContent).toBe(
    `${errors.unavailable.text}If this goes on, write to help@example.com or chat.example/course.`,
  );
  rerender(<ActionError error={new ProductError("too_many_requests")} />);
  expect(container.textContent).toBe(errors.too_many_requests.text);
  rerender(<ActionError error={null} />);
  expect(container.textContent).toBe("");
});
