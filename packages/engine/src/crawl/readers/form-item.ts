import { effectOf, judge } from '../effect/judge.ts';
import { type FormField, ID_NAME, type PageForm } from '../effect/page-form.ts';
import { plain } from '../effect/plain.ts';
import { keeps } from '../effect/reading-form.ts';
import { changesThing } from '../effect/write-target.ts';
import { factsOf } from '../inventory/effects.ts';
import { type InventoryItem, type Parameter, parametersOf } from '../inventory/inventory.ts';
import { namesThing } from './sample-values.ts';

/** Returns whether the bare URL of the form must not be requested: what its heading or its fields say holds there, too. */
export function isWithheld(form: PageForm): boolean {
  const effect = effectOf({ form });
  return effect === 'endangers' || (form.method === 'GET' && effect !== 'reads');
}

const isTooRiskyByWords = (form: PageForm) => effectOf({ form }) === 'endangers';

/**
 * Returns whether the form takes the password of an existing account: failed logins lock accounts, and a changed
 * password locks out its owner.
 */
const takesPassword = (form: PageForm) => form.fields.some(({ type }) => type === 'password') && !isRegistration(form);

export const isTooRisky = (form: PageForm) => isTooRiskyByWords(form) || takesPassword(form);

const SETS_PASSWORD = /passw(?:or)?d|pwd|credential/i;

/** Returns the request of a form that sets a password: only checks with accounts of the run's own send it. */
export function passwordFormOf(form: PageForm, seenAs: string | null): InventoryItem | undefined {
  const { method, action } = form;
  const isKnown = method === 'POST' && SETS_PASSWORD.test(new URL(action).pathname);
  if (!isKnown || !takesPassword(form) || isTooRiskyByWords(form)) return undefined;
  return { ...itemOfForm(form, seenAs), effect: 'endangers', why: 'it takes the password of an account' };
}

const REGISTERS = new RegExp(
  [
    'regist|sign[-_ ]?up|create|join|inscri|cadastr|invite',
    '(?<![a-z])(?:add|new)[-_ ]?(?:an?[-_ ]|new[-_ ])*(?:user|account|member|customer|employee|admin)',
    '(?:ajouter|nouvel)[-_ ]?(?:une?[-_ ])?(?:utilisateur|compte|membre)',
    '(?:anadir|agregar|nuevo|adicionar|novo)[-_ ]?(?:una?[-_ ]|uma?[-_ ])?(?:usuario|miembro|membro)',
    '(?:benutzer|konto|mitglied)[-_ ]?(?:hinzufu|anleg)|neuer[-_ ]benutzer',
  ].join('|'),
);
const OTHER_PURPOSE = /reset|forgot|recover|change|update|confirm|invite|(?<![a-z])add(?![a-z])/;

const describedBy = ({ action, words }: PageForm) => plain(`${new URL(action).pathname} ${words}`);

/** Returns whether the form creates a new account, which then belongs to the run. */
function isRegistration(form: PageForm): boolean {
  const passwords = form.fields.filter(({ type }) => type === 'password').length;
  // Three passwords are the old one and the new one twice.
  return passwords > 0 && passwords < 3 && REGISTERS.test(describedBy(form)) && !isTooRiskyByWords(form);
}
const LOGS_IN = /log[\s_-]?in|sign[\s_-]?in|anmeld|connexion|iniciar|entrar|accedi|inlog/i;
const MOST_LOGIN_FIELDS = 8;

/** Returns the request of a login form, which only login tests send; undefined for other forms. */
export function loginOf(form: PageForm, seenAs: string | null): InventoryItem | undefined {
  const { method, words, fields } = form;
  const passwords = fields.filter(({ type }) => type === 'password');
  const isNamed = fields.some(({ type }) => type === 'text' || type === 'email');
  // A password without a name logs visitors in; an account confirms something with it.
  const isLogin = passwords.length === 1 && (isNamed || seenAs === null) && fields.length <= MOST_LOGIN_FIELDS;
  if (!isLogin || OTHER_PURPOSE.test(describedBy(form)) || REGISTERS.test(describedBy(form))) return undefined;
  // The account is already logged in, so the form grants access to something else and takes no account's password.
  if (seenAs !== null && LOGS_IN.test(words) && !isTooRiskyByWords(form)) return itemOfForm(form, seenAs);
  return method === 'POST' || seenAs === null ? { ...itemOfForm(form, seenAs), effect: 'logsIn' } : undefined;
}

const UNSENT = new Set(['button', 'image', 'reset']);

