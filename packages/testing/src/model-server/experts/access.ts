import { formsIn, linksIn, textIn } from './pages.ts';
import { type Flow, observe, propose, type Result, type Step, type Style, type Work } from './walk.ts';

interface Page {
  path: string;
  html: string;
}

/** Experiments on what an account keeps for itself: another one tries to read it in roundabout ways. */
export function* accessIdeas(page: Page, flow: Flow, style: Style): Work {
  const [, start, home] = flow.steps;
  const text = Object.entries(start?.form ?? {}).find(([, value]) => value === 'mine')?.[0];
  if (!start || !home || text === undefined || !start.take) return;
  const write: Step = { ...start, key: 'write', as: style.others, form: { ...start.form, [text]: '{{word}}' } };
  const own = (path: string) => path.replaceAll('{{start.', '{{write.');
  const kept = { write, home: { ...home, key: 'home', as: style.others, path: own(home.path) } };
  for (const query of textIn(page.html).match(/\?\w+=\w+/g) ?? []) yield* printed(kept, query, style);
  for (const [, name = ''] of textIn(page.html).matchAll(/\?(\w+)=(?!\w)/g)) yield* named(page, kept, name, style);
  const others = formsIn(page.html).filter(({ action }) => action !== start.path);
  for (const { action, fields } of others) {
    if (fields.length === 1 && fields[0]) yield* stored(page, kept, { action, name: fields[0].name }, style);
    if (fields.length === 0) yield* counted(kept, action, style);
  }
}

interface Kept {
  write: Step;
  home: Step;
}

const get = (key: string, as: string, path: string): Step => ({ key, label: key, as, method: 'GET', path });

function* readAround(
  name: string,
  { write, home }: Kept,
  around: { steps: Step[]; honest: Step; attack: Step; between?: Step[] },
  style: Style,
): Work<Result> {
  const refused = { ...home, key: 'refused', as: style.mine };
  const { steps, honest, between = [], attack } = around;
  const all = [write, home, ...steps, honest, ...between, attack, refused];
  const oracle = {
    kind: 'canary',
    write: 'write',
    home: 'home',
    attack: 'attack',
    honest: 'honest',
    refused: 'refused',
  };
  return yield propose(name, all, oracle, 'another account can read it');
}

/** A parameter that a text mentions, added to the address. */
function* printed(kept: Kept, query: string, style: Style): Work {
  const mine = { ...kept.write, key: 'mine', as: style.mine, form: { ...kept.write.form, text: 'mine' } };
  yield* readAround(
    'filter-bypass',
    kept,
    {
      steps: [mine],
      honest: get('honest', style.mine, kept.home.path.replace('{{write.', '{{mine.') + query),
      attack: get('attack', style.mine, kept.home.path + query),
    },
    style,
  );
}

/** A page for all that an account may see, with the name of a group that a text lists. */
function* named(page: Page, kept: Kept, name: string, style: Style): Work {
  const groups = /are ((?:\w+, )+\w+)/.exec(textIn(page.html))?.[1]?.split(', ') ?? [];
  for (const path of linksIn(page.html).filter((each) => each.startsWith(page.path))) {
    for (const group of groups) {
      const attack = get('attack', style.mine, `${path}?${name}=${group}`);
      const { verdict } = yield* readAround(
        'tenant-isolation',
        kept,
        { steps: [], honest: get('honest', style.mine, path), attack },
        style,
      );
      if (verdict === 'CONFIRMED') return;
    }
  }
}

/** An id that is stored by one request, and used by another one. */
function* stored(page: Page, kept: Kept, form: { action: string; name: string }, style: Style): Work {
  for (const path of linksIn(page.html).filter((each) => each.startsWith(page.path))) {
    const choose: Step = {
      key: 'choose',
      label: 'choose',
      as: style.mine,
      method: 'POST',
      path: form.action,
      form: { [form.name]: '{{write.id}}' },
    };
    yield* readAround(
      'object-access',
      kept,
      {
        steps: [],
        honest: get('honest', style.mine, path),
        between: [choose],
        attack: get('attack', style.mine, path),
      },
      style,
    );
  }
}

/** A link that is given on request: the next one may belong to another user. */
function* counted(kept: Kept, action: string, style: Style): Work {
  const ask = (key: string, as: string): Step => ({
    key,
    label: key,
    as,
    method: 'POST',
    path: action,
    form: {},
    take: [{ name: 'token', from: 'location', by: '/(\\w+)$' }],
  });
  const [seen] = yield* observe([ask('first', style.mine)]);
  const location = seen?.untrusted.location ?? '';
  if (location === '') return;
  const folder = location.replace(/[^/]*$/, '');
  yield* readAround(
    'predictable-token',
    kept,
    {
      steps: [ask('first', style.mine), { ...ask('theirs', style.others), take: [] }],
      honest: get('honest', style.mine, `${folder}{{first.token}}`),
      attack: get('attack', style.mine, `${folder}{{first.token+1}}`),
    },
    style,
  );
}

/** A form that is refused to one account and not to another: roles that pages name, stated in the request. */
export function* roleIdeas(page: Page, style: Style): Work {
  for (const { action, fields } of formsIn(page.html)) {
    const text = fields.find(({ type }) => type === 'text')?.name;
    if (text === undefined) continue;
    const post = (key: string, as: string, word: string, more: object = {}): Step => ({
      key,
      label: key,
      as,
      method: 'POST',
      path: action,
      form: { [text]: word, ...more },
    });
    for (const staff of style.staff) {
      const { untrusted } = yield { name: 'request', input: { path: page.path, as: staff } };
      const [, name = '', role = ''] = /(\w+): (\w+)/.exec(textIn(untrusted?.body ?? '')) ?? [];
      const steps = [
        post('allowed', staff, '{{word}}'),
        post('refused', style.mine, '{{word2}}'),
        post('attack', style.mine, '{{word3}}', { [name.toLowerCase()]: role }),
        get('seen', style.mine, page.path),
      ];
      const oracle = { kind: 'forbidden', attack: 'attack', seen: 'seen', refused: 'refused', allowed: 'allowed' };
      const { verdict } = yield propose('function-access', steps, oracle, 'the stated role decides');
      if (verdict === 'CONFIRMED') return;
    }
  }
}
