import type { Answer, Handler, Routes, Visit } from './answer.ts';

type Unrouted = Omit<Visit, 'id'>;

/** Matches the whole path first, then the last segment as an id, then the longest prefix with `*`. */
export function createRouter(routes: Routes, otherwise: Handler) {
  const beginnings = Object.keys(routes)
    .filter((key) => key.endsWith('*'))
    .map((key) => ({ key, start: key.slice(0, -1) }))
    .sort((one, other) => other.start.length - one.start.length);

  function find(key: string): { handler: Handler; id: string } | undefined {
    const split = key.lastIndexOf('/') + 1;
    const whole = routes[key];
    if (whole) return { handler: whole, id: '' };
    const withId = routes[`${key.slice(0, split)}{id}`];
    if (withId) return { handler: withId, id: key.slice(split) };
    const beginning = beginnings.find(({ start }) => key.startsWith(start));
    const below = beginning && routes[beginning.key];
    return below && { handler: below, id: key.slice(beginning.start.length) };
  }

  return (pathname: string, visit: Unrouted): ReturnType<Handler> => {
    const method = visit.method === 'HEAD' ? 'GET' : visit.method;
    const found = find(`${method} ${pathname}`) ?? find(`* ${pathname}`);
    const answer: Answer | undefined | Promise<Answer | undefined> = found
      ? found.handler({ ...visit, id: found.id })
      : otherwise({ ...visit, id: '' });
    return answer;
  };
}
