import type { FastifyInstance } from "fastify";

/** The content security policy of every reply that sets no other. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Lets pages display pictures and films of the store that sends them (FILE-19), and nothing else of it. */
function withStore(policy: string, store: string): string {
  return policy.replace(/\b(img|media)-src 'self'/g, `$& ${store}`);
}

/** The headers of every reply; RUN-9. Written here, because they are ten constant lines that a plugin would compute at every request. */
export function addSecurityHeaders(app: FastifyInstance, publicUrl: string | undefined, store: string | undefined): void {
  const policy = store === undefined ? contentPolicy : withStore(contentPolicy, store);
  const isPublicOverHttps = publicUrl?.startsWith("https:") === true;
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("content-security-policy", policy);
    reply.header("x-content-type-options", "nosniff");
    reply.header("x-frame-options", "DENY");
    reply.header("referrer-policy", "no-referrer");
    reply.header("cross-origin-opener-policy", "same-origin");
    reply.header("permissions-policy", "camera=(self), microphone=(), geolocation=()");
    if (isPublicOverHttps || request.protocol === "https") {
      // Other names of an operator's domain are covered only where PUBLIC_URL says that this one is the site's.
      reply.header("strict-transport-security", `max-age=31536000${isPublicOverHttps ? "; includeSubDomains" : ""}`);
    }
    if (/^\/(api|auth|functions)\//.test(request.url)) reply.header("cache-control", "no-store");
    done();
  });
}
