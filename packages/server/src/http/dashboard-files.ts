import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { routedPath } from './routable-url.ts';

interface File {
  type: string;
  etag: string;
  bytes: Buffer;
  encoded: Readonly<Record<string, Buffer>>;
}

interface Files {
  page: string;
  /** By path, for example `/assets/index-4fD2.js`. */
  byPath: ReadonlyMap<string, File>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** In order of preference. The build writes both beside the files that become smaller. */
const encodings = { br: '.br', gzip: '.gz' } as const;

const NONCE_PLACE = '__NONCE__';

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sortie</title><h1>The dashboard is not built</h1>
<p>The API works, and its reference is at <a href="/docs">/docs</a>. The log of the start says why the build failed. To
repeat it, run <code>npm run build --workspace packages/web</code> in the project folder, then reload this page.</p></html>`;

/** Returns whether a browser asks for a screen. Programs that request an unknown path get the Error object. */
function isScreen(request: FastifyRequest): boolean {
  if (request.method !== 'GET' || !/\btext\/html\b/.test(request.headers.accept ?? '')) return false;
  return !/^\/(?:v1|api|docs|\.well-known|assets)(?:\/|$)/.test(routedPath(request.url));
}

/**
 * Serves the built dashboard from memory, so that no request names a file on the disk. Must be called before the
 * endpoints are mounted: it answers browsers that request a screen, which is a path without an endpoint.
 */
export function serveDashboardFiles(app: FastifyInstance, folder: string | undefined): void {
  let loaded: Files | undefined;
  const files = async () => {
    loaded ??= folder === undefined ? undefined : await load(folder);
    return loaded;
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && isScreen(request)) files().then((found) => sendPage(reply, found), done);
    else done();
  });
  app.get('/', async (_request, reply) => sendPage(reply, await files()));
  for (const url of ['/assets/:name', '/theme.js', '/icon.svg']) {
    app.get(url, async (request, reply) => {
      const file = (await files())?.byPath.get(routedPath(request.url));
      if (!file) throw new AppError('NOT_FOUND', { message: 'The dashboard has no such file. Reload the page.' });
      const isHashed = request.url.startsWith('/assets/');
      return send(request, reply, file, isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    });
  }
}

/** Every response has its own nonce, so the page is never cached. */
function sendPage(reply: FastifyReply, files: Files | undefined): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  removeKeyLimits(reply);
  reply.headers({ ...pageHeaders(nonce), 'cache-control': 'no-store' }).type('text/html; charset=utf-8');
  if (!files) return reply.code(503).send(NOT_BUILT);
  return reply.send(files.page.replaceAll(NONCE_PLACE, nonce));
}

function pageHeaders(nonce: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      // Mantine writes its theme and breakpoints as style elements, which need the nonce. Scripts set style attributes
      // through the CSSOM, which a policy does not restrict, so markup must have none.
      `style-src 'self' 'nonce-${nonce}'`,
      "style-src-attr 'none'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}

function send(request: FastifyRequest, reply: FastifyReply, file: File, cacheControl: string): FastifyReply {
  removeKeyLimits(reply);
  reply.headers({
    etag: file.etag,
    vary: 'accept-encoding',
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  reply.type(file.type);
  const accepted = String(request.headers['accept-encoding'] ?? '');
  for (const [name, bytes] of Object.entries(file.encoded)) {
    if (new RegExp(`\\b${name}\\b(?!;\\s*q=0(?:[,\\s]|$))`).test(accepted)) {
      return reply.header('content-encoding', name).send(bytes);
    }
  }
  return reply.send(file.bytes);
}

/** Removes the headers of API key limits, which do not apply to pages. */
function removeKeyLimits(reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) if (name.startsWith('ratelimit-')) reply.removeHeader(name);
}

/** Resolves to undefined if the dashboard is not built. The next request tries again. */
async function load(folder: string): Promise<Files | undefined> {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined);
  if (page === undefined) return undefined;
  const names = (await readdir(folder, { recursive: true })).filter((name) => types[path.extname(name)]);
  const entries = await Promise.all(
    names.map(async (name): Promise<[string, File]> => [`/${name}`, await readFileOf(path.join(folder, name))]),
  );
  return { page, byPath: new Map(entries) };
}

async function readFileOf(file: string): Promise<File> {
  const bytes = await readFile(file);
  const encoded: Record<string, Buffer> = {};
  for (const [name, suffix] of Object.entries(encodings)) {
    const compressed = await readFile(file + suffix).catch(() => undefined);
    if (compressed) encoded[name] = compressed;
  }
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  return { type: types[path.extname(file)] ?? 'application/octet-stream', etag, bytes, encoded };
}