/** Submits with the first of several buttons: many handlers do nothing without the name of a button. */
function sentFields({ fields, hasFiles }: PageForm): FormField[] {
  const pressed = fields.find(({ type }) => type === 'submit');
  return fields.filter(
    (field) =>
      !UNSENT.has(field.type) &&
      (field.type !== 'file' || hasFiles) &&
      (field.type !== 'submit' || field === pressed) &&
      (!field.isUnticked || field === chosenBox(field, fields)),
  );
}

/** Of several boxes with one name, unchecked ones are left out: the checked ones are sent, or the first of all. */
function chosenBox({ name, type }: FormField, fields: readonly FormField[]): FormField | undefined {
  const boxes = fields.filter((each) => each.type === type && each.name === name);
  return boxes.find(({ isUnticked }) => !isUnticked) ?? boxes[0];
}

/** Fields of a search that visitors leave empty, at least next to another one. */
const isLeftOut = ({ type, value, choice }: FormField) =>
  choice !== undefined || ((type === 'text' || type === 'search') && value === '');

/** Returns the request that a form sends, with example values in empty fields. */
export function itemOfForm(form: PageForm, seenAs: string | null): InventoryItem {
  const { method, action, hasFiles } = form;
  const isQuery = method === 'GET';
  // Browsers replace the query of a GET form's action with its fields.
  const url = isQuery ? action.replace(/\?.*$/s, '') : action;
  const location = isQuery ? 'query' : hasFiles ? 'multipart' : 'form';
  const facts = factsOf(judge({ form }));
  const { effect, isComputing } = facts;
  // GET counts as a read, whatever its form says that it keeps.
  const mayWrite = (effect !== 'reads' && !isComputing) || keeps(form);
  const fields = mayWrite ? sentFields(form).map(withoutThing) : sentFields(form);
  const isSearch = effect === 'reads' && form.fields.some(({ choice }) => choice !== undefined);
  const ofFields = fields.flatMap((field) =>
    isSearch && isLeftOut(field)
      ? [{ location, name: field.name, value: field.choice ?? valueFor(field), isOptional: true } as const]
      : parametersOfField(field, location, effect === 'reads' ? 'read' : changesThing(action) ? 'change' : 'write'),
  );
  return {
    method,
    url,
    parameters: [...parametersOf(url), ...ofFields],
    seenAs,
    contentType: '',
    source: 'form',
    ...facts,
    sightings: [{ as: seenAs, url, status: null }],
  };
}

function parametersOfField(
  field: FormField,
  location: Parameter['location'],
  action: 'read' | 'write' | 'change',
): Parameter[] {
  const { name, type, value, sample } = field;
  if (type === 'file') {
    return [
      { location, name, value: 'test' },
      { location: 'fileName', name, value: 'test.txt' },
    ];
  }
  const isId = ID_NAME.test(name);
  // An invented ID would make the form change the data of other users; without one, it creates something.
  const staysEmpty = type === 'submit' || (action !== 'read' && type === 'hidden') || (action === 'change' && isId);
  // The same holds for IDs in a document that a visitor types in.
  const isAsked = (isId || (!value && sample !== undefined)) && action === 'write' && type !== 'hidden';
  return [{ location, name, value: value || (staysEmpty ? '' : valueFor(field)), ...(isAsked && { isAsked }) }];
}

const FILLERS: Readonly<Record<string, string>> = {
  email: 'someone@example.com',
  number: '1',
  range: '1',
  date: '2026-01-01',
  month: '2026-01',
  time: '12:00',
  'datetime-local': '2026-01-01T12:00',
  tel: '5550100',
  url: 'https://example.com/',
  color: '#336699',
  // Satisfies common password policies.
  password: 'Test-of-7-Words!',
};
/** Example values for fields without a specific type, by name. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/e-?mail/i, 'someone@example.com'],
  [/phone|mobile|^tel/i, '5550100'],
  [/zip|postal|plz/i, '10115'],
  [/url|website|homepage/i, 'https://example.com/'],
  [/quantity|amount|count(?!r)|qty|rating|(?<![a-z])age$|year/i, '1'],
  // Numbering usually starts at 1.
  [/(?:^|[_-])id$|[a-z]Id$|number$/, '1'],
];

/** An example with the ID of a thing would make a form that writes change that of another user. */
function withoutThing({ sample, ...field }: FormField): FormField {
  return sample === undefined || namesThing(sample) ? field : { ...field, sample };
}

/** Returns the example of the page, or one of our own. */
const valueFor = (field: FormField) => field.sample ?? fillerFor(field);

/** Returns a valid value for a field by its type, otherwise by its name. */
export function fillerFor({ type, name }: Pick<FormField, 'type' | 'name'>): string {
  return FILLERS[type] ?? BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? 'test';
}
