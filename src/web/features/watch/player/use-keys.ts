import { useEffect } from "react";
import { obey, type Keyboard } from "./actions.ts";
import { commandOf } from "./keys.ts";

/** Obeys the keys of the player, wherever on the page they are pressed. */
export function useKeys({ video, ...rest }: Omit<Keyboard, "video"> & { video: HTMLVideoElement | null }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const command = video && rest.preferences.keys && !event.defaultPrevented ? commandOf(event, rest.stage) : undefined;
      if (!video || !command) return;
      event.preventDefault();
      obey(command, { video, ...rest });
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}
