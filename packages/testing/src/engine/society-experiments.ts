import { Experiment } from '@sortie/contract';

/** Experiments for the flaws of the range that take understanding, as an expert would write them by hand. */

const redirected = (name = 'id') => ({ name, from: 'location', by: '/(\\w+)$' });
const amount = (name: string, before: string) => ({ name, from: 'text', by: `${before}\\s*(\\d+)` });
const post = (key: string, path: string, more: object = {}) => ({
  key,
  label: key,
  as: 'alice',
  method: 'POST',
  path,
  ...more,
});
const get = (key: string, path: string, more: object = {}) => ({ key, label: key, as: 'alice', path, ...more });

const experiment = (name: string, steps: object[], oracle: object): Experiment =>
  Experiment.parse({ class: name, hypothesis: name, steps, oracle });

const hiddenPrice = (path: string) =>
  experiment(
    'price-manipulation',
    [
      get('page', `${path}/prints`, { take: [amount('price', 'Price:')] }),
      post('order', `${path}/prints`, { form: { price: '{{page.price}}' }, take: [redirected()] }),
      get('result', `${path}/prints/{{order.id}}`, { take: [amount('total', 'Total:')] }),
      get('page2', `${path}/prints`),
      post('order2', `${path}/prints`, { form: { price: '3' }, take: [redirected()] }),
      get('result2', `${path}/prints/{{order2.id}}`, { take: [amount('total', 'Total:')] }),
    ],
    {
      kind: 'difference',
      shown: 'page.price',
      honest: { steps: ['page', 'order', 'result'], after: 'result.total' },
      attack: { steps: ['page2', 'order2', 'result2'], after: 'result2.total' },
    },
  );

function hampers(path: string): Experiment {
  const course = (name: string, quantity: string) => [
    get(`${name}page`, `${path}/hampers`),
    post(`${name}order`, `${path}/hampers`, { form: { quantity }, take: [redirected()] }),
    get(`${name}shown`, `${path}/hampers/{{${name}order.id}}`, { take: [amount('total', 'Total:')] }),
    post(`${name}confirm`, `${path}/hampers/{{${name}order.id}}/confirm`, { form: { quantity: '5' } }),
    get(`${name}result`, `${path}/hampers/{{${name}order.id}}/receipt`, { take: [amount('total', 'Total:')] }),
  ];
  const stepsOf = (name: string) => ['page', 'order', 'shown', 'confirm', 'result'].map((each) => name + each);
  return experiment('price-manipulation', [...course('h', '5'), ...course('a', '1')], {
    kind: 'difference',
    shown: 'hshown.total',
    honest: { steps: stepsOf('h'), after: 'hresult.total' },
    attack: { steps: stepsOf('a'), after: 'aresult.total' },
  });
}

function vouchers(path: string): Experiment {
  const course = (name: string, letters: string) => [
    post(`${name}new`, `${path}/vouchers`, { take: [redirected()] }),
    get(`${name}page`, `${path}/vouchers/{{${name}new.id}}`, {
      take: [{ name: 'code', from: 'text', by: '(SPRING-\\w+)' }],
    }),
    post(`${name}once`, `${path}/vouchers/{{${name}new.id}}/apply`, { form: { code: `{{${name}page.code}}` } }),
    get(`${name}shown`, `${path}/vouchers/{{${name}new.id}}/total`, { take: [amount('total', 'Total:')] }),
    post(`${name}twice`, `${path}/vouchers/{{${name}new.id}}/apply`, {
      form: { code: `{{${name}page.code${letters}}}` },
    }),
    get(`${name}result`, `${path}/vouchers/{{${name}new.id}}/total`, { take: [amount('total', 'Total:')] }),
  ];
  const stepsOf = (name: string) => ['new', 'page', 'once', 'shown', 'twice', 'result'].map((each) => name + each);
  return experiment('business-logic', [...course('h', ''), ...course('a', '|lower')], {
    kind: 'difference',
    shown: 'hshown.total',
    honest: { steps: stepsOf('h'), after: 'hresult.total' },
    attack: { steps: stepsOf('a'), after: 'aresult.total' },
  });
}

interface Flow {
  room: string;
  charge: string;
  due: string;
  balance: string;
  last: string;
  result: string;
  inserted?: string;
}

/** A course that is charged and comes to its end, and one that leaves the charge out or takes it back. */
function flow(path: string, { room, charge, due, balance, last, result, inserted }: Flow): Experiment {
  const course = (name: string, middle: string[]) => [
    post(`${name}new`, `${path}/${room}`, { take: [redirected()] }),
    get(`${name}page`, `${path}/${room}/{{${name}new.id}}`, { take: [amount('due', due), amount('balance', balance)] }),
    ...middle.map((each) => post(`${name}${each}`, `${path}/${room}/{{${name}new.id}}/${each}`)),
    post(`${name}last`, `${path}/${room}/{{${name}new.id}}/${last}`),
    get(`${name}result`, `${path}/${room}/{{${name}new.id}}/${result}`, { take: [amount('balance', balance)] }),
  ];
  const [honest, attack] = [course('h', [charge]), course('a', inserted === undefined ? [] : [charge, inserted])];
  const of = (steps: { key: string }[], name: string) => ({
    steps: steps.map(({ key }) => key),
    before: `${name}page.balance`,
    after: `${name}result.balance`,
  });
  return experiment('workflow-bypass', [...honest, ...attack], {
    kind: 'difference',
    shown: 'hpage.due',
    honest: of(honest, 'h'),
    attack: of(attack, 'a'),
  });
}

