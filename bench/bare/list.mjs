// @ts-check

/** @param {import("pg").Pool} pool @returns {import("./server.mjs").Routes} */
export function listRoutes(pool) {
  return {
    "GET /api/videos": async ({ principal }) => {
      const { rows } = await pool.query({ ...findVideos, values: [principal.id] });
      return { items: rows.map((row) => videoOf(row, principal)), next_cursor: null };
    },
  };
}

const findVideos = {
  name: "videos",
  text: `
    select
      videos.id, title, description, video_url, videos.module, position as module_order, order_index, package_type, films.duration_seconds,
      position_seconds, done, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as watched_at,
      (select json_agg(json_build_object('language', language, 'label', label, 'url', object_id) order by language)
        from video_captions where video_id = videos.id) as captions,
      (select json_agg(json_build_object('id', a.id, 'filename', filename, 'size_bytes', size, 'content_type', content_type))
        from video_attachments a join stored_objects o on o.id = a.object_id where a.video_id = videos.id) as attachments
    from videos
    left join films on films.object_id = videos.object_id
    left join module_order on module_order.module = videos.module
    left join video_progress on video_id = videos.id and account_id = $1
    order by videos.module, order_index, videos.id limit 101`,
};

/** @param {any} row @param {import("./server.mjs").Principal} viewer */
function videoOf({ video_url, position_seconds, done, watched_at, captions, attachments, duration_seconds, ...row }, viewer) {
  const isPlayable = row.package_type === "both" || viewer.subscription_status === row.package_type;
  return {
    ...row,
    source: video_url === null ? "upload" : "url",
    playable: isPlayable,
    duration_seconds,
    progress: position_seconds === null ? null : { position_seconds, done, watched_at },
    poster_url: null,
    captions: captions ?? [],
    attachments: attachments ?? [],
    ...(isPlayable && video_url !== null && { video_url }),
  };
}
