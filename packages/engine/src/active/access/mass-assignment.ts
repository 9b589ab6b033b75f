import { type Asking, defineRequestCheck, type Nonce } from '../../active-check.ts';
import type { InventoryItem } from '../../crawl/inventory.ts';
import { requestOf } from '../../crawl/write-request.ts';
import { readJson, textOf } from '../../oracle/private-content.ts';
import type { PointRequest } from '../../point.ts';

type Value = string | number | boolean;

/** A field that is shown but not meant to be written, and what it was. */
interface Variant {
  field: string;
  before: Value;
}

const LABELS = {
  first: 'what is there',
  usual: 'a change as pages make it',
  second: 'what is there after it',
  added: 'the same change with a field that is not meant to be written',
  third: 'what is there then',
  back: 'the field as it was',
} as const;

/** What decides over rights and money, and can be put back. What belongs to whom is left alone: that cannot. */
const PRIVILEGED =
  /^(?:role|is_?admin|admin|is_?staff|is_?superuser|(?:email_?|is_?)?verified|is_?premium|plan|tier|level|balance|credits?|points|discount|quota|limit)$/i;

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const read = readJson(text);
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : {};
}

/** Also where the thing is wrapped, as in {"data": …}. */
function fieldIn(text: string, field: string): unknown {
  const fields = fieldsOf(text);
  if (field in fields) return fields[field];
  return Object.values(fields)
    .map((inner) => fieldsOf(JSON.stringify(inner) ?? ''))
    .find((inner) => field in inner)?.[field];
}

const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value);

/** Another one of the same kind, of which nobody has more for it if that is possible. */
function otherThan({ field, before }: Variant, { word, numbers }: Nonce): Value {
  if (typeof before === 'boolean') return !before;
  if (typeof before === 'number') return numbers.find((number) => number !== before) ?? 0;
  return /role/i.test(field) && before !== 'admin' ? 'admin' : word;
}

const written = (item: InventoryItem) => fieldsOf(requestOf(item).body?.toString() ?? '');
const reading = ({ url }: InventoryItem): PointRequest => ({ method: 'GET', url });

function writing(item: InventoryItem, added: Readonly<Record<string, Value>>): PointRequest {
  return { ...requestOf(item), body: JSON.stringify({ ...written(item), ...added }) };
}

async function fieldsToTry(item: InventoryItem, { ask }: Asking): Promise<Variant[]> {
  const text = textOf(await ask(reading(item)));
  const shown = [
    fieldsOf(text),
    ...Object.values(fieldsOf(text)).map((inner) => fieldsOf(JSON.stringify(inner) ?? '')),
  ];
  const meant = written(item);
  return shown
    .flatMap((fields) => Object.entries(fields))
    .flatMap(([field, before]) =>
      PRIVILEGED.test(field) && isValue(before) && !(field in meant) ? [{ field, before }] : [],
    )
    .slice(0, MOST_FIELDS);
}
const MOST_FIELDS = 3;

export default defineRequestCheck<Variant>({
  id: 'mass-assignment',
  title: 'An account can write fields of its own that decide over its rights',
  cwe: 915,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:H/A:N',
  why: 'The target writes every field that it is sent, also those that no page offers. With them accounts give themselves rights, credit or a verified address.',
  fix: 'Take only the fields that an account may change from the request, by a list of them. Do not hand the request to the record as a whole.',
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (item) =>
    item.seenAs !== null &&
    (item.method === 'PUT' || item.method === 'PATCH') &&
    Object.keys(written(item)).length > 0 &&
    item.operation === undefined,
  variants: [{ field: 'role', before: '' }],
  probe: (item, _nonce, asking) => fieldsToTry(item, asking),
  maxRequests: 40,
  proof: {
    plan: (item, variant, nonce) => [
      { label: LABELS.first, request: reading(item) },
      { label: LABELS.usual, request: requestOf(item) },
      { label: LABELS.second, request: reading(item) },
      { label: LABELS.added, request: writing(item, { [variant.field]: otherThan(variant, nonce) }) },
      { label: LABELS.third, request: reading(item) },
      { label: LABELS.back, request: writing(item, { [variant.field]: variant.before }), isCleanUp: true },
    ],
    judge(answers, variant, nonce) {
      const read = [LABELS.first, LABELS.second, LABELS.third].map((label) => answers.get(label));
      if (read.some((answer) => !answer?.response)) return 'VOID';
      const [first, second, third] = read.map((answer) =>
        answer ? fieldIn(textOf(answer), variant.field) : undefined,
      );
      const sought = otherThan(variant, nonce);
      // What changes with every change, or was so before, was not written by us.
      return first === variant.before && second === first && third === sought ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'application/json' };
    const keep = (allowed: readonly string[]) => {
      const profile: Record<string, unknown> = { name: 'Alice', role: 'customer', points: 3 };
      return ({ method, body }: { method: string; body: string }) => {
        const sent = Object.entries(method === 'PATCH' ? fieldsOf(body) : {});
        for (const [field, value] of sent) if (allowed.includes(field)) profile[field] = value;
        // Says what it was sent, whether it has kept it or not.
        return { headers, body: JSON.stringify({ ...profile, ...Object.fromEntries(sent) }) };
      };
    };
    return {
      item: {
        method: 'PATCH',
        url: '/me',
        parameters: [{ location: 'json', name: '/name', value: 'Alice' }],
        body: { type: 'application/json', text: '{"name":"Alice"}' },
        seenAs: 'alice',
        contentType: 'application/json',
      },
      vulnerable: keep(['name', 'role', 'points']),
      safe: keep(['name']),
    };
  },
});
