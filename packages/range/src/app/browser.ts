import { createContext, runInContext } from 'node:vm';
import type { Visitor } from '../exploit.ts';

/** The part of a browser that the app's scripts use. Scripts really run; markup is only inspected. */

interface Element {
  innerHTML: string;
  textContent: string;
}

export interface OpenedPage {
  element(id: string): Element;
  /** Returns the URL that the script navigated to. */
  href(): string;
  /** Calls made by injected scripts. */
  calls: unknown[];
  post(message: { data: unknown; origin: string }): void;
  evaluate(expression: string): unknown;
}

const ORIGIN = 'http://range.invalid';

function locationFor(address: string) {
  const { href, hash, search, origin } = new URL(address, ORIGIN);
  return { href, hash, search, origin };
}

/** Opens a page of the app and runs its script. */
export async function openPage({ ask }: Visitor, address: string): Promise<OpenedPage> {
  const location = locationFor(address);
  const { body } = await ask(address.split('#')[0] ?? '');
  const script = /<script src="([^"]+)">/.exec(body)?.[1] ?? '';
  const elements = new Map<string, Element>();
  const listeners: ((message: unknown) => void)[] = [];
  const calls: unknown[] = [];
  const element = (id: string): Element => {
    const known = elements.get(id) ?? { innerHTML: '', textContent: '' };
    elements.set(id, known);
    return known;
  };
  const context = createContext({
    URL,
    URLSearchParams,
    location,
    window: {},
    document: {
      documentElement: { dataset: { part: /data-part="(\w+)"/.exec(body)?.[1] } },
      getElementById: element,
    },
    addEventListener: (type: string, listener: (message: unknown) => void) => {
      if (type === 'message') listeners.push(listener);
    },
    fetch: () => new Promise(() => {}),
    __c: (value: unknown) => calls.push(value),
  });
  runInContext((await ask(script)).body, context);
  return {
    element,
    calls,
    href: () => location.href,
    post: (message) => {
      for (const listener of listeners) listener(message);
    },
    evaluate: (expression) => runInContext(expression, context),
  };
}
