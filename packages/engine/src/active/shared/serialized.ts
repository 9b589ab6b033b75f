/** Objects serialized by a language, as values of requests. */
export type Format = 'php' | 'node' | 'pickle' | 'yaml';
type Codec = 'plain' | 'base64' | 'base64url' | 'hex';

export interface Serialized {
  format: Format;
  codec: Codec;
  /** Decoded; bytes as Latin-1. */
  text: string;
}

const CODECS: Record<Codec, { fits: RegExp; decode(value: string): string; encode(text: string): string }> = {
  plain: { fits: /^/, decode: (value) => value, encode: (text) => text },
  hex: {
    fits: /^(?:[0-9a-f]{2}){6,}$/i,
    decode: (value) => Buffer.from(value, 'hex').toString('latin1'),
    encode: (text) => Buffer.from(text, 'latin1').toString('hex'),
  },
  base64: {
    fits: /^[A-Za-z0-9+/]{12,}={0,2}$/,
    decode: (value) => Buffer.from(value, 'base64').toString('latin1'),
    encode: (text) => Buffer.from(text, 'latin1').toString('base64'),
  },
  base64url: {
    fits: /^[\w-]{12,}$/,
    decode: (value) => Buffer.from(value, 'base64url').toString('latin1'),
    encode: (text) => Buffer.from(text, 'latin1').toString('base64url'),
  },
};

/** Arrays, objects and strings of PHP; the whole value has to look like one. */
const PHP = /^(?:a:\d+:\{[\s\S]*\}|O:\d+:"[\w\\]+":\d+:\{[\s\S]*\}|s:\d+:"[\s\S]*";)$/;
/** The texts of protocol 0 and 1, which begin with a mark or a name. */
const OLD_PICKLE = /^(?:\(|c\w+\n\w+\n)[\s\S]*\.$/;
/** The opcode that begins protocols 2 to 5. */
const PROTOCOL = 0x80;
const YAML = /^(?:---\s*\n)?[\w-]+:[ \t]+\S[^\n]*(?:\n[\w -]+:[^\n]*)*\s*$/;

const isPickle = (text: string) => {
  const [first, version = 0] = [text.charCodeAt(0), text.charCodeAt(1)];
  const isNew = first === PROTOCOL && version >= 2 && version <= 5 && text.endsWith('.');
  return isNew || OLD_PICKLE.test(text);
};

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
};

function formatOf(text: string, codec: Codec): Format | undefined {
  if (PHP.test(text)) return 'php';
  // JSON itself is data. Encoded, it may be an object of a serializer that restores functions.
  if (isObject(text)) return codec === 'plain' ? undefined : 'node';
  if (isPickle(text)) return 'pickle';
  return codec === 'plain' && YAML.test(text) ? 'yaml' : undefined;
}

const LONGEST = 20_000;

/** Returns what a value is serialized with; undefined if it is none. */
export function readSerialized(value: string): Serialized | undefined {
  if (value.length < 5 || value.length > LONGEST) return undefined;
  for (const codec of Object.keys(CODECS) as Codec[]) {
    const { fits, decode } = CODECS[codec];
    if (!fits.test(value)) continue;
    const text = decode(value);
    const format = formatOf(text, codec);
    if (format !== undefined) return { format, codec, text };
  }
  return undefined;
}

export const encodeAs = (codec: Codec, text: string): string => CODECS[codec].encode(text);

const STRING = /\bs:(\d+):"/g;

/** Returns the strings in a PHP value, without the names of classes and properties of objects. */
export function phpStrings(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const match of text.matchAll(STRING)) {
    const end = match.index + match[0].length + Number(match[1]) + 2;
    if (text.slice(end - 2, end) === '";') found.push({ start: match.index, end });
  }
  return found;
}

/** Writes each length and number with leading zeros, which only the parser of PHP reads as the same. */
export const phpZeros = (text: string, zeros: string): string =>
  text.replace(/(^|[;{:"])([aiOs]):(?=\d)/g, (_, before, type) => `${before}${type}:${zeros}`);

/** Makes the first length wrong. */
export const phpBroken = (text: string): string =>
  text.replace(/^(\w:)(\d+)/, (_, type, length) => `${type}${Number(length) + 1}`);

/** An object of a built-in class that, shown as text, prints a trace. Its property names need no null bytes this way. */
export function phpException(message: string, file: string, line: number): string {
  const text = (value: string) => `s:${value.length}:"${value}";`;
  return `O:9:"Exception":3:{S:10:"\\00*\\00message";${text(message)}S:7:"\\00*\\00file";${text(file)}S:7:"\\00*\\00line";i:${line};}`;
}
