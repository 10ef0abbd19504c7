// @ts-check
/**
 * How the server's sources become `dist/server`: the start, the commands and the worker processes, each with its packages
 * (docs/decisions/053).
 * @returns {import("vite").InlineConfig}
 */
export function serverBundle() {
  return {
    configFile: false,
    logLevel: "warn",
    // Left where they are: what loads a file of its own beside it or is a long list, and what only a site with a bucket loads.
    ssr: {
      noExternal: true,
      external: [
        "sharp",
        "@node-rs/argon2",
        "zxing-wasm",
        "unhomoglyph",
        "@aws-sdk/client-s3",
        "@aws-sdk/s3-request-presigner",
      ],
    },
    build: {
      ssr: true,
      target: "node20",
      outDir: "dist/server",
      emptyOutDir: true,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: {
          main: "src/server/main.ts",
          seed: "src/server/commands/seed.ts",
          admin: "src/server/commands/admin.ts",
          "renew-secrets": "src/server/commands/renew-secrets.ts",
          backup: "src/server/commands/backup.ts",
          restore: "src/server/commands/restore.ts",
          "move-files": "src/server/commands/move-files.ts",
          "picture-worker": "src/server/platform/pictures/picture-worker.ts",
          "film-worker": "src/server/platform/films/film-worker.ts",
          "caption-worker": "src/server/platform/captions/caption-worker.ts",
          "password-worker": "src/server/platform/passwords/password-worker.ts",
        },
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js", comments: { jsdoc: false } },
      },
    },
  };
}
