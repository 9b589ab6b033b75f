import { isRecord } from '../inventory/example-value.ts';

/** What an error response says about the parameters of a request. */
export interface ErrorHints {
  /** Values that a parameter accepts, by its name. */
  values: Map<string, string[]>;
  /** Query parameters that the request lacks. */
  missing: string[];
}

const MOST_CHARACTERS = 5_000;
const MOST_VALUES = 5;
const MOST_MISSING = 5;
const MOST_MESSAGES = 100;

/** A message, and the names of fields it stands at. */
interface Message {
  text: string;
  about: string[];
}

/** Reads an error response to a request with these parameters. */
export function readErrorHints(text: string, names: readonly string[]): ErrorHints {
  const hints: ErrorHints = { values: new Map(), missing: [] };
  for (const message of messagesOf(text.slice(0, MOST_CHARACTERS))) {
    const missing = missingIn(message).filter((name) => !names.includes(name) && !hints.missing.includes(name));
    hints.missing.push(...missing.slice(0, MOST_MISSING - hints.missing.length));
    const values = valuesIn(message.text);
    const subject = values.length > 0 ? subjectOf(message, [...names, ...hints.missing]) : undefined;
    if (subject !== undefined && !hints.values.has(subject)) hints.values.set(subject, values.slice(0, MOST_VALUES));
  }
  return hints;
}

const FIELDS = ['field', 'param', 'parameter', 'property', 'path', 'name', 'propertyPath'];

