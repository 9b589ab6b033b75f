import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Asked, type ClaimTarget, claim } from '@sortie/testing/engine/claims.ts';

const moved = (location: string) => ({ status: 303, headers: { location } });

interface Loan {
  status: string;
  declared: number | undefined;
  approved: boolean;
}

interface Rules {
  /** Whether the target accepts the application. */
  accepts(loan: Loan): boolean;
  /** Forms that a page offers, by the end of their path. */
  offers?(loan: Loan): string[];
  /** What the page of the application shows. */
  shows?(loan: Loan, sent: number): string;
  /** Forms of the page above, where all applications are. */
  list?(id: number): string[];
  /** Forms of the desk, a page that the page of each application links to. */
  desk?(id: number): string[];
  /** What the page of an application has besides. */
  more?(id: number): string;
  refusal?: number;
}

const KNOWN = 1_000;
const isRich = ({ declared }: Loan) => (declared ?? 0) >= KNOWN;
const inTurn = (loan: Loan) => (loan.declared === undefined ? ['declare'] : isRich(loan) ? ['send'] : []);

/** Applications for a loan: created, with an income declared, approved or taken back, and sent. */
function bank({
  accepts,
  offers = inTurn,
  shows = ({ status }) => status,
  list = () => [],
  refusal = 409,
  ...rules
}: Rules) {
  const loans: Loan[] = [];
  const page = (paths: string[], text: string) => ({
    headers: { 'content-type': 'text/html' },
    body: `<p>Status: ${text}.</p>${paths.map((path) => `<form method="post" action="${path}"><button>Go</button></form>`).join('')}`,
  });
  const target: ClaimTarget = ({ method, path, form }: Asked) => {
    if (path === '/desk') {
      const forms = loans.flatMap((_, at) => rules.desk?.(at) ?? []);
      return page(forms, 'open');
    }
    const [, id, action] = /^\/loans(?:\/(\d+))?(?:\/(\w+))?$/.exec(path) ?? [];
    if (id === undefined) {
      if (method === 'GET')
        return page(
          loans.flatMap((_, at) => list(at)),
          'all',
        );
      return moved(`/loans/${loans.push({ status: 'draft', declared: undefined, approved: false }) - 1}`);
    }
    const loan = loans[Number(id)];
    if (!loan || (method === 'GET' && action !== undefined)) return { status: 404, body: 'no such page' };
    if (method === 'GET') {
      const sent = loans.filter(({ status }) => status === 'sent').length;
      const shown = page(
        offers(loan).map((each) => `/loans/${id}/${each}`),
        shows(loan, sent),
      );
      return { ...shown, body: `${shown.body}${rules.more?.(Number(id)) ?? ''}<a href="/desk">Desk</a>` };
    }
    if (action === 'declare') loan.declared = Number(form.get('income'));
    if (action === 'approve') Object.assign(loan, { approved: true, status: 'approved' });
    if (action === 'withdraw') Object.assign(loan, { status: 'draft' });
    if (action !== 'send') return moved(`/loans/${id}`);
    if (!accepts(loan)) return { status: refusal, body: 'refused' };
    loan.status = 'sent';
    return moved(`/loans/${id}`);
  };
  return target;
}

const step = (key: string, path: string, more: object = {}) => ({ key, label: key, as: 'alice', path, ...more });
const post = (key: string, path: string, more: object = {}) => step(key, path, { method: 'POST', ...more });
const income = (amount: number) => ({ form: { income: String(amount) } });

type Write = readonly [action: string, more?: object];

function course(name: string, writes: readonly Write[]) {
  const at = `/loans/{{${name}new.id}}`;
  const take = [{ name: 'status', from: 'text', by: 'Status: ([\\w ]+)' }];
  const steps = [
    post(`${name}new`, '/loans', { take: [{ name: 'id', from: 'location', by: '/(\\d+)$' }] }),
    ...writes.map(([action, more]) => post(`${name}${action}`, `${at}/${action}`, more)),
    step(`${name}page`, at, { take }),
    post(`${name}send`, `${at}/send`),
    step(`${name}result`, at, { take }),
  ];
  const keys = steps.map(({ key }) => key);
  return { steps, named: { steps: keys, before: `${name}page.status`, after: `${name}result.status` } };
}

function courses(regular: readonly Write[], refused: readonly Write[], attack: readonly Write[]) {
  const [r, d, a] = [course('r', regular), course('d', refused), course('a', attack)];
  return {
    version: 2,
    class: 'sequence-bypass',
    steps: [...r.steps, ...d.steps, ...a.steps],
    oracle: { kind: 'state', regular: r.named, refused: d.named, attack: a.named },
  };
}

const skipped = courses([['declare', income(5_000)]], [['declare', income(10)]], []);
const undone = courses([['approve']], [], [['approve'], ['withdraw']]);
/** The flaw: the income is looked at if it was declared. */
const ifDeclared = (loan: Loan) => loan.declared === undefined || isRich(loan);
const whenApproved = (loan: Loan) => (loan.status === 'approved' ? ['send', 'withdraw'] : ['approve']);

