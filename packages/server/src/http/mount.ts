import { type Endpoint, endpoints, type LimitClass } from '@sortie/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { AppError } from '../errors/app-error.ts';
import { requirePermission } from '../keys/keys.ts';
import type { ServiceKey } from '../secrets/service-secrets.ts';
import type { StartAnswer } from '../starts/starts.ts';
import type { Caller, Guest, Person } from './admission.ts';
import type { Authenticate } from './authenticate.ts';
import { fingerprint } from './fingerprint.ts';
import { limitHeaders, untouchedWindow } from './rate-limits.ts';
import { routedPath } from './routable-url.ts';
import type { PermittedCaller, RawContent, Route } from './route.ts';
import { parseBody, validateBody, validateContentType, validateIdempotencyKey, validateQuery } from './validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once authenticated. */
    caller: Caller | Person | Guest | null;
    /** The result of `startEarly`, if the route has one. */
    early: Promise<unknown> | null;
  }
}

interface MountOptions {
  authenticate: Authenticate;
  rateLimits: Config['rateLimits'];
  fingerprintKey: ServiceKey;
  routes: readonly Route[];
}

type Params = Record<string, string>;

/** Resolves to the caller of a request. Throws the refusal. */
type Admission<C> = (
  request: FastifyRequest,
  reply: FastifyReply,
  limitClass: LimitClass,
  /** Called as soon as the caller's account is known, before the request is admitted. */
  onAccountKnown: (accountId: string) => void,
) => Promise<C>;

/** No id contains NUL, and PostgreSQL rejects NUL in text parameters, so such a path matches nothing. */
const isOfNothing = (params: Params) => Object.values(params).some((value) => value.includes('\0'));

const isUnderV1 = (url: string) => /^\/v1(?:\/|$)/.test(routedPath(url));

/** Also used for requests that match no endpoint. */
const classOfMethod = (method: string): LimitClass => (method === 'GET' ? 'read' : 'write');

/** Mounts all endpoints of the contract. */
export function mountEndpoints(app: FastifyInstance, options: MountOptions): void {
  const untouched = {
    read: limitHeaders(untouchedWindow(options.rateLimits, 'read')),
    write: limitHeaders(untouchedWindow(options.rateLimits, 'write')),
  };

  const admit: Admission<Caller> = async (request, reply, limitClass, onAccountKnown) => {
    const { caller, limits } = await options.authenticate(request.raw, limitClass, onAccountKnown);
    request.caller = caller;
    reply.headers(limitHeaders(limits));
    if (limits.retryAfterSeconds !== undefined) {
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: limits.retryAfterSeconds });
    }
    return caller;
  };

  async function refuseUnknownAddress(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    if (isUnderV1(request.url)) await admit(request, reply, classOfMethod(request.method), () => {});
    throw new AppError('NOT_FOUND', {
      message: `No endpoint for ${request.method} at this path. The endpoints are listed at /docs.`,
    });
  }

  app.decorateRequest('caller', null);
  app.decorateRequest('early', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...untouched[classOfMethod(request.method)], 'cache-control': 'no-store' });
    // Refused in this hook rather than in a not-found handler, because the framework would first read the body, and
    // might reject it.
    if (request.is404) refuseUnknownAddress(request, reply).catch(done);
    else done();
  });

  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    const behaviour = options.routes.find((candidate) => candidate.endpoint === endpoint);
    if (!behaviour) throw new Error(`${endpoint.method} ${endpoint.path} has no route`);
    const { fingerprintKey } = options;
    mountEndpoint(app, behaviour, { path: endpoint.path, admit, authorize: authorizeMember, fingerprintKey });
  }
}

interface EndpointOptions<C extends Caller | Person | Guest> {
  path: string;
  admit: Admission<C>;
  /** Throws unless the caller may call the endpoint. */
  authorize(caller: C, endpoint: Endpoint): void;
  fingerprintKey: ServiceKey;
}

/** Mounts one endpoint behind the gates that its record in the contract describes. */
export function mountEndpoint<C extends Caller | Person | Guest>(
  app: FastifyInstance,
  behaviour: Route,
  { path, admit, authorize, fingerprintKey }: EndpointOptions<C>,
): void {
  const { endpoint } = behaviour;
  app.route({
    method: endpoint.method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    ...('maxBodyBytes' in endpoint && { bodyLimit: endpoint.maxBodyBytes as number }),
    async onRequest(request, reply) {
      const params = request.params as Params;
      const caller = await admit(request, reply, endpoint.limit, (accountId) => {
        if (!behaviour.startEarly || isOfNothing(params)) return;
        request.early = behaviour.startEarly(accountId, params);
        // Avoids an unhandled rejection if the request is refused. A handler that awaits the promise still gets the
        // error.
        request.early.catch(() => undefined);
      });
      request.caller = caller;
      authorize(caller, endpoint);
      // The framework would reject an unknown media type, although there is no body to parse.
      if (endpoint.body === 'empty') delete request.raw.headers['content-type'];
      validateContentType(endpoint, request.raw);
    },
    async handler(request, reply) {
      const answer = await answerRequest(behaviour, request, fingerprintKey);
      if (endpoint.idempotent)
        return sendStartAnswer(reply, fillIn(path, request.params as Params), answer as StartAnswer);
      if (endpoint.answer.mediaType !== undefined) return sendContent(reply, endpoint, answer as RawContent);
      return reply.code(endpoint.answer.status).send(answer);
    },
  });
}

const fillIn = (path: string, params: Params) => path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');

/** Sends the stored body unchanged, so that a replayed response is byte-identical to the first. */
function sendStartAnswer(reply: FastifyReply, path: string, { status, body, isReplay }: StartAnswer): FastifyReply {
  if (isReplay) reply.header('idempotent-replayed', 'true');
  const { id } = JSON.parse(body) as { id: string };
  reply.header('location', `${path}/${id}`);
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

function sendContent(reply: FastifyReply, { answer }: Endpoint, { body, headers }: RawContent): FastifyReply {
  return reply
    .code(answer.status)
    .headers({ 'content-type': answer.mediaType, 'x-content-type-options': 'nosniff', ...headers })
    .send(body);
}

async function answerRequest(route: Route, request: FastifyRequest, fingerprintKey: ServiceKey): Promise<unknown> {
  const { endpoint } = route;
  const { caller } = request;
  if (!caller) throw new Error('a handler ran without its gates');
  const sent = parseBody(endpoint, request.body as Uint8Array | undefined);
  const idempotencyKey = validateIdempotencyKey(endpoint, request.raw);
  const query = validateQuery(endpoint, request.url);
  const body = validateBody(endpoint, sent);
  const params = request.params as Params;
  if (isOfNothing(params)) throw new AppError('NOT_FOUND');
  const start =
    idempotencyKey === undefined
      ? undefined
      : { idempotencyKey, fingerprint: fingerprint(fingerprintKey.key, endpoint.method, endpoint.path, sent) };
  const handled = { caller: caller as PermittedCaller, params, query, body, start, early: request.early ?? undefined };
  return route.handle(handled as Parameters<Route['handle']>[0]);
}

/** Throws if the account is suspended or the caller lacks the endpoint's permission. */
export function authorizeMember(caller: Caller, { permission }: Endpoint): void {
  if (caller.suspended) throw new AppError('ACCOUNT_SUSPENDED');
  requirePermission(caller, permission);
}
