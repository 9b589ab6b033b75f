import type { Parameter } from '../inventory/inventory.ts';
import { isChanged, type Written } from './write-pairs.ts';

/** Returns the boundary in a Content-Type; empty if it has none. */
export function boundaryOf(type: string): string {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(type) ?? [];
  return quoted ?? plain ?? '';
}

/** Encodes the characters that would end a name, as browsers do. */
const inQuotes = (text: string) => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Builds a body from its values, for requests without a known body. */
export function multipartOf(parameters: readonly Parameter[], boundary: string): string {
  const fileNames = new Map(parameters.filter(isFileName).map(({ name, value }) => [name, value]));
  const named = new Set(parameters.filter((each) => !isFileName(each)).map(({ name }) => name));
  const empty = [...fileNames.keys()].filter((name) => !named.has(name)).map((name) => ({ name, value: '' }));
  const parts = [...parameters.filter((each) => !isFileName(each)), ...empty].map(({ name, value }) => {
    const fileName = fileNames.get(name);
    const file = fileName === undefined ? '' : `; filename="${inQuotes(fileName)}"\r\nContent-Type: text/plain`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${inQuotes(name)}"${file}\r\n\r\n${value}\r\n`;
  });
  return `${parts.join('')}--${boundary}--\r\n`;
}

const isFileName = ({ location }: Parameter) => location === 'fileName';

/** Repeated names match in order: the first parameter of a name belongs to the first part of that name. */
export function multipartWith(
  text: string,
  boundary: string,
  parameters: readonly Parameter[],
  written: Written,
): string {
  const { parameter } = written;
  if (!parameters.includes(parameter) || !isChanged(parameter, written)) return text;
  const alike = parameters.filter(({ location, name }) => location === parameter.location && name === parameter.name);
  const delimiter = `--${boundary}`;
  const parts = text.split(delimiter);
  const own = parts.flatMap((part, index) => (isNamed(part, parameter) ? [index] : []));
  const place = own[alike.indexOf(parameter)];
  return parts.map((part, index) => (index === place ? partWith(part, written) : part)).join(delimiter);
}

/** Returns the body with each value that is no file replaced as `change` tells, and every other byte as it is. */
export function partsWith<Body extends string | Uint8Array>(
  body: Body,
  boundary: string,
  change: (name: string, value: string) => string,
): Body | Buffer {
  // One character for each byte: files are no text.
  const text = Buffer.from(body).toString('latin1');
  const delimiter = `--${boundary}`;
  const parts = text.split(delimiter).map((part) => {
    const [, head = '', name = '', value = ''] = FIELD.exec(part) ?? [];
    const decoded = Buffer.from(value, 'latin1').toString();
    const other = head === '' ? decoded : change(name, decoded);
    return other === decoded ? part : `${head}${Buffer.from(other).toString('latin1')}\r\n`;
  });
  const changed = parts.join(delimiter);
  return changed === text ? body : Buffer.from(changed, 'latin1');
}

/** A part that is no file: what comes before its value, its name, and its value. */
const FIELD = /^(\r\nContent-Disposition: form-data; name="([^"]*)"\r\n\r\n)(.*)\r\n$/is;

function isNamed(part: string, { name, location }: Parameter): boolean {
  const [head = ''] = part.split('\r\n\r\n', 1);
  const isRight = location === 'multipart' || /;\s*filename="/i.test(head);
  return isRight && head.includes(`; name="${inQuotes(name)}"`);
}

function partWith(part: string, { parameter, value, isRaw }: Written): string {
  const end = part.indexOf('\r\n\r\n');
  const head = part.slice(0, end);
  if (!isFileName(parameter)) return `${head}\r\n\r\n${value}\r\n`;
  const fileName = isRaw ? value : inQuotes(value);
  return head.replace(/(;\s*filename=")[^"]*/i, (_, before: string) => before + fileName) + part.slice(end);
}