function messagesOf(text: string): Message[] {
  const messages: Message[] = [];
  const waiting: [value: unknown, about: string[]][] = [[parsed(text) ?? text, []]];
  for (let next = waiting.shift(); next && messages.length < MOST_MESSAGES; next = waiting.shift()) {
    const [value, about] = next;
    if (typeof value === 'string') messages.push({ text: value, about });
    else if (Array.isArray(value)) waiting.push(...value.map((each): [unknown, string[]] => [each, about]));
    else if (isRecord(value)) {
      const told = FIELDS.map((name) => value[name]).filter((each) => typeof each === 'string');
      const place = Array.isArray(value.loc) ? value.loc.slice(-1).map(String) : [];
      waiting.push(
        ...Object.entries(value).map(([name, each]): [unknown, string[]] => [
          each,
          [...place, ...told, name, ...about],
        ]),
      );
    }
  }
  return messages;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function subjectOf({ text, about }: Message, names: readonly string[]): string | undefined {
  const isIn = (name: string) => new RegExp(`(?<![\\w-])${name.replace(/[^\w-]/g, '.')}(?![\\w-])`, 'i').test(text);
  return (
    about.find((each) => names.includes(each)) ??
    names.filter((name) => name.length > 1).find(isIn) ??
    (names.length === 1 ? names[0] : undefined)
  );
}

const CHOICES =
  /(?:one of|permitted|allowed|accepted|supported|following values|valid (?:values|options|choices)|choices|expected|should be|must be(?: either)?|enum(?:eration)? class)\b/gi;
const WORD = /^[\w.-]{1,40}$/;

function valuesIn(text: string): string[] {
  return [enumIn, choicesIn, dateIn, boundIn, typeIn].map((read) => read(text)).find((each) => each.length > 0) ?? [];
}

/** GraphQL: "Value "x" does not exist in "Order" enum. Did you mean the enum value "UP" or "DOWN"?" */
function enumIn(text: string): string[] {
  const [, told = ''] = /Did you mean the enum value ((?:"\w{1,60}"[, or]{0,5}){1,10})/.exec(text) ?? [];
  return [...told.matchAll(/"(\w+)"/g)].map(([, value = '']) => value);
}

/** "must be one of a, b, c", "Input should be 'a' or 'b'", "permitted: 'a', 'b'", "Enum class: [A, B]" */
function choicesIn(text: string): string[] {
  const rests = [...text.matchAll(CHOICES)].slice(0, 5).map(({ index, 0: word }) => text.slice(index + word.length, index + 600)); // biome-ignore format: one expression
  return rests.map(listIn).find((each) => each.length > 0) ?? [];
}

function listIn(rest: string): string[] {
  const quoted = [...rest.matchAll(/(["'`])([\w.-]{1,40})\1/g)].map(([, , value = '']) => value);
  if (quoted.length > 1) return quoted;
  const [list = ''] = /[^.;\n]*/.exec(rest.replace(/^[^:[({]{0,80}[:[({][:[({\s]*/, '')) ?? [];
  const parts = list
    .replace(/[\])}"'`]/g, '')
    .split(/\s*(?:,|\||\bor\b|\band\b|\/)\s*/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
  return parts.length > 1 && parts.every((each) => WORD.test(each)) ? parts : [];
}

const DATE: Readonly<Record<string, string>> = { y: '2026', m: '01', d: '02' };

function dateIn(text: string): string[] {
  const [format] = /\b(?:y{4}|dd?|mm?)([-/.])(?:mm?|dd?)\1(?:dd?|y{4})\b/i.exec(text) ?? [];
  if (format) return [format.replace(/[ymd]+/gi, (part) => DATE[(part[0] ?? '').toLowerCase()] ?? part)];
  if (/iso[\s-]?8601|date-?time|valid datetime/i.test(text)) return ['2026-01-02T12:00:00Z'];
  return /valid date|date format/i.test(text) ? ['2026-01-02'] : [];
}

function boundIn(text: string): string[] {
  const [, least] = /(?:>=|≥|at least|greater than or equal to|not be (?:less|lower) than|minimum(?: is| of)?|between)\s*(-?\d{1,9})/i.exec(text) ?? []; // biome-ignore format: one expression
  const [, most] = /(?:<=|≤|at most|less than or equal to|not be (?:greater|more|larger) than|not exceed|maximum(?: is| of)?)\s*(-?\d{1,9})/i.exec(text) ?? []; // biome-ignore format: one expression
  const [, above] = /(?:greater|more|larger) than\s+(-?\d{1,9})/i.exec(text) ?? [];
  const [, below] = /(?:less|lower|smaller) than\s+(-?\d{1,9})/i.exec(text) ?? [];
  const found = least ?? most ?? (above && String(Number(above) + 1)) ?? (below && String(Number(below) - 1));
  return found === undefined ? [] : [found];
}

/** Type names as validators write them, with a value of the type. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/valid uuid|uuid_parsing|uuid string/i, '00000000-0000-4000-8000-000000000001'],
  [/valid e-?mail/i, 'someone@example.com'],
  [/valid (?:int|number)|must be an? (?:int|number)|int_parsing|NumberFormatException|type ['"]?(?:int|long|integer)\b/i, '1'],
  [/valid bool|must be a? ?bool|bool_parsing/i, 'true'],
]; // biome-ignore format: one type per line

const typeIn = (text: string): string[] => TYPES.filter(([pattern]) => pattern.test(text)).map(([, value]) => value);

const NAME = /^[A-Za-z_][\w.-]{0,40}$/;
const STOPS =
  /^(?:field|value|parameter|param|it|this|is|query|request|body|json|authentication|authorization|login|token|id_token)$/i;

/** "Required request parameter 'q' is not present", "missing parameter: q", "q is required", pydantic's "Field required" */
function missingIn({ text, about }: Message): string[] {
  const isBare = /^(?:this )?field (?:is )?required\.?$|^required\.?$|^missing$/i.test(text.trim());
  if (isBare) return about.slice(0, 1).filter((name) => NAME.test(name) && !STOPS.test(name) && name !== 'msg');
  const found = [
    ...text.matchAll(/(?:missing|required)[\w\s]{0,40}(?:parameters?|params?|argument|field)\s?:?\s?["'`]?([A-Za-z_][\w.-]{0,40})["'`]?/gi),
    ...text.matchAll(/["'`]([A-Za-z_][\w.-]{0,40})["'`](?: query)?(?: parameter| param| field)? (?:is |are )?(?:required|missing)/gi),
    ...text.matchAll(/(?:^|[\s.,])([A-Za-z_][\w-]{0,40}) (?:is required|is missing|(?:query )?parameter is required|should not be empty|must not be (?:null|empty))/gi),
  ]; // biome-ignore format: one way to say it per line
  return found.map(([, name = '']) => name).filter((name) => NAME.test(name) && !STOPS.test(name));
}
