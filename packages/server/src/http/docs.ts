import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { OpenApiDocument } from '@sortie/contract';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

/** URLs are relative, so that the page also works behind a proxy that serves it under a path prefix. */
const configuration = {
  pageTitle: 'Sortie API',
  url: '../v1/openapi.json',
  documentDownloadType: 'json',
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // Does not store an API key that is entered on the page.
  persistAuth: false,
  // Each of these would otherwise contact a third-party host, or offer to.
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
} as const;

interface Asset {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
}

interface Reference {
  page: Asset;
  script: Asset;
  contentSecurityPolicy: string;
}

/** Serves the OpenAPI document and its reference page, both public. */
export async function registerDocs(
  app: FastifyInstance,
  document: OpenApiDocument,
  load: () => Promise<Reference> = loadReference,
): Promise<void> {
  const description = await createAsset('application/json; charset=utf-8', Buffer.from(JSON.stringify(document)));
  app.get('/v1/openapi.json', (request, reply) => sendAsset(request, reply, description));

  let loading: Promise<Reference> | undefined;
  const reference = () => {
    loading ??= load().catch((error: unknown) => {
      // The next request retries.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  app.get('/docs', (_request, reply) => reply.redirect('docs/'));
  app.get('/docs/', async (request, reply) => {
    const { page, contentSecurityPolicy } = await reference();
    reply.headers({ 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' });
    return sendAsset(request, reply, page);
  });
  app.get('/docs/js/scalar.js', async (request, reply) => sendAsset(request, reply, (await reference()).script));
}

/**
 * Renders the page and the script of the plugin once: compressed, because the script has 4 MB, and independent of the
 * Host header, from which the plugin builds URLs.
 */
export async function loadReference(): Promise<Reference> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  await using renderer = fastify();
  await renderer.register(scalar, { routePrefix: '/docs', configuration });
  const page = await renderer.inject('/docs/');
  const script = await renderer.inject('/docs/js/scalar.js');
  return {
    page: await createAsset('text/html; charset=utf-8', page.rawPayload),
    script: await createAsset('text/javascript; charset=utf-8', script.rawPayload),
    contentSecurityPolicy: protect(page.body),
  };
}

const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('base64');

/** Returns a policy that allows only our own origin, plus the inline scripts that are part of the page. */
function protect(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.map((script) => `'sha256-${digest(script)}'`).join(' ')}`,
    // The page sets style attributes, which neither a hash nor a nonce can allow.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function createAsset(type: string, bytes: Buffer): Promise<Asset> {
  return { type, bytes, gzipped: await promisify(gzip)(bytes), etag: `"${digest(bytes)}"` };
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, bytes, gzipped, etag }: Asset): FastifyReply {
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  reply.type(type);
  const acceptsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return acceptsGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(bytes);
}
