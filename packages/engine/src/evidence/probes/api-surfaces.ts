import type { Sender } from '../../http/exchange/sender.ts';
import { isBlocked } from '../blocked.ts';
import { isMissing, type Missing } from '../missing.ts';
import { ask, BLOCKED, type ProbeAnswer } from './ask.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { keyOf, type Probe } from './files.ts';

/** A possible API endpoint or description, named by a script or at a common path. */
export interface ApiSurface {
  kind: 'graphql' | 'description';
  answer: ProbeAnswer;
}

/** Changes nothing and has a short response. */
export const INTROSPECTION = '{"query":"{__schema{queryType{name}}}"}';

/** In addition to the three that every scan requests as files. */
const MOST_ASKED = 3;
const PATH =
  /["'`]((?:https?:\/\/[\w.:-]{1,100})?\/(?:[\w.-]{1,40}\/){0,5}(?:graphql|(?:swagger|openapi)\.json|api-docs))["'`]/g;
const USUAL = ['/swagger.json', '/api-docs'];

/** Requests the paths that `texts` name on this origin, and common ones, except those already in `asked`. */
export async function gatherApiSurfaces(
  sender: Pick<Sender, 'send'>,
  origin: string,
  texts: readonly string[],
  { asked, mostRequests }: { asked: readonly Probe[]; mostRequests: number },
): Promise<readonly (ApiSurface | Missing)[]> {
  const known = new Set(asked.map(keyOf));
  const probes = namedIn(texts, origin).filter((probe) => !known.has(keyOf(probe)));
  const breaker = createCircuitBreaker();
  const surfaces: (ApiSurface | Missing)[] = [];
  for (const probe of probes.slice(0, Math.max(0, Math.min(MOST_ASKED, mostRequests)))) {
    const ended = breaker.openReason();
    const answer = ended === undefined ? await ask(sender, question(origin, probe)) : { missing: ended };
    breaker.record(answer);
    surfaces.push(toSurface(probe, answer));
  }
  return surfaces;
}

function namedIn(texts: readonly string[], origin: string): Probe[] {
  const named = texts.flatMap((text) => [...text.matchAll(PATH)].map(([, link = '']) => URL.parse(link, origin)));
  const paths = named.filter((url) => url?.origin === origin).map((url) => url?.pathname ?? '/');
  return [...new Set([...paths, ...USUAL])].map((path) =>
    path.endsWith('graphql') ? { path, method: 'POST', body: INTROSPECTION } : { path },
  );
}

function question(origin: string, { path, method = 'GET', body }: Probe) {
  const url = origin + path;
  return body === undefined
    ? { method, url }
    : { method, url, headers: [['content-type', 'application/json']] as const, body };
}

function toSurface({ method }: Probe, answer: ProbeAnswer | Missing): ApiSurface | Missing {
  if (isMissing(answer)) return answer;
  if (isBlocked(answer)) return { missing: BLOCKED };
  return { kind: method === 'POST' ? 'graphql' : 'description', answer };
}