describe('a difference of state', () => {
  it('is confirmed where an action that was refused in its order is accepted without a step', async () => {
    const { verdict, reason } = await claim(skipped, bank({ accepts: ifDeclared }));
    assert.equal(verdict, 'CONFIRMED', reason);
  });

  it('is confirmed where an action is accepted in the state in which it was refused', async () => {
    const target = bank({ accepts: ({ approved }) => approved, offers: whenApproved });
    const { verdict, reason } = await claim(undone, target);
    assert.equal(verdict, 'CONFIRMED', reason);
  });

  it('is confirmed by a count as well', async () => {
    const { verdict, reason } = await claim(
      skipped,
      bank({ accepts: ifDeclared, shows: (_loan, sent) => String(sent) }),
    );
    assert.equal(verdict, 'CONFIRMED', reason);
  });

  const honest: [string, object, ClaimTarget][] = [
    ['the safe twin of a skipped step', skipped, bank({ accepts: isRich })],
    [
      'the safe twin of an undone step',
      undone,
      bank({ accepts: ({ status }) => status === 'approved', offers: whenApproved }),
    ],
    [
      'another result',
      skipped,
      bank({
        accepts: ifDeclared,
        shows: ({ status, declared }) => (status === 'sent' && declared === undefined ? 'in review' : status),
      }),
    ],
    [
      'a state that changes by itself',
      skipped,
      (() => {
        let count = 0;
        return bank({ accepts: ifDeclared, shows: () => String(count++) });
      })(),
    ],
    ['a refusal that hides a success', skipped, bank({ accepts: () => true })],
    ['a limit of the rate', skipped, bank({ accepts: ifDeclared, refusal: 429 })],
    [
      'a refusal that is over',
      skipped,
      (() => {
        let asked = 0;
        return bank({ accepts: (loan) => ifDeclared(loan) || ++asked % 2 === 0 });
      })(),
    ],
  ];
  for (const [what, experiment, target] of honest) {
    it(`is nothing at ${what}`, async () => {
      const { verdict, reason } = await claim(experiment, target);
      assert.equal(verdict, 'NOTHING', reason);
    });
  }

  const allowed: [string, object, ClaimTarget, RegExp][] = [
    [
      'offers the action without the step',
      skipped,
      bank({ accepts: ifDeclared, offers: (loan) => [...inTurn(loan), 'send'] }),
      /offers the action in this order/,
    ],
    [
      'offers it on a page above',
      skipped,
      bank({ accepts: ifDeclared, list: (id) => [`/loans/${id}/send`] }),
      /on a page above/,
    ],
    [
      'offers it on a linked page, which the experiment leaves out',
      skipped,
      bank({ accepts: ifDeclared, desk: (id) => [`/loans/${id}/send`] }),
      /on a page above or a linked one/,
    ],
    [
      'offers it by a script',
      skipped,
      bank({
        accepts: ifDeclared,
        more: (id) => `<button data-post="/loans/${id}/send">Send</button>`,
      }),
      /offers the action in this order/,
    ],
    [
      'offers it nowhere',
      skipped,
      bank({ accepts: ifDeclared, offers: () => ['declare'] }),
      /its absence says nothing/,
    ],
    [
      'does not ask for the step',
      skipped,
      bank({ accepts: ifDeclared, offers: (loan) => (isRich(loan) ? ['send'] : []) }),
      /may not be needed/,
    ],
    [
      'shows another state than before the refusal',
      undone,
      bank({
        accepts: ({ approved }) => approved,
        offers: whenApproved,
        shows: ({ status, approved }) => (status === 'draft' && approved ? 'paused' : status),
      }),
      /not the one in which/,
    ],
  ];
  for (const [what, experiment, target, why] of allowed) {
    it(`is FIRM at most where the target ${what}`, async () => {
      const { verdict, reason } = await claim(experiment, target);
      assert.deepEqual([verdict, why.test(reason)], ['FIRM', true], reason);
    });
  }

  const { steps, oracle } = skipped;
  const changed = (from: string | RegExp, to: string) => JSON.parse(JSON.stringify(skipped).replace(from, to));
  const unfit: [string, object, RegExp][] = [
    [
      'courses of several accounts',
      changed(/"key":"asend","label":"asend","as":"alice"/, '"key":"asend","label":"asend","as":"bob"'),
      /of one account/,
    ],
    ['a write outside of them', { ...skipped, steps: [...steps, post('more', '/loans')] }, /outside of the courses/],
    [
      'an attack before the control',
      { ...skipped, oracle: { ...oracle, refused: oracle.attack, attack: oracle.refused } },
      /regular, then refused/,
    ],
    ['an object of another course', changed('/loans/{{dnew.id}}/send', '/loans/{{rnew.id}}/send'), /its own course/],
    ['another action', changed('/loans/{{anew.id}}/send', '/loans/{{anew.id}}/cancel'), /must be the same in all/],
    [
      'another value in the step that stays',
      courses([['declare', income(5_000)]], [['declare', income(10)]], [['declare', income(20)]]),
      /must leave out a step/,
    ],
    [
      'nothing left out',
      courses([['declare', income(5_000)]], [['declare', income(10)]], [['declare', income(5_000)]]),
      /must leave out a step/,
    ],
    [
      'a cancellation left out',
      courses([['declare', income(5_000)]], [['cancel']], []),
      /must be a step of the regular course/,
    ],
    [
      'a step added that undoes nothing',
      courses([['approve']], [], [['approve'], ['declare', income(5_000)]]),
      /must undo a step/,
    ],
    ['version 1', { ...skipped, version: 1 }, /needs "version": 2/],
  ];
  for (const [what, experiment, why] of unfit) {
    it(`may not have ${what}`, async () => {
      const { verdict, reason, requests } = await claim(experiment, bank({ accepts: ifDeclared }));
      assert.deepEqual([verdict, requests], ['REFUSED', 0]);
      assert.match(reason, why);
    });
  }
});
