import { type BareItem, type Dictionary, parseDictionary, parseItem, Token } from 'structured-headers';

/**
 * Parses a structured header field with a single item. Returns undefined if it is malformed, as browsers ignore it
 * then.
 */
export function itemOf(values: readonly string[]): BareItem | undefined {
  return parsed(() => parseItem(values.join(', '))[0]);
}

export const tokenOf = (values: readonly string[]) => {
  const item = itemOf(values);
  return item instanceof Token ? item.toString() : undefined;
};

export function dictionaryOf(values: readonly string[]): Dictionary | undefined {
  return parsed(() => parseDictionary(values.join(', ')));
}

function parsed<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