const voyages = {
  room: 'voyages',
  charge: 'settle',
  due: 'settle:',
  balance: 'card:',
  last: 'ticket',
  result: 'ticket',
};
const tables = {
  room: 'tables',
  charge: 'hold',
  due: 'Fee:',
  balance: 'Credit:',
  last: 'seat',
  result: 'card',
  inserted: 'cancel',
};

/** Alice keeps a word that bob may not read at its own address. */
function secret(
  path: string,
  name: string,
  room: string,
  attack: { before?: object[]; honest: object; attack: object },
) {
  return experiment(
    name,
    [
      post('write', `${path}/${room}`, { form: { text: '{{word}}' }, take: [redirected()] }),
      get('home', `${path}/${room}/{{write.id}}`),
      ...(attack.before ?? []),
      { label: 'honest', key: 'honest', as: 'bob', ...attack.honest },
      ...('between' in attack ? (attack.between as object[]) : []),
      { label: 'attack', key: 'attack', as: 'bob', ...attack.attack },
      get('refused', `${path}/${room}/{{write.id}}`, { as: 'bob' }),
    ],
    { kind: 'canary', write: 'write', home: 'home', attack: 'attack', honest: 'honest', refused: 'refused' },
  );
}

const papers = (path: string) =>
  secret(path, 'filter-bypass', 'papers', {
    before: [post('own', `${path}/papers`, { as: 'bob', form: { text: 'mine' }, take: [redirected()] })],
    honest: { path: `${path}/papers/{{own.id}}?view=print` },
    attack: { path: `${path}/papers/{{write.id}}?view=print` },
  });

const ledgers = (path: string) =>
  secret(path, 'tenant-isolation', 'ledgers', {
    honest: { path: `${path}/ledgers/export` },
    attack: { path: `${path}/ledgers/export`, query: { team: 'red' } },
  });

const shelves = (path: string) =>
  secret(path, 'object-access', 'shelves', {
    honest: { path: `${path}/shelves/summary` },
    ...{ between: [post('choose', `${path}/shelves/favourite`, { as: 'bob', form: { shelf: '{{write.id}}' } })] },
    attack: { path: `${path}/shelves/summary` },
  });

const boxes = (path: string) =>
  secret(path, 'predictable-token', 'boxes', {
    before: [
      post('lost', `${path}/boxes/lost`, { as: 'bob', take: [redirected('token')] }),
      post('lost2', `${path}/boxes/lost`),
    ],
    honest: { path: `${path}/spare/{{lost.token}}` },
    attack: { path: `${path}/spare/{{lost.token+1}}` },
  });

const notices = (path: string) =>
  experiment(
    'function-access',
    [
      post('allowed', `${path}/notices`, { as: 'admin', form: { text: '{{word}}' } }),
      post('refused', `${path}/notices`, { form: { text: '{{word2}}' } }),
      post('attack', `${path}/notices`, { form: { text: '{{word3}}', role: 'editor' } }),
      get('seen', `${path}/notices`),
    ],
    { kind: 'forbidden', attack: 'attack', seen: 'seen', refused: 'refused', allowed: 'allowed' },
  );

/** Files a permit as meant, with too many days, and without any. */
function permits(path: string, room: string): Experiment {
  const status = [{ name: 'status', from: 'text', by: 'Status: (\\w+)' }];
  const course = (name: string, days: string | undefined) => {
    const at = `${path}/${room}/{{${name}new.id}}`;
    const steps = [
      post(`${name}new`, `${path}/${room}`, { take: [redirected()] }),
      ...(days === undefined ? [] : [post(`${name}declare`, `${at}/declare`, { form: { days } })]),
      get(`${name}page`, at, { take: status }),
      post(`${name}file`, `${at}/file`),
      get(`${name}result`, at, { take: status }),
    ];
    const keys = steps.map(({ key }) => key);
    return { steps, named: { steps: keys, before: `${name}page.status`, after: `${name}result.status` } };
  };
  const [regular, denied, attack] = [course('r', '5'), course('d', '99'), course('a', undefined)];
  return Experiment.parse({
    ...{ version: 2, class: 'sequence-bypass', hypothesis: 'sequence-bypass' },
    steps: [...regular.steps, ...denied.steps, ...attack.steps],
    oracle: { kind: 'state', regular: regular.named, refused: denied.named, attack: attack.named },
  });
}

/** For the decoy: both societies file a pass without days on purpose. */
export const passExperiment = (path: string): Experiment => permits(path, 'passes');

/** By the ids of the flaws, for the society that has them or the one that has not. */
export const societyExperiments = (path: string): Record<string, Experiment> => ({
  'hidden-price': hiddenPrice(path),
  'price-of-two-steps': hampers(path),
  'voucher-twice': vouchers(path),
  'skipped-payment': flow(path, voyages),
  'seat-after-cancel': flow(path, tables),
  'printed-view': papers(path),
  'export-of-other-team': ledgers(path),
  'stored-reference': shelves(path),
  'numbered-links': boxes(path),
  'stated-role': notices(path),
  'undeclared-permit': permits(path, 'permits'),
});
