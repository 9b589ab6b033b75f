import { html, type Routes, type Visit } from '../answer.ts';
import { page } from '../page.ts';
import type { Services } from '../services.ts';
import { fetchFromInside } from './outside.ts';

/** Resolves to undefined if there is nothing to include. */
type Include = (place: string) => Promise<string | undefined>;

/** Emulates remote file inclusion: runs included PHP code, which can only multiply two numbers. */
const runProgram = (text: string) =>
  text.replace(/<\?php echo (\d{1,6})\*(\d{1,6});\s*\?>/g, (_, one: string, other: string) =>
    String(Number(one) * Number(other)),
  );

const PAGES: Record<string, string> = { delivery: 'We deliver on foot.', returns: 'We take everything back.' };

export function includingRoutes({ mayCall, lookUp }: Services): Routes {
  const known: Include = async (place) => (Object.hasOwn(PAGES, place) ? PAGES[place] : undefined);
  const anything: Include = async (place) => {
    const fetched = /^https?:/.test(place) ? await fetchFromInside(`${place}.php`, mayCall, lookUp) : undefined;
    return fetched && 'content' in fetched ? runProgram(fetched.content) : known(place);
  };
  const include = (get: Include) => async (visit: Visit) => {
    const content = await get(visit.query.get('page') ?? '');
    return html(page(visit, { title: 'Service', content: `<p>${content ?? 'There is no such page.'}</p>` }));
  };
  return { 'GET /service': include(anything), 'GET /services': include(known) };
}

/** Emulates Log4Shell: one log evaluates lookups in its input, the other does not. */
export function loggingRoutes({ lookUp }: Services): Routes {
  const expand = (line: string) => line.replaceAll(/\$\{date:yyyy\}/g, String(new Date().getUTCFullYear()));
  const log = async (line: string) => {
    const [, name] = /\$\{jndi:dns:\/\/([^/}]{1,200})\}/.exec(expand(line)) ?? [];
    if (name !== undefined) await lookUp(name);
  };
  const offers = (write: (line: string) => Promise<void>) => async (visit: Visit) => {
    await write(`campaign ${visit.query.get('campaign') ?? ''}`);
    return html(page(visit, { title: 'Offers', content: '<p>Two kettles for the price of two.</p>' }));
  };
  return { 'GET /offers/today': offers(log), 'GET /offers/week': offers(async () => undefined) };
}
