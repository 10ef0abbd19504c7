import { useMutation } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import type { Video } from "#domain/api/course/videos";
import { useVideos, videosOptions } from "../../../../entities/video/queries.ts";
import { api } from "../../../../platform/api.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { courseOf, type Module, type Move, type NewOrder } from "./arrangement.ts";

function saveOrder(order: NewOrder): Promise<unknown> {
  if (order.module === undefined) return api.modules.order(order);
  const { module, ...body } = order;
  return api.modules.orderVideos({ params: { module }, body });
}

const none: Video[] = [];

interface Arrangement {
  course: Module[];
  /** What the last saved move has changed. */
  announced: string;
  /** Keeps the list as it is, whatever others change, until `release`. */
  hold: () => void;
  release: () => void;
  /** Shows a move at once and saves it. */
  apply: (move: Move | undefined) => void;
}

/**
 * The course in the seller's order, and moves in it (VIDEOS-1). Moves are displayed at once and saved one after the other; the server's list
 * takes their place when the last is saved, so that a refused one goes back, with the error in the page's banner.
 */
export function useArrangement(): Arrangement {
  const { data: videos = none } = useVideos();
  const saved = useMemo(() => courseOf(videos), [videos]);
  const [kept, setKept] = useState<Module[]>();
  const [announced, setAnnounced] = useState("");
  const unsaved = useRef(0);
  const isHeld = useRef(false);
  /** The last of the moves that are being saved; false once one of them failed: those behind it were made from its order. */
  const last = useRef(Promise.resolve(true));
  const { mutateAsync } = useMutation({ mutationFn: saveOrder, meta: { reportAs: "unexpected" } });
  const course = kept ?? saved;

  const giveWay = (): void => {
    if (unsaved.current === 0 && !isHeld.current) setKept(undefined);
  };
  const save = async ({ order, announcement }: Move): Promise<void> => {
    unsaved.current += 1;
    last.current = last.current.then(
      (goesOn) =>
        goesOn &&
        mutateAsync(order).then(
          () => true,
          () => false,
        ),
    );
    if (await last.current) setAnnounced(announcement);
    unsaved.current -= 1;
    if (unsaved.current > 0) return;
    last.current = Promise.resolve(true);
    await queryClient.invalidateQueries({ queryKey: videosOptions.queryKey });
    giveWay();
  };
  return {
    course,
    announced,
    hold: () => {
      isHeld.current = true;
      setKept(course);
    },
    release: () => {
      isHeld.current = false;
      giveWay();
    },
    apply: (move) => {
      if (!move) return;
      setKept(move.course);
      void save(move);
    },
  };
}
