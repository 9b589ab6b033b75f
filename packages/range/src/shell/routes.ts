import { html, json, type Routes, readJson, type Visit } from '../answer.ts';
import { fetchFromInside } from '../leaving/outside.ts';
import { escapeHtml, page } from '../page.ts';
import { type Services, sleepFor } from '../services.ts';
import { runShell } from './shell.ts';

/** The flaw: OS command injection, because the value is not quoted. */
const asItCame = (value: string) => value;
const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;

const MOST_CALLS = 3;

export function shellRoutes(services: Services): Routes {
  const run = async (command: string) => {
    const { output, sleepSeconds, calls } = runShell(command);
    for (const address of calls.slice(0, MOST_CALLS)) await fetchFromInside(address, services.mayCall, services.lookUp);
    await sleepFor(services, sleepSeconds);
    return output;
  };
  const show = (title: string, commandOf: (visit: Visit) => string) => async (visit: Visit) => {
    const output = await run(commandOf(visit));
    return html(page(visit, { title, content: `<pre>${escapeHtml(output)}</pre>` }));
  };
  const ping = (write: typeof asItCame) =>
    show('Ping', ({ query }) => `ping -c 1 ${write(query.get('host') ?? '127.0.0.1')}`);
  const isOdd = ({ query }: Visit) => /[\s;&]/.test(query.get('host') ?? '');
  const trace = (write: typeof asItCame) => (visit: Visit) =>
    isOdd(visit)
      ? html(page(visit, { title: 'Trace', content: '<p class="problem">That is no host.</p>' }), 400)
      : ping(write)(visit);
  const label = (write: typeof asItCame) => show('Label', ({ form }) => `convert ${write(form.get('title') ?? '')}`);
  const backup = (write: typeof asItCame) => async (visit: Visit) => {
    await run(`tar -cf /srv/backup/${write(String(readJson(visit)?.name ?? ''))}.tar /srv/shop`);
    return json({ state: 'done' }, 202);
  };
  return {
    'GET /tools/ping': ping(asItCame),
    'GET /tools/reach': ping(quoted),
    'GET /tools/trace': trace(asItCame),
    'GET /tools/route': trace(quoted),
    'POST /tools/label': label((title) => `"${title}"`),
    'POST /tools/sticker': label(quoted),
    'POST /api/tools/backup': backup(asItCame),
    'POST /api/tools/archive': backup(quoted),
  };
}
