import { type Endpoint, type EndpointName, endpoints } from '@sortie/contract';
import fc from 'fast-check';
import {
  badInstant,
  badPage,
  cancelWithBody,
  idText,
  instant,
  oddId,
  oddQuery,
  read,
  repeatedParameter,
} from './bad-reads.ts';
import type { BadRequest } from './bad-request.ts';
import {
  badUtf8,
  byteOrder,
  deep,
  headerText,
  hugeNumber,
  missingMember,
  mutated,
  noise,
  oddContentType,
  oddHeaders,
  oddIdempotencyKey,
  oddText,
  oddUrl,
  otherJson,
  prototypeMember,
  repeatedMember,
  tooLarge,
  truncated,
  unknownMember,
  unstorable,
  wrongSize,
  wrongType,
} from './bad-starts.ts';

export type { BadRequest } from './bad-request.ts';

/** Requests that an earlier gate should reject. */
const strays: fc.Arbitrary<BadRequest> = fc.oneof(
  fc.tuple(wrongType, headerText).map(([request, authorization]) => ({
    ...omitField(request),
    kind: 'no valid key',
    isAuthorized: false,
    headers: { ...request.headers, authorization },
  })),
  fc
    .tuple(fc.constantFrom('GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'), idText)
    .map(([method, id]) => ({
      ...read('unknown route', `/v1/${id}`),
      method,
    })),
  fc.tuple(fc.constantFrom('PUT', 'PATCH', 'DELETE'), tooLarge).map(([method, request]) => ({
    ...omitField(request),
    kind: 'unknown method',
    method,
  })),
  fc.constant({ ...read('no length', '/v1/pentests/unknown/cancel'), method: 'POST' }),
);

function omitField({ refusedField: _field, ...request }: BadRequest): BadRequest {
  return request;
}

/** Weighted so that nine of ten requests reach validation. */
export const badRequests: fc.Arbitrary<BadRequest> = fc.oneof(
  { weight: 10, arbitrary: wrongType },
  { weight: 3, arbitrary: missingMember },
  { weight: 6, arbitrary: unknownMember },
  { weight: 4, arbitrary: wrongSize },
  { weight: 6, arbitrary: oddText },
  { weight: 4, arbitrary: oddUrl },
  { weight: 5, arbitrary: repeatedMember },
  { weight: 3, arbitrary: prototypeMember },
  { weight: 5, arbitrary: unstorable },
  { weight: 3, arbitrary: hugeNumber },
  { weight: 4, arbitrary: badUtf8 },
  { weight: 2, arbitrary: byteOrder },
  { weight: 4, arbitrary: truncated },
  { weight: 3, arbitrary: deep },
  { weight: 1, arbitrary: tooLarge },
  { weight: 5, arbitrary: otherJson },
  { weight: 3, arbitrary: noise },
  { weight: 8, arbitrary: mutated },
  { weight: 4, arbitrary: oddContentType },
  { weight: 4, arbitrary: oddIdempotencyKey },
  { weight: 2, arbitrary: oddHeaders },
  { weight: 5, arbitrary: badPage },
  { weight: 5, arbitrary: oddQuery },
  { weight: 2, arbitrary: repeatedParameter },
  { weight: 3, arbitrary: badInstant },
  { weight: 2, arbitrary: instant },
  { weight: 5, arbitrary: oddId },
  { weight: 2, arbitrary: cancelWithBody },
  { weight: 6, arbitrary: strays },
);

const patterns = Object.entries<Endpoint>(endpoints).map(([name, { method, path }]) => ({
  name: name as EndpointName,
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`),
}));

export function endpointOf({ method, target }: Pick<BadRequest, 'method' | 'target'>): EndpointName | undefined {
  const [path = ''] = target.split(/[?#]/);
  return patterns.find((one) => one.method === method && one.pattern.test(path))?.name;
}
