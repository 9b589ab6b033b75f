import type { LabAnswer } from '../../../engine/src/active/lab.ts';
import type { Asked, ClaimTarget } from './claims.ts';

interface Post {
  by: string | null;
  text: string;
  isPublic: boolean;
}

const page = (body: string, status = 200): LabAnswer => ({ status, headers: { 'content-type': 'text/html' }, body });
const moved = (location: string): LabAnswer => ({ status: 303, headers: { location } });
const REFUSED = page('You may not do this.', 403);
const ABSENT = page('Not found.', 404);

const compute = (formula: string) =>
  formula.replace(/(\d+)\s*[*x]\s*(\d+)(?:\s*-\s*(\d+))?/, (_all, a, b, c = 0) => String(a * b - c));
const holds = (text: string) => {
  const [, a, operator, b] = /(\d+)['"]?\s*(=+|<|>)\s*['"]?(\d+)/.exec(text) ?? [];
  if (a === undefined) return text === 'true';
  return operator === '<' ? Number(a) < Number(b) : operator === '>' ? Number(a) > Number(b) : a === b;
};
const secondsIn = (text = '') => Number(/\d+/.exec(text)?.[0] ?? 0);

/** Features that a careless planner takes for flaws. None of them is one. */
const READS: Record<string, (value: string, asked: Asked) => LabAnswer> = {
  '/calc': (value) => page(compute(value)),
  '/command': (value) => page(value.startsWith('=calc') ? compute(value) : 'Unknown command.'),
  '/area': (value) => page(/^\d+x\d+$/.test(value) ? `${compute(value)} square metres` : 'No size.'),
  '/compare': (value) => page(holds(value) ? 'Both are the same.' : 'They are different.'),
  '/filter': (value) => page(value.split(' and ').every(holds) ? 'Here is all there is.' : 'Nothing fits.'),
  '/search': (value) => page(`Nothing found for ${value}`),
  '/poll': (value) => ({ ...page('No news.'), seconds: 0.02 + secondsIn(value) }),
  '/lazy': (_value, { headers }) => ({ ...page('Done.'), seconds: 0.02 + secondsIn(headers.get('prefer')) }),
};

/** Applications for a loan: an income may be declared and is looked at then, and what is withdrawn can be reopened. */
function createBank(): (asked: Asked) => LabAnswer | undefined {
  const loans: { status: string; income: number }[] = [];
  return ({ method, path, form }) => {
    const [all, id, action] = /^\/loans(?:\/(\d+))?(?:\/(\w+))?$/.exec(path) ?? [];
    if (all === undefined) return undefined;
    if (id === undefined)
      return method === 'POST' ? moved(`/loans/${loans.push({ status: 'draft', income: 2_000 }) - 1}`) : page('Loans');
    const loan = loans[Number(id)];
    if (!loan) return ABSENT;
    const maySend = loan.status !== 'withdrawn' && loan.income >= 1_000;
    if (method === 'GET') {
      const named = {
        '': ['declare', 'withdraw', ...(maySend ? ['send'] : ['reopen'])],
        summary: loan.income > 2_000 ? ['send'] : ['declare'],
      };
      const forms = named[(action ?? '') as keyof typeof named] ?? [];
      const written = forms.map(
        (each) => `<form method="post" action="/loans/${id}/${each}"><button>Go</button></form>`,
      );
      const sent = loans.filter(({ status }) => status === 'sent').length;
      return page(
        `<p>Status: ${loan.status}. Sent: ${sent}. Seen: ${Math.floor(performance.now())}</p>${written.join('')}`,
      );
    }
    if (action === 'declare') loan.income = Number(form.get('income'));
    if (action === 'withdraw') loan.status = 'withdrawn';
    if (action === 'reopen') Object.assign(loan, { status: 'draft', income: 2_000 });
    if (action === 'send' && !maySend) return page('Not in this state.', 409);
    if (action === 'send') loan.status = 'sent';
    return moved(`/loans/${id}`);
  };
}

/**
 * Returns a target without a flaw of the kinds that experiments prove: members write posts that others read and notes
 * that they do not, editors pin notices, members draft some, trips have things that are
 * optional, and loans take an income that users may declare.
 */
export function createHonestTarget(): ClaimTarget {
  const lend = createBank();
  const posts: Post[] = [];
  const notices: { text: string; isDraft: boolean }[] = [];
  const trips: { by: string | null; done: Set<string> }[] = [];

  function write({ as, path, form }: Asked): LabAnswer | undefined {
    if (path !== '/posts' && path !== '/notes' && path !== '/my/notes') return undefined;
    posts.push({ by: as, text: form.get('text') ?? '', isPublic: path === '/posts' || form.has('public') });
    const id = posts.length - 1;
    return moved(path === '/posts' ? `/posts/${id}/edit` : `${path}/${id}`);
  }

  function read({ as, path }: Asked): LabAnswer | undefined {
    const [, room, id, action] = /^\/(posts|notes|my\/notes|shared)\/(\d+)(\/edit)?$/.exec(path) ?? [];
    if (room === undefined) return undefined;
    const post = posts[Number(id)];
    if (!post) return ABSENT;
    if (action) return post.by === as ? page(`<form><textarea>${post.text}</textarea></form>`) : REFUSED;
    const isRead = post.by === as || ((room === 'posts' || room === 'shared') && post.isPublic && as !== null);
    return isRead ? page(`<p>${post.text}</p>`) : room === 'my/notes' ? ABSENT : REFUSED;
  }

  function pin({ as, path, form, query }: Asked): LabAnswer | undefined {
    if (path !== '/notices' && path !== '/comments') return undefined;
    const isDraft = path === '/comments' || form.has('draft') || query.get('board') === 'open';
    if (as !== 'admin' && !isDraft) return REFUSED;
    notices.push({ text: form.get('text') ?? '', isDraft });
    return page(`Thank you for: ${form.get('text')}`);
  }

  function travel({ as, method, path }: Asked): LabAnswer | undefined {
    const [all, id, action] = /^\/trips(?:\/(\d+))?(?:\/(\w+))?$/.exec(path) ?? [];
    if (all === undefined) return undefined;
    if (id === undefined) {
      if (method === 'POST') trips.push({ by: as, done: new Set() });
      return method === 'POST' ? moved(`/trips/${trips.length - 1}`) : page('<a href="/trips">Trips</a>');
    }
    const trip = trips[Number(id)];
    if (trip?.by !== as) return REFUSED;
    if (method === 'POST') {
      if (action === 'finish' && !trip.done.has('settle')) return page('Settle it first.', 409);
      trip.done.add(action ?? '');
      return moved(`/trips/${id}`);
    }
    const paid = 30 + (trip.done.has('donate') ? 10 : 0);
    const left = 40 - (trips.length % 7);
    if (action !== 'ticket') return page(`<p>To settle: 30. A donation you may give: 10. Seats left: ${left}</p>`);
    return trip.done.has('finish') ? page(`<p>Paid: ${paid}. Seats left: ${left}</p>`) : REFUSED;
  }

  return (asked) => {
    const loan = lend(asked);
    if (loan) return loan;
    const { method, path, query, form } = asked;
    const value = query.get('q') ?? form.get('q') ?? '';
    const feature = READS[path]?.(value, asked);
    if (feature) return feature;
    const seconds = /^\/delay\/(\d+)$/.exec(path)?.[1];
    if (seconds !== undefined) return { ...page('Done.'), seconds: 0.02 + Number(seconds) };
    const trip = travel(asked);
    if (trip) return trip;
    if (method !== 'GET') return write(asked) ?? pin(asked) ?? ABSENT;
    if (path === '/notices') {
      const shown = notices.slice(-20).map(({ text }) => `<li>${text}</li>`);
      return page(`<ul>${shown.join('')}</ul>`);
    }
    if (path === '/feed') {
      const isAll = query.get('of') === 'all' && asked.as !== null;
      return page(
        posts
          .filter((post) => isAll && post.isPublic)
          .slice(-20)
          .map(({ text }) => `<p>${text}</p>`)
          .join(''),
      );
    }
    return read(asked) ?? (path === '/' ? page('<a href="/feed?of=all">All posts</a>') : ABSENT);
  };
}
