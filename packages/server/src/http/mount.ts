import { type Endpoint, endpoints, type LimitClass, type Permission, rolePermissions } from '@sortie/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';
import type { Caller } from './admission.ts';
import type { Authenticate } from './authenticate.ts';
import { limitHeaders, untouchedWindow } from './rate-limits.ts';
import { routedPath } from './routable-url.ts';
import type { Route } from './route.ts';
import { parseBody, validateBody, validateContentType, validateIdempotencyKey, validateQuery } from './validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request it is, once that is known. */
    caller: Caller | null;
    /** The read that the route has started early. */
    early: Promise<unknown> | null;
  }
}

interface MountOptions {
  authenticate: Authenticate;
  rateLimits: Config['rateLimits'];
  routes: readonly Route[];
}

const isUnderV1 = (url: string) => /^\/v1(?:\/|$)/.test(routedPath(url));

const NOT_BUILT = 'This endpoint is not built yet. CHANGELOG.md says what has arrived.';

/** Also the class of a request that matches no endpoint. */
const classOfMethod = (method: string): LimitClass => (method === 'GET' ? 'read' : 'write');

/** Mounts the whole endpoint table. An endpoint that has no behaviour yet passes every gate and is then not found. */
export function mountEndpoints(app: FastifyInstance, options: MountOptions): void {
  const untouched = {
    read: limitHeaders(untouchedWindow(options.rateLimits, 'read')),
    write: limitHeaders(untouchedWindow(options.rateLimits, 'write')),
  };

  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    limitClass: LimitClass,
    onAccountKnown?: (accountId: string) => void,
  ): Promise<Caller> {
    const { caller, limits } = await options.authenticate(request.raw, limitClass, onAccountKnown);
    request.caller = caller;
    reply.headers(limitHeaders(limits));
    if (limits.retryAfterSeconds !== undefined) {
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: limits.retryAfterSeconds });
    }
    return caller;
  }

  async function refuseUnknownAddress(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    if (isUnderV1(request.url)) await admit(request, reply, classOfMethod(request.method));
    throw new AppError('NOT_FOUND', {
      message: `There is no ${request.method} at this address. The endpoints are listed at /docs.`,
    });
  }

  app.decorateRequest('caller', null);
  app.decorateRequest('early', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(untouched[classOfMethod(request.method)]);
    // Here and not in a not-found handler: the framework would read the body first, and refuse it.
    if (request.is404) refuseUnknownAddress(request, reply).catch(done);
    else done();
  });

  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    const behaviour = options.routes.find((candidate) => candidate.endpoint === endpoint);
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      async onRequest(request, reply) {
        const startEarly = behaviour?.startEarly;
        const caller = await admit(request, reply, endpoint.limit, (accountId) => {
          request.early = startEarly?.(accountId) ?? null;
          // Nobody asks for it when the request is refused; a handler that asks gets the failure all the same.
          request.early?.catch(() => undefined);
        });
        refuseSuspended(caller);
        refuseWithoutPermission(endpoint, caller);
        // The framework would refuse one that it cannot read, although there is nothing to read by it.
        if (endpoint.body === 'empty') delete request.raw.headers['content-type'];
        validateContentType(endpoint, request.raw);
      },
      async handler(request, reply) {
        const answer = await answerRequest(endpoint, behaviour, request);
        return reply.code(endpoint.answer.status).send(answer);
      },
    });
  }
}

async function answerRequest(
  endpoint: Endpoint,
  behaviour: Route | undefined,
  request: FastifyRequest,
): Promise<unknown> {
  const { caller } = request;
  if (!caller) throw new Error('a handler ran without its gates');
  const sent = parseBody(endpoint, request.body as Uint8Array | undefined);
  validateIdempotencyKey(endpoint, request.raw);
  const query = validateQuery(endpoint, request.url);
  const body = validateBody(endpoint, sent);
  const params = request.params as Record<string, string>;
  // No id contains NUL, and the database could not even be asked for one.
  const isImpossible = Object.values(params).some((value) => value.includes('\0'));
  if (!behaviour) throw new AppError('NOT_FOUND', { message: NOT_BUILT });
  if (isImpossible) throw new AppError('NOT_FOUND');
  return behaviour.handle({ caller, params, query, body: body as undefined, early: request.early });
}

function refuseSuspended(caller: Caller): void {
  if (caller.suspended) throw new AppError('ACCOUNT_SUSPENDED');
}

/** While nodes are being updated, a newer one may have given a role that this one does not know. */
function permissionsOf({ role }: Caller): readonly Permission[] {
  return role !== null && Object.hasOwn(rolePermissions, role) ? rolePermissions[role] : [];
}

function refuseWithoutPermission(endpoint: Endpoint, caller: Caller): void {
  if (caller.permissions.includes(endpoint.permission) && permissionsOf(caller).includes(endpoint.permission)) return;
  throw new AppError('FORBIDDEN', {
    message: `This needs the permission ${endpoint.permission}, of the key and of the role of the person who created it.`,
  });
}
